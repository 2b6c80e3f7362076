/**
 * How a chat goes on, as pure functions: what happens goes in, what to show and to do comes out. A request that is on the
 * screen has the keys, and the half-written message waits; what was being typed when it appeared never answers it.
 */
import { advanceWatch } from '../watch/advance-watch.ts'
import { answer } from '../watch/press-key.ts'
import { pressEach, quietAgain, takesOneKey } from '../watch/press-together.ts'
import type { WatchInput } from '../watch/watch-state.ts'
import {
  type ChatKey,
  type ChatOutput,
  type ChatSessionWords,
  type ChatState,
  type ChatStep,
  isRunning,
} from './chat-state.ts'
import type { NarratedPiece } from './narrate.ts'

/** The agent takes no more than 64 Ki. */
const MOST_TYPED = 60_000

export function pressChatKey(state: ChatState, key: ChatKey, at: number, words: ChatSessionWords): ChatStep {
  if (key.kind === 'interrupt') return interrupt(state, words)
  const { current } = state.watch
  if (key.kind === 'leave') {
    return current === undefined && state.typed !== '' ? stay(state) : leave(state)
  }
  if (current === undefined) return typeMessage(state, key, words)
  if (current.kind !== 'shown' || key.kind === 'erase_word') return stay(state)
  const { mode } = current
  if (key.kind === 'paste') {
    // What is pasted is text, and never a key that decides.
    if (takesOneKey(state.watch, state.watch)) return tellSeveral(state, at, words)
    if (mode.kind !== 'line') return stay(state)
    const text = key.text.replaceAll(/\s+/g, ' ')
    return feedWatch(state, { kind: 'key', key: { kind: 'text', text }, at }, words)
  }
  if (mode.kind === 'reading' && key.kind === 'text') {
    if (key.text === '?') return { state, outputs: [{ kind: 'chat_help' }], actions: [] }
    // One leaves a chat, and not a request.
    if (key.text === 'q') return stay(state)
  }
  return feedWatch(state, { kind: 'key', key, at }, words)
}

/** Several keys that came in one read: text where text is typed, and no answer to a request. */
export function pressChatKeys(
  state: ChatState,
  keys: readonly ChatKey[],
  at: number,
  words: ChatSessionWords,
): ChatStep {
  const { step, isIgnored } = pressEach(
    state,
    keys,
    (now, key) => pressChatKey(now, key, at, words),
    (now, { kind }) => kind !== 'interrupt' && kind !== 'leave' && takesOneKey(now.watch, state.watch),
  )
  if (!isIgnored) return step
  const told = tellSeveral(step.state, at, words)
  return { ...step, state: told.state, outputs: [...step.outputs, ...told.outputs] }
}

/** What is told about the requests of this conversation. */
export function feedWatch(state: ChatState, input: WatchInput, words: ChatSessionWords): ChatStep {
  const step = advanceWatch(state.watch, input, words.watch)
  const outputs: ChatOutput[] = step.outputs.filter((output) => {
    // How a call ended is told by the conversation, and that nothing waits is no news in it.
    return output.kind !== 'ended' && !(output.kind === 'plain' && output.text === words.watch.idle)
  })
  const next = { ...state, watch: step.state, waiting: waitingAfter(state, input) }
  const { current } = step.state
  const isNew = step.outputs.some((output) => output.kind === 'request' && output.request.id === current?.id)
  if (!isNew || current?.kind !== 'shown' || current.mode.kind !== 'reading' || !isForm(current.request)) {
    return { state: next, outputs, actions: step.actions }
  }
  const form = answer(step.state, current)
  // The only question was shown with the request.
  const first = (current.request.questions ?? []).length > 1 ? form.outputs : []
  return { state: { ...next, watch: form.state }, outputs: [...outputs, ...first], actions: step.actions }
}

/** What is told about the conversation. */
export function followPiece(state: ChatState, piece: NarratedPiece): ChatState {
  switch (piece.kind) {
    case 'begun':
      return state.turn === piece.turn ? state : { ...state, turn: piece.turn, presses: 0 }
    case 'waiting':
      return { ...state, waiting: new Set(state.waiting).add(piece.request) }
    case 'over':
      // A turn that is over leaves no question behind.
      return { ...state, turn: undefined, presses: 0, waiting: new Set() }
    default:
      return state
  }
}

function typeMessage(state: ChatState, key: ChatKey, words: ChatSessionWords): ChatStep {
  const { typed } = state
  const into = (text: string) => stay({ ...state, typed: text.slice(0, MOST_TYPED).toWellFormed() })
  switch (key.kind) {
    case 'text':
    case 'paste':
      return into(typed + key.text)
    case 'backspace':
      return into([...typed].slice(0, -1).join(''))
    case 'erase_word':
      return into(typed.replace(/\S*\s*$/, ''))
    case 'erase_line':
      return into('')
    case 'enter':
      return submit(state, words)
    default:
      return stay(state)
  }
}

function submit(state: ChatState, words: ChatSessionWords): ChatStep {
  const text = state.typed.trim()
  const sent = { ...state, typed: '' }
  switch (text) {
    case '':
      return stay(sent)
    case '/help':
      return { state: sent, outputs: [{ kind: 'chat_help' }], actions: [] }
    case '/exit':
    case '/quit':
      return leave(sent)
    case '/pending': {
      if (state.waiting.size === 0) {
        return { state: sent, outputs: [{ kind: 'plain', text: words.chat.nothingWaits }], actions: [] }
      }
      const watch = { ...sent.watch, settled: new Map() }
      return { state: { ...sent, watch }, outputs: [], actions: [{ kind: 'list' }] }
    }
    default:
      return {
        state: { ...sent, saying: state.saying + 1 },
        outputs: [{ kind: 'said', text }],
        actions: [{ kind: 'say', text }],
      }
  }
}

function interrupt(state: ChatState, { chat }: ChatSessionWords): ChatStep {
  if (isRunning(state)) {
    if (state.presses > 1) return leave(state)
    const how = state.presses === 0 ? 'graceful' : 'hard'
    return {
      state: { ...state, presses: state.presses + 1 },
      outputs: [{ kind: 'bad', text: how === 'graceful' ? chat.interrupting : chat.stopping }],
      actions: [{ kind: 'interrupt', how }],
    }
  }
  return state.typed === '' ? leave(state) : stay({ ...state, typed: '' })
}

function waitingAfter({ waiting }: ChatState, input: WatchInput): ReadonlySet<string> {
  if (input.kind !== 'changed' && input.kind !== 'fetched' && input.kind !== 'recorded') return waiting
  const { id, state } = input.request
  if (state === 'pending' || !waiting.has(id)) return waiting
  const left = new Set(waiting)
  left.delete(id)
  return left
}

/** A question opens as a form: its numbers and words are typed at once. */
function isForm({ kind, allowedDecisions }: { kind: string; allowedDecisions: readonly string[] }): boolean {
  return kind === 'question' && allowedDecisions.includes('answer')
}

function tellSeveral(state: ChatState, at: number, words: ChatSessionWords): ChatStep {
  const told = { kind: 'bad' as const, text: words.watch.severalKeys }
  return { state: { ...state, watch: quietAgain(state.watch, at) }, outputs: [told], actions: [] }
}

function leave(state: ChatState): ChatStep {
  return { state, outputs: [], actions: [{ kind: 'leave' }] }
}

function stay(state: ChatState): ChatStep {
  return { state, outputs: [], actions: [] }
}
