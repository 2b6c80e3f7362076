/** What a key does, in each mode. Whatever a key does not mean, it does nothing: `Y` is not `y`, as `A` is not `a`. */

import type { DecisionInput, DecisionKind } from '../../client/index.ts'
import { defined } from '../../core/defined.ts'
import { isHighRisk } from '../../core/verdict.ts'
import { sayDecisionAction } from '../../display/words/decisions.ts'
import { inboxLinkFor } from '../output/inbox-link.ts'
import { READING_MS } from '../output/terminal.ts'
import { approveAll, gatherAll } from './approve-together.ts'
import { readChoice } from './grant-choice.ts'
import { readAnswer } from './read-answer.ts'
import type { ShownRequest, WatchKey, WatchMode, WatchState, WatchStep } from './watch-state.ts'
import { intoMode, send, settle, stay, toNext } from './watch-steps.ts'
import type { WatchWords } from './watch-words.ts'

/** A reason is a sentence or two. */
const MOST_TYPED = 4000

export function pressKey(state: WatchState, key: WatchKey, at: number, words: WatchWords): WatchStep {
  if (key.kind === 'interrupt') return quit(state)
  const { current } = state
  if (current?.kind !== 'shown') {
    if (isText(key, 'q')) return quit(state)
    return isText(key, '?') ? stay(state, { kind: 'help' }) : stay(state)
  }
  const { mode } = current
  if (isBusy(mode)) return stay(state)
  if (mode.kind === 'gone') return key.kind === 'enter' ? toNext(state, words) : stay(state)
  if (at < current.quietUntil) {
    return stay({ ...state, current: { ...current, quietUntil: at + READING_MS } })
  }
  switch (mode.kind) {
    case 'reading':
      return read(state, current, key, words)
    case 'confirming_edit':
      return confirmEdit(state, current, mode, key, words)
    case 'line':
      return typeLine(state, current, mode, key, words)
    case 'confirming_all':
      if (isText(key, 'y')) return approveAll(state, current, mode.others)
      return isText(key, 'n') || key.kind === 'escape'
        ? intoMode(state, current, { kind: 'reading' }, { kind: 'bad', text: words.notConfirmed })
        : stay(state)
  }
}

/** Keys do nothing until what is under way is over. */
type Busy = Extract<WatchMode, { kind: 'sending' | 'editing' | 'suggesting' | 'gathering' }>

function isBusy(mode: WatchMode): mode is Busy {
  return ['sending', 'editing', 'suggesting', 'gathering'].includes(mode.kind)
}

function read(state: WatchState, shown: ShownRequest, key: WatchKey, words: WatchWords): WatchStep {
  if (key.kind !== 'text') return stay(state)
  const { request } = shown
  const isQuestion = request.kind === 'question'
  const offers = (decision: DecisionKind) => request.allowedDecisions.includes(decision)
  const refuse = (decision: DecisionKind) => {
    const action = sayDecisionAction(decision, words.locale, request.kind)
    return stay(state, { kind: 'bad', text: words.notOffered(action) })
  }
  const elsewhere = inboxLinkFor(request, state.inbox)
  const refuseHere = () => stay(state, { kind: 'bad', text: elsewhere! })
  // What was never on the screen is not approved (P9).
  const isUnseen = !isQuestion && shown.isWhole !== true && request.rendering.isShortened === true
  if (isUnseen && elsewhere === undefined && ['y', 'a', 'A'].includes(key.text))
    return stay(state, { kind: 'bad', text: words.wholeFirst })
  if (key.text === 'A' && !isQuestion) {
    if (elsewhere !== undefined) return refuseHere()
    return offers('approve') ? gatherAll(state, shown, words) : refuse('approve')
  }
  switch (key.text) {
    case 'q':
      return quit(state)
    case '?':
      return stay(state, { kind: 'help' })
    case 'w':
      return stay({ ...state, current: { ...shown, isWhole: true } }, { kind: 'whole', request })
    case 's':
      return toNext(settle(state, shown.id, request.digest), words, { kind: 'plain', text: words.skipped })
    case 'n':
      if (!offers('reject')) return refuse('reject')
      // An agent that can't be told why gets a plain no.
      if (request.carriesNoReason === true)
        return send(state, shown, { decision: 'reject', digest: request.digest })
      return intoMode(state, shown, { kind: 'line', purpose: { kind: 'reason' }, typed: '' })
    case 'y':
      if (isQuestion) return stay(state)
      if (elsewhere !== undefined) return refuseHere()
      return offers('approve') ? approve(state, shown) : refuse('approve')
    case 'e': {
      if (isQuestion) return stay(state)
      if (!offers('edit')) return refuse('edit')
      const { draft } = shown
      const { state: editing } = intoMode(state, shown, { kind: 'editing' })
      const action = { kind: 'edit' as const, request, ...defined({ draft }) }
      return { state: editing, outputs: [], actions: [action] }
    }
    case 'a':
      if (isQuestion) return offers('answer') ? answer(state, shown) : refuse('answer')
      if (elsewhere !== undefined) return refuseHere()
      if (!offers('approve')) return refuse('approve')
      return {
        ...intoMode(state, shown, { kind: 'suggesting' }),
        actions: [{ kind: 'suggest', request }],
      }
    case 'r':
      if (isQuestion) return stay(state)
      if (!offers('respond')) return refuse('respond')
      return intoMode(state, shown, { kind: 'line', purpose: { kind: 'respond' }, typed: '' })
    case 't':
      if (!offers('terminate')) return refuse('terminate')
      return intoMode(state, shown, { kind: 'line', purpose: { kind: 'terminate' }, typed: '' })
    default:
      return stay(state)
  }
}

