/** Sessions as a terminal shows them. What a session said stands behind a bar: nothing of it can look like a line of ours (P9). */
import { basename } from 'node:path'
import type { WireProgress, WireSessionRow } from '../../client/index.ts'
import { waitsForAnswer } from '../../core/progress.ts'
import { QUESTION_TOOL } from '../../core/question.ts'
import { saySessionState } from '../../display/words/session-states.ts'
import { sayTurnStatus } from '../../display/words/turn-statuses.ts'
import { chatWords } from '../chat/chat-words.ts'
import { fitToWidth, wrapWords } from '../output/fit-to-width.ts'
import type { RequestTextOptions } from '../output/request-text.ts'
import { requestWords, spanText } from '../output/request-words.ts'
import { rendered, visible, visibleLines } from '../output/safe-text.ts'
import { sessionWords } from './session-words.ts'

/** Longer messages are cut: whoever sent them knows them. */
const MESSAGE_CHARACTERS = 200
const TITLE_CHARACTERS = 50
const MOST_LINES = 12

/** One line for a list. */
export function sessionLine(row: WireSessionRow, { locale, columns, now }: RequestTextOptions): string {
  const words = sessionWords(locale)
  const { ago } = requestWords(locale)
  const { coding } = row
  const parts = [
    // Our word first: a title can't pass for a line of ours.
    coding === undefined ? '' : saySessionState(coding.state, locale, coding.waitsFor),
    cut(row.title === undefined ? words.nothingSaid : rendered(row.title), TITLE_CHARACTERS),
    ago(spanText(now - Date.parse(row.lastAt), requestWords(locale))),
    ...(coding === undefined ? [] : [basename(rendered(coding.folder))]),
    ...(row.mode === undefined || row.mode === 'default' ? [] : [words.mode(visible(row.mode))]),
    visible(row.owner),
    visible(row.id),
  ]
  return fitToWidth(parts.filter((part) => part !== '').join('  '), columns).join('\n')
}

export function progressText(progress: WireProgress, options: RequestTextOptions): string {
  const { locale, columns, paint } = options
  const words = sessionWords(locale)
  const { turn, state, elapsedMs = 0 } = progress
  const head = [
    visible(progress.session),
    saySessionState(state, locale, waitsForAnswer(turn?.waiting ?? []) ? 'answer' : undefined),
    ...(elapsedMs === 0 ? [] : [words.begun(spanText(elapsedMs, requestWords(locale)))]),
    ...(progress.mode === undefined ? [] : [words.mode(visible(progress.mode))]),
  ]
  const facts = [
    ...(progress.folder === undefined ? [] : [words.folder(rendered(progress.folder))]),
    ...usedLines(progress, options),
    ...(turn === undefined ? [words.nothingSaid] : turnLines(turn, options)),
  ]
  return [paint('bold', head.join('  ')), ...facts.flatMap((line) => wrapWords(line, columns))].join('\n')
}

function turnLines(turn: NonNullable<WireProgress['turn']>, { locale }: RequestTextOptions): string[] {
  const words = sessionWords(locale)
  const { text, by, calls, recent, said, waiting, ended } = turn
  const lines = [words.message(visible(by), cut(visible(text), MESSAGE_CHARACTERS))]
  if (calls > 0) {
    lines.push(words.calls(calls))
    for (const call of recent)
      lines.push(`  │ ${rendered(call.summary).replaceAll('\n', ' ')}  (${words.callStates[call.state]})`)
  }
  // The last words are told with the end.
  const spoken = ended === undefined ? said.join('\n') : ended.text
  if (ended !== undefined)
    lines.push(
      `${words.ended(sayTurnStatus(ended.status, locale))}${ended.reason === undefined ? '' : `: ${rendered(ended.reason).replaceAll('\n', ' ')}`}`,
    )
  if (spoken.trim() !== '') lines.push(words.itsWords, ...barred(spoken, locale))
  for (const { request, tool, summary } of waiting) {
    const asked = {
      summary: rendered(summary).replaceAll('\n', ' '),
      id: visible(request),
      isQuestion: tool === QUESTION_TOOL,
    }
    lines.push(chatWords(locale).answerElsewhere(asked, undefined))
  }
  return lines
}

function usedLines({ used, limits }: WireProgress, { locale }: RequestTextOptions): string[] {
  if (used === undefined) return []
  const words = sessionWords(locale)
  const span = (ms: number) => spanText(ms, requestWords(locale))
  const { turns, workedMs, costUsd } = used
  const cost = costUsd === undefined ? undefined : words.of(costUsd.toFixed(2), limits?.costUsd?.toFixed(2))
  const ofTurns = words.of(String(turns), limits?.turns === undefined ? undefined : String(limits.turns))
  const ofTime = words.of(span(workedMs), limits?.workedMs === undefined ? undefined : span(limits.workedMs))
  return [words.used({ turns: ofTurns, isOne: (limits?.turns ?? turns) === 1, time: ofTime, cost })]
}

/** Words of a session, the newest lines where there are many. */
function barred(text: string, locale: RequestTextOptions['locale']): string[] {
  const lines = visibleLines(text.trim()).split('\n')
  const left = lines.length - MOST_LINES
  const shown = lines.slice(-MOST_LINES).map((line) => `  │ ${line.replaceAll('\t', '    ')}`)
  return left > 0 ? [`  │ ${chatWords(locale).moreLines(left)}`, ...shown] : shown
}

function cut(text: string, most: number): string {
  const characters = [...text.replaceAll('\n', ' ')]
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : characters.join('')
}
