/** A request as a terminal shows it: who wants what, the call whole, the agent's own words, why it needs approval, and the details. */

import type { Question, WireRequest } from '../../client/index.ts'
import { approvedBefore } from '../../core/decisions/votes.ts'
import { isHighRisk } from '../../core/verdict.ts'
import { sayDeciders, sayNames } from '../../display/words/deciders.ts'
import { sayDecided } from '../../display/words/decisions.ts'
import { askerName, headlineText } from '../../display/words/headlines.ts'
import { sayOutcome, sayOutcomeSource } from '../../display/words/outcomes.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import { sayState } from '../../display/words/request-states.ts'
import { sayRisk, saySeverity } from '../../display/words/severities.ts'
import { sayCancelCause } from '../../display/words/state-meanings.ts'
import { fitCall, fitToWidth, wrapWords } from './fit-to-width.ts'
import { requestWords, spanText } from './request-words.ts'
import { rendered, visible, visibleLines } from './safe-text.ts'
import type { Paint } from './terminal.ts'

export interface RequestTextOptions {
  locale: Locale
  paint: Paint
  columns: number | undefined
  /** Milliseconds since the epoch. */
  now: number
}

export function requestText(request: WireRequest, options: RequestTextOptions): string {
  const { paint, columns } = options
  const headline = fitToWidth(requestHeadline(request, options.locale), columns)
  const call = fitCall(rendered(request.rendering.text), columns)
  const facts = factsOf(request, options).flatMap((line) => wrapWords(line, columns))
  return [
    ...headline.map((line) => paint('bold', line)),
    headOf(request, options),
    ...[...call, ...facts].map((line) => paintLine(line, paint)),
  ].join('\n')
}

/** Who wants what, and where. */
function requestHeadline(request: WireRequest, locale: Locale) {
  const { tool, cwd, rendering, state } = request
  const who = oneLine(askerName(request))
  const folder = cwd === undefined ? undefined : visible(cwd)
  const isOver = state !== 'pending'
  return headlineText({ who, tool: visible(tool), intent: rendering.intent, folder, isOver }, locale)
}

/** One line for a list. */
export function requestLine(request: WireRequest, { locale, now, columns }: RequestTextOptions): string {
  const words = requestWords(locale)
  const age = spanText(now - Date.parse(request.createdAt), words).padStart(9)
  const severity = isHighRisk(request.severity) ? `  ${saySeverity(request.severity, locale)}` : ''
  const line = `${visible(request.id)}  ${words.ago(age)}${severity}  ${rendered(request.rendering.title).replaceAll('\n', ' ')}${votedBy(request, locale)}`
  return fitToWidth(line, columns).join('\n')
}

