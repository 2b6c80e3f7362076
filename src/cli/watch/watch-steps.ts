/** The moves that several inputs share: to the next request, into another mode, off to the server. */
import type { DecisionInput, WireRequest } from '../../client/index.ts'
import type { ShownRequest, WatchMode, WatchOutput, WatchState, WatchStep } from './watch-state.ts'
import type { WatchWords } from './watch-words.ts'

export function stay(state: WatchState, ...outputs: WatchOutput[]): WatchStep {
  return { state, outputs, actions: [] }
}

export function intoMode(
  state: WatchState,
  shown: ShownRequest,
  mode: WatchMode,
  ...outputs: WatchOutput[]
): WatchStep {
  return stay({ ...state, current: { ...shown, mode } }, ...outputs)
}

/** The next in the queue, which is fetched first: it may have changed since it was listed. */
export function toNext(state: WatchState, words: WatchWords, ...outputs: WatchOutput[]): WatchStep {
  const [id, ...queue] = state.queue
  if (id === undefined) {
    const idle: WatchOutput[] = state.isIdle ? [] : [{ kind: 'plain', text: words.idle }]
    return stay({ ...state, current: undefined, isIdle: true }, ...outputs, ...idle)
  }
  return reopen({ ...state, queue }, id, 0, ...outputs)
}

export function reopen(state: WatchState, id: string, version: number, ...outputs: WatchOutput[]): WatchStep {
  return {
    state: { ...state, current: { kind: 'opening', id, version }, isIdle: false },
    outputs,
    actions: [{ kind: 'fetch', id }],
  }
}

/** Every decision names the digest of what is on the screen. */
export function send(state: WatchState, shown: ShownRequest, decision: DecisionInput): WatchStep {
  return {
    state: { ...state, current: { ...shown, mode: { kind: 'sending', decision } } },
    outputs: [],
    actions: [{ kind: 'decide', id: shown.id, decision }],
  }
}

/** Not to be shown here again, unless it changes. */
export function settle(state: WatchState, id: string, digest: string): WatchState {
  return { ...state, settled: new Map(state.settled).set(id, digest) }
}

/** Whether it waits for the one who sits here. */
export function isForUs(
  { self, settled, together }: WatchState,
  { id, state, yours, digest, votes }: WireRequest,
): boolean {
  if (state !== 'pending' || !yours || settled.get(id) === digest || together.has(id)) return false
  return !votes.some((vote) => vote.by === self && vote.digest === digest)
}
