/** What the policy says of an edit, a moment after the last key. An answer to an earlier version is never shown for a later. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { ClientError, type JsonObject, type WirePreview } from '../../../../../src/client/index.ts'
import { useInbox } from '../../../context/context.ts'

export type Previewed =
  /** Nothing to ask about. */
  | { kind: 'none' }
  | { kind: 'asking' }
  | { kind: 'known'; preview: WirePreview }
  /** It does not fit the tool, or has a mask in the wrong place. By pointer, where that is known. */
  | { kind: 'misfit'; issues: PreviewIssue[] }
  /** It can't be had; the server looks at the edit anyway when it is sent. */
  | { kind: 'unknown'; error: ClientError }

export interface PreviewIssue {
  pointer: string | undefined
  message: string
}

/** Long enough not to ask at every letter. */
const PAUSE_MS = 400

export interface ToPreview {
  id: string
  digest: string
  arguments: JsonObject
}

/** `edit` is undefined while there is nothing to ask about. Its arguments are the same object as long as nothing is written. */
export function usePreview(edit: ToPreview | undefined): Previewed {
  const { client } = useInbox()
  const [held, hold] = useState<{ of: ToPreview; previewed: Previewed }>()
  const { id, digest, arguments: args } = edit ?? {}
  const wanted = useMemo(() => edit, [id, digest, args])
  useEffect(() => {
    if (wanted === undefined) return
    const stop = new AbortController()
    const { id, ...input } = wanted
    const ask = () =>
      client.preview(id, input, { signal: stop.signal }).then(
        (preview) => {
          if (!stop.signal.aborted) hold({ of: wanted, previewed: { kind: 'known', preview } })
        },
        (error: unknown) => {
          if (stop.signal.aborted) return
          if (!(error instanceof ClientError)) throw error
          hold({ of: wanted, previewed: failed(error) })
        },
      )
    const timer = setTimeout(ask, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [wanted])
  if (wanted === undefined) return { kind: 'none' }
  return held?.of === wanted ? held.previewed : { kind: 'asking' }
}

function failed(error: ClientError): Previewed {
  if (error.code !== 'arguments_invalid') return { kind: 'unknown', error }
  const issues = error.problem?.issues
  const pointer = error.problem?.pointer
  const listed = Array.isArray(issues) ? issues.flatMap(issueOf) : []
  const only = { pointer: typeof pointer === 'string' ? pointer : undefined, message: error.detail }
  return { kind: 'misfit', issues: listed.length === 0 ? [only] : listed }
}

function issueOf(value: unknown): PreviewIssue[] {
  const { pointer, message } = (value ?? {}) as Record<string, unknown>
  return typeof message === 'string'
    ? [{ pointer: typeof pointer === 'string' ? pointer : undefined, message }]
    : []
}