/** Behind the call: who decided, or who has approved so far. */
function votedBy(request: WireRequest, locale: Locale): string {
  const words = requestWords(locale)
  const decided = sayDeciders(request, locale)
  const before = approvedBefore(request)
  const parts = [
    ...(decided === undefined || request.decision === undefined
      ? []
      : [words.decidedBy(decided, visible(sayDecided(request.decision.kind, locale, request.kind)))]),
    ...(before.length === 0
      ? []
      : [`${decided === undefined ? words.votes : words.hadApproved} ${sayNames(before, locale)}`]),
  ]
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`
}

export function questionText(question: Question, number: number, count: number, locale: Locale): string[] {
  const words = requestWords(locale)
  const header = question.header === undefined ? '' : ` · ${visible(question.header)}`
  const hints = [
    ...(question.multiSelect === true ? [words.choosesSeveral] : []),
    ...(question.freeText === true && question.options !== undefined ? [words.freeText] : []),
  ]
  return [
    `${words.question(number, count)}${header}${hints.length === 0 ? '' : ` (${hints.join(', ')})`}:`,
    ...bar(question.question),
    ...(question.options ?? []).map(({ label, description }, index) => {
      return `  ${index + 1}) ${visible(label)}${description === undefined ? '' : `: ${visible(description)}`}`
    }),
  ]
}

function headOf(request: WireRequest, { locale, paint, now }: RequestTextOptions): string {
  const words = requestWords(locale)
  const parts = [visible(request.id)]
  if (isHighRisk(request.severity)) parts.push(paint('red', saySeverity(request.severity, locale)))
  parts.push(words.ago(spanText(now - Date.parse(request.createdAt), words)))
  if (request.state === 'pending' && request.expiresAt !== null) {
    const left = Date.parse(request.expiresAt) - now
    parts.push(left > 0 ? words.expiresIn(spanText(left, words)) : paint('yellow', words.overdue))
  }
  return parts.join(paint('dim', ' · '))
}

function factsOf(request: WireRequest, { locale }: RequestTextOptions): string[] {
  const words = requestWords(locale)
  const { agent, decision, outcome, cancelled } = request
  const lines: string[] = []
  if (request.preview !== undefined) lines.push(`${words.agentSays}:`, ...barRendered(request.preview))
  if (request.context !== undefined) lines.push(`${words.agentSays}:`, ...barRendered(request.context))
  if (isHighRisk(request.severity)) {
    const cause = request.risk === undefined ? undefined : oneLine(request.risk.because)
    lines.push(sayRisk(request.severity, cause, locale))
  }
  lines.push(`${words.because}: ${oneLine(request.because)}`)
  const name =
    agent === undefined ? '' : `${[...(agent.parents ?? []), agent.name].map(oneLine).join(' › ')}, `
  lines.push(
    `${words.agent}: ${name}${words.session} ${visible(request.session)}, ${words.submittedBy} ${visible(request.submittedBy)}`,
  )
  // Two rules that want the same people are met by the same ones, and said once.
  const wanted = request.approvers.map(({ approvers, quorum }) => {
    return `${words.approvers}: ${approvers.map(visible).join(', ')} (${words.needed(quorum)})`
  })
  lines.push(...new Set(wanted))
  lines.push(...voteLines(request, locale))
  if (request.edited !== undefined) lines.push(`${words.edited}: ${visible(request.edited.by)}`)
  const { questions = [] } = request
  questions.forEach((question, index) => {
    lines.push(...questionText(question, index + 1, questions.length, locale))
  })
  if (request.state !== 'pending')
    lines.push(`${words.state}: ${visible(sayState(request.state, locale, outcome?.kind))}`)
  if (decision !== undefined) {
    const reason = decision.reason === undefined ? '' : `, ${words.reason}: ${visible(decision.reason)}`
    lines.push(
      `${words.decision}: ${words.decidedBy(sayDeciders(request, locale) ?? '', visible(sayDecided(decision.kind, locale, request.kind)))} (${visible(decision.via)})${reason}`,
    )
  }
  if (cancelled !== undefined) {
    const reason = cancelled.reason === undefined ? '' : ` (${words.reason}: ${oneLine(cancelled.reason)})`
    const cause = visible(sayCancelCause(cancelled.cause, locale))
    lines.push(`${words.cancelledBy(visible(cancelled.by), cause)}${reason}`)
  }
  if (outcome !== undefined) {
    lines.push(
      `${words.outcome}: ${visible(sayOutcome(outcome.kind, locale))}${words.comma}${sayOutcomeSource({ ...request, outcome }, locale)}`,
    )
    if (outcome.summary !== undefined) lines.push(...barRendered(outcome.summary))
  }
  lines.push(`${words.digest}: ${visible(request.digest)}`)
  return lines
}

/** Each vote where there are several, or where something else was decided; the one vote of an approval is the decision. */
function voteLines({ votes, decision, edited, digest }: WireRequest, locale: Locale): string[] {
  const words = requestWords(locale)
  const isApproved = decision?.kind === 'approve' || decision?.kind === 'edit'
  if (votes.length < (isApproved ? 2 : 1)) return []
  const told = votes.map((vote) => {
    const notes = [
      visible(vote.via),
      ...(edited?.by === vote.by && vote.digest === digest ? [words.editedIt] : []),
      ...(vote.reason === undefined ? [] : [`${words.reason}: ${oneLine(vote.reason)}`]),
    ]
    return `  ${visible(vote.by)}, ${visible(vote.at)} (${notes.join(', ')})`
  })
  const label = decision === undefined ? words.votes : isApproved ? words.approvedBy : words.hadApproved
  return [`${label}:`, ...told]
}

/** Somebody else's lines stand behind a bar: none of them can pass for one of ours. */
export function bar(text: string): string[] {
  return barRendered(visibleLines(text))
}

function barRendered(text: string): string[] {
  return rendered(text)
    .split('\n')
    .map((line) => `  │ ${line}`)
}

function oneLine(text: string): string {
  return rendered(text).replaceAll('\n', ' ')
}

/** The brackets are always ours: where they are a text's own, `display` has written them out. */
function paintLine(line: string, paint: Paint): string {
  if (line.startsWith('! ')) return paint('yellow', line)
  return line
    .replace(/⟨[^⟨⟩]*⟩/g, (mark) => paint('magenta', mark))
    .replace(/^ {2}[│┆]/, (mark) => paint('dim', mark))
}
