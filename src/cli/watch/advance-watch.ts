/**
 * How `requests watch` goes on, as one pure function: what happens goes in, what to show and to do comes out.
 *
 * One request is on the screen at a time. It is fetched whole just before it is shown, and a decision on it names the
 * digest that was shown. Somebody else may answer it, or change it, at any moment: then that is said at once. If
 * nothing was being typed the next one follows; otherwise Enter is waited for, so that what is typed on does not hit
 * a request that its writer has not seen. For the same reason keys count only after a request has been on the screen
 * for a moment, and a key that came too early starts that moment again: a burst of typing is one mistake, not two.
 */

import type { DecisionKind, WireRequest } from '../../client/index.ts'
import { defined } from '../../core/defined.ts'
import { isHighRisk } from '../../core/verdict.ts'
import { sayRecorded } from '../../display/words/decisions.ts'
import { inboxLinkFor } from '../output/inbox-link.ts'
import { safeJson } from '../output/safe-text.ts'
import { READING_MS } from '../output/terminal.ts'
import { askForAll, refuseTogether } from './approve-together.ts'
import { offerChoices } from './grant-choice.ts'
import { pressKey } from './press-key.ts'
import { pressTogether } from './press-together.ts'
import type {
  AdvanceWatch,
  ShownRequest,
  WatchInput,
  WatchOutput,
  WatchState,
  WatchStep,
} from './watch-state.ts'
import { intoMode, isForUs, reopen, settle, stay, toNext } from './watch-steps.ts'
import type { WatchWords } from './watch-words.ts'

export function advanceWatch(state: WatchState, input: WatchInput, words: WatchWords): WatchStep {
  switch (input.kind) {
    case 'key':
      return pressKey(state, input.key, input.at, words)
    case 'keys':
      return pressTogether(state, input.keys, input.at, words)
    case 'listed':
      return list(state, input.requests, words)
    case 'changed':
      return change(state, input.request, words)
    case 'fetched':
      return open(state, input.request, input.at, words)
    case 'fetch_failed': {
      if (state.current?.kind !== 'opening' || state.current.id !== input.id) return stay(state)
      return toNext(state, words, { kind: 'bad', text: words.refused(input.detail) })
    }
    case 'edited':
      return edit(state, input, words)
    case 'suggested':
      return offerChoices(state, input, words)
    case 'gathered':
      return askForAll(state, input, words)
    case 'recorded':
      return record(state, input, words)
    case 'refused':
      return refuse(state, input, words)
    case 'connection':
      return connection(state, input.status, words)
  }
}

function list(state: WatchState, requests: readonly WireRequest[], words: WatchWords): WatchStep {
  const { current } = state
  const queue = requests.filter((one) => isForUs(state, one) && one.id !== current?.id).map(({ id }) => id)
  const listed = { ...state, queue }
  if (current === undefined) return toNext(listed, words)
  // What became of it while nobody listened has to be asked.
  const isThere = requests.some(({ id, version }) => {
    return id === current.id && (current.kind === 'opening' || version === current.request.version)
  })
  return isThere || current.kind === 'opening'
    ? stay(listed)
    : { state: listed, outputs: [], actions: [{ kind: 'fetch', id: current.id }] }
}

function change(state: WatchState, request: WireRequest, words: WatchWords): WatchStep {
  const { current } = state
  const ended = endingOf(state, request)
  if (ended !== undefined) {
    const decided = new Map(state.decided)
    decided.delete(request.id)
    return stay({ ...state, decided }, ended)
  }
  if (current?.id === request.id) {
    if (current.kind === 'shown') return changeShown(state, current, request, words)
    return stay({ ...state, current: { ...current, version: Math.max(current.version, request.version) } })
  }
  const others = state.queue.filter((id) => id !== request.id)
  if (!isForUs(state, request)) return stay({ ...state, queue: others })
  const queue = state.queue.includes(request.id) ? state.queue : [...others, request.id]
  return current === undefined ? toNext({ ...state, queue }, words) : stay({ ...state, queue })
}

function changeShown(
  state: WatchState,
  shown: ShownRequest,
  request: WireRequest,
  words: WatchWords,
): WatchStep {
  // The server's answer to what was sent says more than the change that it makes.
  if (shown.mode.kind === 'sending' || shown.mode.kind === 'gone') return stay(state)
  if (request.version <= shown.request.version) return stay(state)
  if (!isForUs(state, request)) {
    const gone: WatchOutput = { kind: 'gone', request }
    return shown.mode.kind === 'reading'
      ? toNext(state, words, gone)
      : intoMode(state, shown, { kind: 'gone' }, gone)
  }
  if (request.digest !== shown.request.digest) {
    return reopen(state, request.id, request.version, { kind: 'bad', text: words.changed })
  }
  const { version, votes, covered } = request
  const now = { ...shown.request, version, votes, ...defined({ covered }) }
  return stay({ ...state, current: { ...shown, request: now } })
}

function open(state: WatchState, request: WireRequest, at: number, words: WatchWords): WatchStep {
  const { current } = state
  if (current?.id !== request.id) return stay(state)
  if (current.kind === 'shown') return changeShown(state, current, request, words)
  if (request.version < current.version) return reopen(state, request.id, current.version)
  if (!isForUs(state, request)) return toNext(state, words)
  const shown: ShownRequest = {
    kind: 'shown',
    id: request.id,
    request,
    quietUntil: at + READING_MS,
    mode: { kind: 'reading' },
  }
  const elsewhere = inboxLinkFor(request, state.inbox)
  const told: WatchOutput[] = elsewhere === undefined ? [] : [{ kind: 'bad', text: elsewhere }]
  return stay({ ...state, current: shown }, { kind: 'request', request }, ...told)
}

