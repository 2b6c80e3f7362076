import type { DecisionKind, RequestState, Vote } from '../../../src/client/index.ts'
import { decidersOf, sayApprovedBefore, sayDeciders, sayNames } from '../../../src/display/words/deciders.ts'
import { useInbox, useLocale, useWords } from '../context/context.ts'
import { isolateRightToLeft } from './text/isolate-right-to-left.tsx'

export interface DecidedRequest {
  state: RequestState
  decision?: { kind: DecisionKind; by: string }
  votes: readonly Pick<Vote, 'by'>[]
}

/** Everybody whose word the decision is, the reader first and as "you"; undefined where nothing was decided. */
export function useDeciders(request: DecidedRequest): string | undefined {
  const { identity } = useInbox()
  const { you } = useWords()
  const locale = useLocale()
  const names = decidersOf(request)
  const others = names.filter((name) => name !== identity.subject)
  if (names.length === 0) return undefined
  return sayNames(others.length < names.length ? [you, ...others] : others, locale)
}

/** In a row of a list: who decided, and who had approved what was decided otherwise. */
export function Deciders({ request, say }: { request: DecidedRequest; say?: (names: string) => string }) {
  const locale = useLocale()
  const names = sayDeciders(request, locale)
  const before = sayApprovedBefore(request, locale)
  if (names === undefined && before === undefined) return null
  const told = names === undefined ? [] : [say === undefined ? names : say(names)]
  return (
    <span class="who">
      {isolateRightToLeft([...told, ...(before === undefined ? [] : [before])].join(' · '))}
    </span>
  )
}
