/** Which grants a request could leave behind. Asked for when somebody wants to leave one, because it takes a while to count. */
import { useEffect, useState } from 'preact/hooks'
import { ClientError, type WireRequest, type WireSuggestion } from '../../../../src/client/index.ts'
import { useInbox } from '../../context/context.ts'

export type Suggested =
  | { kind: 'none' }
  | { kind: 'loading' }
  | { kind: 'known'; suggestions: WireSuggestion[] }
  | { kind: 'failed'; error: ClientError }

export function useSuggestions({ id, digest }: WireRequest, isWanted: boolean): Suggested {
  const { client } = useInbox()
  const [held, hold] = useState<{ of: string; suggested: Suggested }>()
  // They are made for exactly what is shown.
  const wanted = `${id} ${digest}`
  const suggested = held?.of === wanted ? held.suggested : undefined
  useEffect(() => {
    if (!isWanted || suggested?.kind === 'known') return
    const stop = new AbortController()
    hold({ of: wanted, suggested: { kind: 'loading' } })
    client.suggestions(id, { signal: stop.signal }).then(
      ({ suggestions }) => {
        if (!stop.signal.aborted) hold({ of: wanted, suggested: { kind: 'known', suggestions } })
      },
      (error: unknown) => {
        if (stop.signal.aborted) return
        if (!(error instanceof ClientError)) throw error
        hold({ of: wanted, suggested: { kind: 'failed', error } })
      },
    )
    return () => stop.abort()
  }, [wanted, isWanted])
  return isWanted ? (suggested ?? { kind: 'loading' }) : { kind: 'none' }
}