const edit: AdvanceWatch<'edited'> = (state, input, words) => {
  const { current } = state
  if (current?.kind !== 'shown' || current.id !== input.id || current.mode.kind !== 'editing') {
    return stay(state, { kind: 'bad', text: words.tooLate })
  }
  const shown = { ...current, quietUntil: input.at + READING_MS }
  const { result } = input
  if (result.kind === 'unchanged') {
    return intoMode(state, shown, { kind: 'reading' }, { kind: 'plain', text: words.editUnchanged })
  }
  if (result.kind === 'failed') {
    const kept = result.text === undefined ? shown : { ...shown, draft: result.text }
    return intoMode(state, kept, { kind: 'reading' }, { kind: 'bad', text: words.editFailed(result.why) })
  }
  const difference: WatchOutput = { kind: 'difference', request: shown.request, arguments: result.arguments }
  if (!isHighRisk(shown.request.severity)) {
    return intoMode(state, shown, { kind: 'confirming_edit', arguments: result.arguments }, difference)
  }
  const decision = { decision: 'edit' as const, digest: shown.request.digest, arguments: result.arguments }
  return intoMode(state, shown, { kind: 'line', purpose: { kind: 'yes', decision }, typed: '' }, difference)
}

const record: AdvanceWatch<'recorded'> = (state, input, words) => {
  const { current } = state
  const { request, isDecided } = input
  if (state.together.has(request.id)) return recordTogether(state, request, isDecided, words)
  if (current?.kind !== 'shown' || current.id !== request.id || current.mode.kind !== 'sending')
    return stay(state)
  const { decision } = current.mode.decision
  const isApproval = decision === 'approve' || decision === 'edit'
  const text = recordedText(decision, request, isDecided, words)
  const after = isDecided
    ? isApproval
      ? { ...state, decided: new Map(state.decided).set(request.id, request.rendering.summary) }
      : state
    : settle(state, request.id, request.digest)
  return toNext(after, words, { kind: 'good', text })
}

function recordTogether(
  state: WatchState,
  request: WireRequest,
  isDecided: boolean,
  words: WatchWords,
): WatchStep {
  const together = new Map(state.together)
  const summary = together.get(request.id) ?? ''
  together.delete(request.id)
  const left = { ...state, together }
  const after = isDecided
    ? { ...left, decided: new Map(left.decided).set(request.id, summary) }
    : settle(left, request.id, request.digest)
  return stay(after, {
    kind: 'good',
    text: words.ended(summary, recordedText('approve', request, isDecided, words)),
  })
}

function recordedText(
  decision: DecisionKind,
  { kind }: WireRequest,
  isDecided: boolean,
  words: WatchWords,
): string {
  const isApproval = decision === 'approve' || decision === 'edit'
  return isApproval && !isDecided ? words.voted : sayRecorded(decision, words.locale, kind)
}

/** The request will not take an answer from here any more. */
const OVER = [
  'already_decided',
  'not_pending',
  'expired',
  'cancelled',
  'unknown_id',
  'not_yours',
  'session_ended',
  'forbidden',
]

const refuse: AdvanceWatch<'refused'> = (state, input, words) => {
  const { current } = state
  if (state.together.has(input.id)) return refuseTogether(state, input, OVER.includes(input.code), words)
  if (current?.kind !== 'shown' || current.id !== input.id || current.mode.kind !== 'sending')
    return stay(state)
  const told: WatchOutput = { kind: 'bad', text: words.refused(input.detail) }
  if (input.code === 'digest_mismatch') {
    return reopen(state, input.id, current.request.version, told, { kind: 'bad', text: words.changed })
  }
  const { decision } = current.mode
  // An edit may need more authority than the request itself, which stays.
  const isOver = OVER.includes(input.code) && !(decision.decision === 'edit' && input.code === 'not_yours')
  if (isOver) return toNext(state, words, told)
  const shown = { ...current, quietUntil: input.at + READING_MS }
  const kept = decision.arguments === undefined ? shown : { ...shown, draft: safeJson(decision.arguments, 2) }
  return intoMode(state, kept, { kind: 'reading' }, told)
}

function connection(
  state: WatchState,
  status: Extract<WatchInput, { kind: 'connection' }>['status'],
  words: WatchWords,
): WatchStep {
  const isConnected = status.kind === 'connected'
  if (isConnected === state.isConnected) return stay(state)
  const output: WatchOutput =
    status.kind === 'connected'
      ? { kind: 'good', text: words.connected }
      : { kind: 'bad', text: words.lost(Math.ceil(status.retryInMs / 1000)) }
  return stay({ ...state, isConnected }, output)
}

function endingOf({ decided }: WatchState, request: WireRequest): WatchOutput | undefined {
  const summary = decided.get(request.id)
  const isOver = ['done', 'unknown', 'lapsed', 'cancelled'].includes(request.state)
  return summary === undefined || !isOver ? undefined : { kind: 'ended', summary, request }
}