/** Asks the questions one after another, from the first on. */
export function answer(state: WatchState, shown: ShownRequest): WatchStep {
  const purpose = { kind: 'answer' as const, index: 0, answers: {} }
  const mode: WatchMode = { kind: 'line', purpose, typed: '' }
  return intoMode(state, shown, mode, { kind: 'question', request: shown.request, index: 0 })
}

function approve(
  state: WatchState,
  shown: ShownRequest,
  remembered: Pick<DecisionInput, 'scope' | 'grant'> = {},
): WatchStep {
  const decision: DecisionInput = { decision: 'approve', digest: shown.request.digest, ...remembered }
  if (!isHighRisk(shown.request.severity)) return send(state, shown, decision)
  return intoMode(state, shown, { kind: 'line', purpose: { kind: 'yes', decision }, typed: '' })
}

function confirmEdit(
  state: WatchState,
  shown: ShownRequest,
  mode: Extract<WatchMode, { kind: 'confirming_edit' }>,
  key: WatchKey,
  words: WatchWords,
): WatchStep {
  if (isText(key, 'y')) {
    return send(state, shown, { decision: 'edit', digest: shown.request.digest, arguments: mode.arguments })
  }
  if (isText(key, 'n') || key.kind === 'escape') {
    return intoMode(state, shown, { kind: 'reading' }, { kind: 'bad', text: words.notConfirmed })
  }
  return stay(state)
}

function typeLine(
  state: WatchState,
  shown: ShownRequest,
  mode: Extract<WatchMode, { kind: 'line' }>,
  key: WatchKey,
  words: WatchWords,
): WatchStep {
  const { typed } = mode
  switch (key.kind) {
    case 'text':
      return intoMode(state, shown, {
        ...mode,
        typed: (typed + key.text).slice(0, MOST_TYPED).toWellFormed(),
      })
    case 'backspace':
      return intoMode(state, shown, { ...mode, typed: [...typed].slice(0, -1).join('') })
    case 'erase_line':
      return intoMode(state, shown, { ...mode, typed: '' })
    case 'enter':
      return finishLine(state, shown, mode, words)
    default:
      return intoMode(state, shown, { kind: 'reading' })
  }
}

function finishLine(
  state: WatchState,
  shown: ShownRequest,
  { purpose, typed }: Extract<WatchMode, { kind: 'line' }>,
  words: WatchWords,
): WatchStep {
  const { request } = shown
  const line = typed.trim()
  switch (purpose.kind) {
    case 'reason':
    case 'terminate':
      return send(state, shown, {
        decision: purpose.kind === 'reason' ? 'reject' : 'terminate',
        digest: request.digest,
        ...(line === '' ? {} : { reason: line }),
      })
    case 'respond':
      return line === ''
        ? intoMode(
            state,
            shown,
            { kind: 'line', purpose, typed: '' },
            { kind: 'bad', text: words.needsAnswer },
          )
        : send(state, shown, { decision: 'respond', digest: request.digest, text: line })
    case 'grant': {
      const read = readChoice(purpose.choices, line, words)
      if (read.kind === 'good') return approve(state, shown, read.remembered)
      return intoMode(state, shown, { kind: 'line', purpose, typed: '' }, { kind: 'bad', text: read.why })
    }
    case 'yes':
      if (line === 'yes') return send(state, shown, purpose.decision)
      return intoMode(state, shown, { kind: 'reading' }, { kind: 'bad', text: words.notConfirmed })
    case 'answer': {
      const { index } = purpose
      const questions = request.questions ?? []
      const question = questions[index]
      if (question === undefined) return intoMode(state, shown, { kind: 'reading' })
      const read = readAnswer(question, line, words)
      if (read.kind === 'bad') {
        return intoMode(state, shown, { kind: 'line', purpose, typed: '' }, { kind: 'bad', text: read.why })
      }
      // From entries, because `answers['__proto__'] = …` would lose the answer to a question of that name.
      const answers = Object.fromEntries([...Object.entries(purpose.answers), [question.id, read.answer]])
      if (index + 1 === questions.length) {
        return send(state, shown, { decision: 'answer', digest: request.digest, answers })
      }
      const next = { kind: 'answer' as const, index: index + 1, answers }
      const mode: WatchMode = { kind: 'line', purpose: next, typed: '' }
      return intoMode(state, shown, mode, { kind: 'question', request, index: index + 1 })
    }
  }
}

function quit(state: WatchState): WatchStep {
  return { state, outputs: [], actions: [{ kind: 'quit' }] }
}

function isText(key: WatchKey, text: string): boolean {
  return key.kind === 'text' && key.text === text
}
