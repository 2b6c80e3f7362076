/** A person's sessions, and how far one of them is, as a text for a chat. It must stay well below what a message can be. */
import { basename } from 'node:path'
import { type TurnProgress, waitsForAnswer } from '../../../core/progress.ts'
import type { CodingProgress, CodingSession } from '../../../core/secretary.ts'
import { callLine } from '../../../display/sessions/call-lines.ts'
import type { Locale } from '../../../display/words/rendering-words.ts'
import { saySessionState } from '../../../display/words/session-states.ts'
import { sayTurnStatus } from '../../../display/words/turn-statuses.ts'
import { barred, nameOf, quoteLines } from './quote-words.ts'
import { talkWords } from './talk-words.ts'

const MAX_LISTED = 15
const MAX_CALLS = 5
const MAX_SAID = 600
const MAX_ABOUT = 200

export function folderName(folder: string): string {
  return nameOf(basename(folder) || folder)
}

export function saySessions(
  sessions: readonly CodingSession[],
  { current, now, locale }: { current: string | undefined; now: number; locale: Locale },
): string {
  const words = talkWords(locale)
  const lines = sessions.slice(0, MAX_LISTED).map(({ id, folder, state, waitsFor, mode, lastAt, title }) => {
    const about = title === undefined ? [] : [`  “${nameOf(title, 80)}”`]
    const ago = words.ago(Math.max(0, Math.floor((now - lastAt) / 60_000)))
    const listed = words.listed(folderName(folder), id === current, [
      saySessionState(state, locale, waitsFor),
      mode,
      ago,
    ])
    return [`• ${listed}`, ...about, `  ${id}`].join('\n')
  })
  const more = sessions.length - lines.length
  return [words.sessions(sessions.length), ...lines, ...(more > 0 ? [`… +${more}`] : [])].join('\n')
}

export function sayProgress(
  progress: CodingProgress,
  { state, locale }: { state: CodingSession['state']; locale: Locale },
): string {
  const words = talkWords(locale)
  const { folder, mode, turn, elapsedMs, used } = progress
  const head = words.progress.head(
    folderName(folder),
    saySessionState(state, locale, waitsForAnswer(turn?.waiting ?? []) ? 'answer' : undefined),
    mode,
  )
  if (turn === undefined) return `${head}\n${words.progress.nothingYet}`
  const isRunning = progress.state !== 'idle'
  return [
    isRunning ? `${head}${words.progress.elapsed(Math.floor(elapsedMs / 1000))}` : head,
    ...(turn.ended === undefined ? [] : [words.progress.ended(sayTurnStatus(turn.ended.status, locale))]),
    `${words.progress.about}\n${quoteLines(turn.text, MAX_ABOUT)}`,
    words.progress.counts(turn.steps, turn.calls),
    ...(used.costUsd === undefined ? [] : [words.progress.cost(used.costUsd.toFixed(2))]),
    ...waitingLines(turn, words.progress.waiting),
    ...callLines(turn, words.progress.calls),
    ...saidLines(turn, words.progress.said),
  ].join('\n')
}

function waitingLines({ waiting }: TurnProgress, say: (count: number) => string): string[] {
  if (waiting.length === 0) return []
  return [
    say(waiting.length),
    ...waiting.slice(0, MAX_CALLS).map((one) => barred(callLine(one.tool, one.arguments))),
  ]
}

function callLines({ recent }: TurnProgress, head: string): string[] {
  if (recent.length === 0) return []
  return [head, ...recent.slice(-MAX_CALLS).map((one) => barred(callLine(one.tool, one.arguments)))]
}

function saidLines({ said, ended }: TurnProgress, head: string): string[] {
  const text = ended?.text || ended?.reason || said.at(-1) || ''
  return text.trim() === '' ? [] : [head, quoteLines(text, MAX_SAID)]
}
