import type { DecisionKind, RequestState, Vote } from '../../../src/client/index.ts'
import { sayApprovedBefore, sayDeciders } from '../../../src/display/deciders.ts'
import { useInbox, useSpeech, useWords } from '../shell/context.ts'
import { inOrder } from './in-order.tsx'

export interface DecidedRequest {
  state: RequestState
  decision?: { kind: DecisionKind; by: string }
  votes: readonly Pick<Vote, 'by'>[]
}

/** Everybody whose word the decision is, the reader as "you"; undefined where nothing was decided. */
export function useDeciders(request: DecidedRequest): string | undefined {
  const { identity } = useInbox()
  const { you } = useWords().result
  const locale = useSpeech().language.value
  if (request.decision?.by === identity.subject && request.votes.length < 2) return you
  return sayDeciders(request, locale)
}

/** In a row of a list: who decided, and who had approved what was decided otherwise. */
export function Deciders({ request, say }: { request: DecidedRequest; say?: (names: string) => string }) {
  const locale = useSpeech().language.value
  const names = sayDeciders(request, locale)
  const before = sayApprovedBefore(request, locale)
  if (names === undefined && before === undefined) return null
  const told = names === undefined ? [] : [say === undefined ? names : say(names)]
  return <span class="who">{inOrder([...told, ...(before === undefined ? [] : [before])].join(' · '))}</span>
}
