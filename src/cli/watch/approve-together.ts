/**
 * Approving all pending requests at once. Each of them is shown whole first, none may be high risk, and each is its
 * own decision, on what was shown, with its own result: one that changed or was decided elsewhere takes no other along.
 */

import { isHighRisk } from '../../core/verdict.ts'
import { inboxLinkFor, isForInbox } from '../output/inbox-link.ts'
import { READING_MS } from '../output/terminal.ts'
import type {
  AdvanceWatch,
  ShownRequest,
  WatchInput,
  WatchOutput,
  WatchState,
  WatchStep,
} from './watch-state.ts'
import { intoMode, isForUs, send, stay, toNext } from './watch-steps.ts'
import type { WatchWords } from './watch-words.ts'

/** More than that nobody reads before they say yes. */
const MOST_TOGETHER = 8

export function gatherAll(state: WatchState, shown: ShownRequest, words: WatchWords): WatchStep {
  if (state.queue.length === 0) return stay(state, { kind: 'bad', text: words.noOthers })
  if (isHighRisk(shown.request.severity)) return stay(state, { kind: 'bad', text: words.highRiskAmongThem })
  if (state.queue.length >= MOST_TOGETHER) {
    return stay(state, { kind: 'bad', text: words.tooManyTogether(MOST_TOGETHER) })
  }
  const gathering = intoMode(state, shown, { kind: 'gathering' })
  return { ...gathering, actions: [{ kind: 'gather', id: shown.id, ids: state.queue }] }
}

export const askForAll: AdvanceWatch<'gathered'> = (state, input, words) => {
  const { current } = state
  if (current?.kind !== 'shown' || current.id !== input.id || current.mode.kind !== 'gathering') {
    return stay(state)
  }
  const shown = { ...current, quietUntil: input.at + READING_MS }
  const others = input.requests.filter((request) => {
    return (
      isForUs(state, request) &&
      request.kind === 'approval' &&
      request.allowedDecisions.includes('approve') &&
      !isForInbox(request)
    )
  })
  const back = (text: string) => intoMode(state, shown, { kind: 'reading' }, { kind: 'bad', text })
  if (others.length === 0) return back(words.noOthers)
  if (others.some(({ severity }) => isHighRisk(severity))) return back(words.highRiskAmongThem)
  if (others.some(({ rendering }) => rendering.isShortened)) return back(words.tooLongAmongThem)
  const outputs = others.map((request): WatchOutput => ({ kind: 'request', request }))
  // What can't be approved here is left where it waits, and that is said.
  for (const request of input.requests) {
    const elsewhere = isForUs(state, request) ? inboxLinkFor(request, state.inbox) : undefined
    if (elsewhere !== undefined) outputs.push({ kind: 'bad', text: elsewhere })
  }
  return intoMode(state, shown, { kind: 'confirming_all', others }, ...outputs)
}

export function approveAll(state: WatchState, shown: ShownRequest, others: Others): WatchStep {
  const ids = others.map(({ id }) => id)
  const together = new Map(state.together)
  for (const { id, rendering } of others) together.set(id, rendering.summary)
  const queue = state.queue.filter((id) => !ids.includes(id))
  const step = send({ ...state, together, queue }, shown, {
    decision: 'approve',
    digest: shown.request.digest,
  })
  const actions = others.map(({ id, digest }) => {
    return { kind: 'decide' as const, id, decision: { decision: 'approve' as const, digest } }
  })
  return { ...step, actions: [...step.actions, ...actions] }
}

/** One that still waits, though not as it was shown, comes to its turn like any other. */
export function refuseTogether(
  state: WatchState,
  { id, detail }: Extract<WatchInput, { kind: 'refused' }>,
  isOver: boolean,
  words: WatchWords,
): WatchStep {
  const together = new Map(state.together)
  const summary = together.get(id) ?? ''
  together.delete(id)
  const told: WatchOutput = { kind: 'bad', text: words.ended(summary, words.refused(detail)) }
  const left = { ...state, together, queue: isOver ? state.queue : [...state.queue, id] }
  return left.current === undefined ? toNext(left, words, told) : stay(left, told)
}

type Others = Extract<ShownRequest['mode'], { kind: 'confirming_all' }>['others']
