/** Turns what the watch wants shown into text, and its mode into the line at which keys are typed. */

import type { WireRequest } from '../../client/index.ts'
import { commandLineOf } from '../../display/arguments/command-line-of.ts'
import { widthOf } from '../../display/render-text.ts'
import { sayApprovedBefore, sayDeciders } from '../../display/words/deciders.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import { sayState } from '../../display/words/request-states.ts'
import { differenceText } from '../output/difference-text.ts'
import { fitToWidth, wrapWords } from '../output/fit-to-width.ts'
import { isForInbox } from '../output/inbox-link.ts'
import { bar, questionText, requestText } from '../output/request-text.ts'
import { requestWords } from '../output/request-words.ts'
import { rendered, safeJson, visible } from '../output/safe-text.ts'
import type { Paint, TextStyle } from '../output/terminal.ts'
import type { OfferedGrant, Purpose, WatchOutput, WatchState } from './watch-state.ts'
import { type WatchWords, watchWords } from './watch-words.ts'

export interface ScreenOptions {
  locale: Locale
  paint: Paint
  columns: number | undefined
  /** Milliseconds since the epoch. */
  now: number
}

export function showOutput(output: WatchOutput, options: ScreenOptions): string {
  const { locale, paint, columns } = options
  const words = watchWords(locale)
  const painted = (style: TextStyle, text: string) =>
    wrapWords(text, columns)
      .map((line) => paint(style, line))
      .join('\n')
  switch (output.kind) {
    case 'request':
      return `\n${requestText(output.request, options)}`
    case 'whole':
      return fitToWidth(bar(safeJson(output.request.arguments, 2)).join('\n'), columns).join('\n')
    case 'question': {
      const { questions = [] } = output.request
      const lines = questionText(questions[output.index]!, output.index + 1, questions.length, locale)
      return wrapWords(lines.join('\n'), columns).join('\n')
    }
    case 'difference': {
      const { arguments: before, masks } = output.request
      const masked = masks.map(({ pointer }) => pointer)
      const [old, made] = [before, output.arguments].map((args) => commandLineOf(args, { masked }))
      const line =
        made === undefined || old === made ? [] : differenceText(`${old ?? ''}\n`, `${made}\n`, options)
      const difference = differenceText(safeJson(before, 2), safeJson(output.arguments, 2), options)
      return [words.editIntro, ...line, ...difference].join('\n')
    }
    case 'choices':
      return choicesText(output.choices, options)
    case 'help':
      return wrapWords(words.help.join('\n'), columns).join('\n')
    case 'good':
      return painted('green', `✓ ${output.text}`)
    case 'bad':
      return painted('yellow', `! ${rendered(output.text)}`)
    case 'plain':
      return painted('dim', output.text)
    case 'ended': {
      const { state, outcome } = output.request
      const kind = outcome?.kind === 'error' ? 'red' : 'cyan'
      const told = outcome?.summary === undefined ? '' : `\n${bar(rendered(outcome.summary)).join('\n')}`
      const line = words.ended(rendered(output.summary), visible(sayState(state, locale, outcome?.kind)))
      return painted(kind, `${line}${told}`)
    }
    case 'gone':
      return painted('yellow', `! ${words.gone(howItWent(output.request, locale))}`)
  }
}

/** The last line of the screen. What was typed is shown from its end, so that it never needs a second line. */
export function promptLine(state: WatchState, { locale, paint, columns }: ScreenOptions): string {
  const words = watchWords(locale)
  const { current } = state
  if (current === undefined) return paint('dim', words.keys.idle)
  if (current.kind === 'opening') return paint('dim', words.opening)
  const { mode, request } = current
  switch (mode.kind) {
    case 'reading':
      return paint('bold', words.keys[offerOf(request)])
    case 'confirming_edit':
      return paint('bold', words.confirmEdit)
    case 'confirming_all':
      return paint('bold', words.confirmAll(mode.others.length + 1))
    case 'sending':
      return paint('dim', words.sending)
    case 'suggesting':
    case 'gathering':
      return paint('dim', words.opening)
    case 'gone':
      return paint('bold', words.goOn)
    case 'editing':
      return ''
    case 'line': {
      const label = lineLabel(mode.purpose, words)
      return `${paint('bold', label)}${tailOf(visible(mode.typed), (columns ?? 80) - widthOfText(label) - 1)}`
    }
  }
}

/** Which keys there are: no key that would only be refused is offered. */
export function offerOf(request: Pick<WireRequest, 'kind' | 'covered'>): 'question' | 'approval' | 'covered' {
  if (request.kind === 'question') return 'question'
  return isForInbox(request) ? 'covered' : 'approval'
}

function lineLabel(purpose: Purpose, words: WatchWords): string {
  switch (purpose.kind) {
    case 'reason':
      return words.reasonPrompt
    case 'answer':
      return words.answerPrompt
    case 'respond':
      return words.respondPrompt
    case 'terminate':
      return words.terminatePrompt
    case 'grant':
      return words.choicePrompt
    case 'yes':
      return purpose.decision.decision === 'edit' ? words.confirmHighRiskEdit : words.typeYes
  }
}

function choicesText(choices: readonly OfferedGrant[], { locale, paint, columns }: ScreenOptions): string {
  const words = watchWords(locale)
  const { matched, example } = requestWords(locale)
  const broken = (text: string) => wrapWords(rendered(text).replaceAll('\n', ' '), columns)
  const lines = choices.flatMap(({ scope, suggestion }, index) => {
    const about = [
      `     ${matched(suggestion.matched)}`,
      ...suggestion.matched.examples.map((each) => `     ${example} ${each}`),
    ]
    return [
      ...broken(`  ${index + 1}) ${words.scopes[scope]}: ${suggestion.words}`),
      // Said once for a width, whatever the scopes.
      ...(choices[index + 1]?.suggestion === suggestion
        ? []
        : about.flatMap(broken).map((line) => paint('dim', line))),
    ]
  })
  return [words.choicesIntro, ...lines].join('\n')
}

function howItWent(request: Extract<WatchOutput, { kind: 'gone' }>['request'], locale: Locale): string {
  const { state, cancelled, yours } = request
  if (state === 'pending') return yours ? watchWords(locale).goneVoted : watchWords(locale).goneNotYours
  const by = sayDeciders(request, locale) ?? (cancelled === undefined ? undefined : visible(cancelled.by))
  const before = sayApprovedBefore(request, locale)
  const notes = [by, before].filter((note) => note !== undefined)
  const told = visible(sayState(state, locale))
  return notes.length === 0 ? told : `${told} (${notes.join('; ')})`
}

const SMALLEST_TAIL = 8

/** The end of what was typed, which is where it is typed on. */
export function tailOf(text: string, columns: number): string {
  const room = Math.max(columns, SMALLEST_TAIL)
  const characters = [...text]
  let used = 0
  let from = characters.length
  while (from > 0 && used + widthOf(characters[from - 1]!) < room) {
    from--
    used += widthOf(characters[from]!)
  }
  return from === 0 ? text : `…${characters.slice(from).join('')}`
}

function widthOfText(text: string): number {
  return [...text].reduce((sum, character) => sum + widthOf(character), 0)
}
