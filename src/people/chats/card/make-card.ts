/**
 * The card of a request, the same for all services: who wants what, what became of it, the whole action, the agent's own words
 * marked as such, the risk and its cause, the deadline, and every vote. A request that is over keeps its action and loses its
 * buttons. What can't be seen whole can't be approved or answered: then there is no button for that, and a link to the inbox (P9).
 */
import type { Answers } from '../../../core/decision.ts'
import type { Question } from '../../../core/question.ts'
import type { IntentKind } from '../../../core/rendering.ts'
import { currentTerms, isNotReported, type Request, shownContent } from '../../../core/request.ts'
import { isHighRisk } from '../../../core/verdict.ts'
import { sayBounds } from '../../../display/words/approval-bounds.ts'
import { sayApprovedBefore, sayDeciders } from '../../../display/words/deciders.ts'
import { sayDecided, sayDecisionAction } from '../../../display/words/decisions.ts'
import { askerName, headlineText } from '../../../display/words/headlines.ts'
import type { Locale } from '../../../display/words/rendering-words.ts'
import { sayState } from '../../../display/words/request-states.ts'
import { sayPlace } from '../../../display/words/services.ts'
import { sayRisk } from '../../../display/words/severities.ts'
import { sayStateMeaning } from '../../../display/words/state-meanings.ts'
import type { Presentation } from '../../channel.ts'
import type { Deciding } from '../../driver.ts'
import type { ChatLimits } from '../contract.ts'
import { type CallTexts, type CardExtent, callTexts, line, within } from './call-texts.ts'
import type {
  Card,
  CardAction,
  CardButton,
  CardField,
  CardForm,
  CardPart,
  CardTone,
  Mention,
} from './card.ts'
import { choicesOf, questionParts } from './question-parts.ts'
import { type ChatWords, chatWords, timeText } from './words.ts'

export interface CardContext {
  locale: Locale
  limits: Pick<ChatLimits, 'maxButtons' | 'hasForms'>
  knownTool: Deciding['knownTool']
  approvable: Presentation['approvable']
  mentions: readonly Mention[]
  /** Where the request's own page is; undefined where the inbox has no address that others know. */
  inbox: string | undefined
  /** False: a group that the configuration doesn't name sees no arguments. */
  showsAction: boolean
  /** The handle of a button. */
  handleFor(action: CardAction): string
}

/** A group is told of so many approvers: all of them would leave no room for the action. */
const MAX_MENTIONS = { most: 20, least: 5 } as const
const LONGEST_TITLE = 100

export function makeCard(request: Request, extent: CardExtent, context: CardContext): Card {
  const { locale, inbox } = context
  const words = chatWords(locale)
  const texts = callTexts(request, extent, locale, context.knownTool)
  const isPending = request.state === 'pending'
  const answering = isPending ? answersOf(request, extent, context, texts) : NO_ANSWERS
  const isLeast = extent === 'least'
  const title = titleOf(request, texts.intent, context)
  return {
    locale,
    tone: toneOf(request),
    title: isLeast ? within(title, LONGEST_TITLE) : title,
    mentions: isPending ? context.mentions.slice(0, MAX_MENTIONS[isLeast ? 'least' : 'most']) : [],
    parts: [
      ...partsOf(request, extent, context, texts),
      ...answering.notes.map((text): CardPart => ({ kind: 'words', text })),
      { kind: 'words', text: words.request(request.id) },
    ],
    buttons: answering.buttons,
    forms: answering.forms,
    inbox: inbox === undefined ? undefined : { label: words.openInbox, url: inbox },
  }
}

function partsOf(request: Request, extent: CardExtent, context: CardContext, texts: CallTexts): CardPart[] {
  const { locale } = context
  const words = chatWords(locale)
  const waiting = request.state === 'pending' ? waitingParts(request, locale, texts) : []
  if (extent === 'least') return stateParts(request, locale)
  // Nothing that an agent or a person wrote: it may repeat the arguments.
  if (!context.showsAction)
    return [...stateParts(request, locale), { kind: 'words', text: words.actionElsewhere }, ...waiting]
  return [
    ...outcomeParts(request, locale, texts),
    ...actionParts(request, extent, context, texts),
    ...agentParts(request, words, texts),
    ...riskParts(request, locale, texts),
    ...waiting,
  ]
}

/** Who wants what. Where the action isn't shown, neither is its folder. */
function titleOf(request: Request, intent: IntentKind, { locale, showsAction }: CardContext): string {
  const { tool, state } = request
  const cwd = showsAction ? shownContent(request)?.cwd : undefined
  const about = {
    who: line(askerName(request)),
    tool: line(tool),
    intent,
    isOver: state !== 'pending',
  }
  return headlineText({ ...about, folder: cwd === undefined ? undefined : line(cwd) }, locale)
}

function toneOf(request: Request): CardTone {
  switch (request.state) {
    case 'pending':
      return isHighRisk(currentTerms(request).severity) ? 'risky' : 'pending'
    case 'done':
      return request.progress.outcome?.kind === 'error' ? 'over' : 'approved'
    case 'approved':
    case 'running':
    case 'answered':
      return 'approved'
    case 'rejected':
    case 'declined':
    case 'terminated':
      return 'refused'
    default:
      return 'over'
  }
}

function riskParts(request: Request, locale: Locale, { because, risk }: CallTexts): CardPart[] {
  if (request.kind === 'question') return []
  const { severity } = currentTerms(request)
  // Nobody has to weigh it any more.
  if (request.state !== 'pending' && !isHighRisk(severity)) return []
  const cause: CardPart[] = isHighRisk(severity)
    ? [{ kind: 'words', text: sayRisk(severity, risk, locale) }]
    : []
  return [...cause, { kind: 'words', text: because }]
}

function actionParts(
  request: Request,
  extent: CardExtent,
  { locale }: CardContext,
  { action, warnings }: CallTexts,
): CardPart[] {
  const words = chatWords(locale)
  if (request.kind === 'question') return questionParts(request.questions ?? [], extent, words)
  const { edit } = request.progress
  return [
    ...(edit === undefined ? [] : [{ kind: 'words', text: words.edited(line(edit.by)) } as const]),
    ...warnings.map((text): CardPart => ({ kind: 'words', text: `⚠ ${text}` })),
    action === undefined
      ? { kind: 'words', text: words.erased }
      : { kind: 'code', label: actionLabel(request, extent, words), text: action },
  ]
}

function actionLabel({ state }: Request, extent: CardExtent, words: ChatWords): string {
  if (state !== 'pending') return words.actionOver
  return extent === 'whole' ? words.action : words.actionCut
}

function agentParts({ context, preview }: Request, words: ChatWords, { say }: CallTexts): CardPart[] {
  return [preview, context]
    .filter((text) => text !== undefined && text !== '')
    .map((text) => ({ kind: 'quote', label: words.agentSays, text: say(text!) }))
}

function waitingParts(request: Request, locale: Locale, texts: CallTexts): CardPart[] {
  const words = chatWords(locale)
  const { conditions } = currentTerms(request)
  const { votes = [] } = request.progress
  const needed = Math.max(...conditions.map(({ quorum }) => quorum))
  return [
    {
      kind: 'words',
      text: request.deadline === null ? words.noDeadline : words.deadline(timeText(request.deadline)),
    },
    ...(needed > 1 ? [{ kind: 'words', text: words.needed(needed, votes.length) } as const] : []),
    ...voteParts(request, locale, texts),
  ]
}

/** Every one of them (P10), with what was said with it. */
function voteParts({ progress }: Request, locale: Locale, { say }: CallTexts): CardPart[] {
  const words = chatWords(locale)
  const { votes = [], decision } = progress
  const listed = votes.length > (decision?.kind === 'approve' ? 1 : 0) ? votes : []
  return [
    ...listed.map(
      ({ by, at, via }): CardPart => ({
        kind: 'words',
        text: `• ${words.vote(line(by), timeText(at), line(sayPlace(via, locale)))}`,
      }),
    ),
    ...votes.flatMap(({ by, reason }): CardPart[] =>
      reason === undefined || reason === decision?.reason
        ? []
        : [{ kind: 'quote', label: words.comment(line(by)), text: say(reason) }],
    ),
  ]
}

/** What became of it, and by whom. */
function stateParts(request: Request, locale: Locale): CardPart[] {
  const { state, kind, progress } = request
  const words = chatWords(locale)
  const { decision, cancelled, outcome } = progress
  if (state === 'pending') return []
  const notReported = isNotReported(request)
  const meaning = sayStateMeaning(
    { state, kind, notReported, ...(cancelled && { cancelled }), ...(decision && { decision }) },
    locale,
  )
  const said = sayState(state, locale, outcome?.kind)
  const parts: CardPart[] = [{ kind: 'words', text: words.state(said, meaning) }]
  if (decision !== undefined) {
    const by = within(sayDeciders(progress, locale) ?? line(decision.by))
    const decided = sayDecided(decision.kind, locale, kind)
    const via = line(sayPlace(decision.via, locale))
    parts.push({ kind: 'words', text: words.decided(by, decided, timeText(decision.at), via) })
  }
  return parts
}

function outcomeParts(request: Request, locale: Locale, texts: CallTexts): CardPart[] {
  const words = chatWords(locale)
  const { say } = texts
  const { state, progress } = request
  const { decision, cancelled, stop, outcome } = progress
  if (state === 'pending') return []
  const parts = stateParts(request, locale)
  const before = sayApprovedBefore({ ...progress, state }, locale)
  if (before !== undefined) parts.push({ kind: 'words', text: before })
  parts.push(...voteParts(request, locale, texts))
  if (decision?.reason !== undefined)
    parts.push({ kind: 'quote', label: words.reason, text: say(decision.reason) })
  if (decision?.text !== undefined)
    parts.push({ kind: 'quote', label: words.comment(line(decision.by)), text: say(decision.text) })
  if (decision?.answers !== undefined) parts.push(...answerParts(request, decision.answers, words, say))
  if (cancelled !== undefined) {
    parts.push({ kind: 'words', text: words.cancelledBy(line(cancelled.by)) })
    if (cancelled.reason !== undefined)
      parts.push({ kind: 'quote', label: words.reason, text: say(cancelled.reason) })
  }
  if (stop !== undefined) parts.push({ kind: 'words', text: words.stopped(line(stop.by)) })
  // The state says how it ended.
  if (outcome?.summary !== undefined)
    parts.push({ kind: 'quote', label: words.reported(line(outcome.by)), text: say(outcome.summary) })
  return parts
}

function answerParts(
  { questions = [] }: Request,
  answers: Answers,
  words: ChatWords,
  say: (text: string) => string,
): CardPart[] {
  return questions.flatMap(({ id, question }): CardPart[] => {
    if (!Object.hasOwn(answers, id)) return []
    const { choices = [], text } = answers[id]!
    const given = [...choices.map(line), ...(text === undefined ? [] : [say(text)])].join(', ')
    return [{ kind: 'quote', label: words.answer(line(question)), text: given }]
  })
}

interface CardAnswers {
  buttons: CardButton[][]
  forms: CardForm[]
  notes: string[]
}

const NO_ANSWERS: CardAnswers = { buttons: [], forms: [], notes: [] }

function answersOf(
  request: Request,
  extent: CardExtent,
  context: CardContext,
  texts: CallTexts,
): CardAnswers {
  return request.kind === 'question'
    ? questionAnswers(request, extent, context)
    : approvalAnswers(request, extent, context, texts)
}

function approvalAnswers(
  request: Request,
  extent: CardExtent,
  { locale, limits, approvable, showsAction, handleFor }: CardContext,
  { action }: CallTexts,
): CardAnswers {
  const words = chatWords(locale)
  const { allowedDecisions } = currentTerms(request)
  const isWhole = extent === 'whole' && action !== undefined && showsAction
  const mayApprove = allowedDecisions.includes('approve') && approvable.here && isWhole
  const mayReject = allowedDecisions.includes('reject')
  const mayReason = mayReject && request.carriesNoReason !== true
  const why = approvable.here ? undefined : (sayBounds(approvable.bounds, locale) ?? words.notHere)
  const form: CardForm | undefined =
    mayReason && limits.hasForms
      ? {
          fields: [{ name: 'reason', label: words.giveReason, isRequired: true }],
          submit: button(words.rejectWithReason, 'danger', handleFor({ kind: 'reject' })),
        }
      : undefined
  const first = [
    ...(mayApprove
      ? [button(sayDecisionAction('approve', locale), 'primary', handleFor({ kind: 'approve' }))]
      : []),
    ...(mayReject
      ? [button(sayDecisionAction('reject', locale), 'danger', handleFor({ kind: 'reject' }))]
      : []),
  ]
  const second =
    mayReason && !limits.hasForms
      ? [button(words.rejectWithReason, 'default', handleFor({ kind: 'ask_reason' }))]
      : []
  return {
    buttons: [first, second].filter((row) => row.length > 0),
    forms: form === undefined ? [] : [form],
    notes: why !== undefined ? [why] : extent === 'whole' || !showsAction ? [] : [words.tooLong],
  }
}

function questionAnswers(request: Request, extent: CardExtent, context: CardContext): CardAnswers {
  const { locale, limits, handleFor, showsAction } = context
  const words = chatWords(locale)
  const { allowedDecisions } = currentTerms(request)
  const questions = request.questions ?? []
  const [first] = questions
  const decline = allowedDecisions.includes('reject')
    ? [[button(sayDecisionAction('reject', locale, 'question'), 'default', handleFor({ kind: 'reject' }))]]
    : []
  const isWhole = extent === 'whole' && showsAction
  if (!allowedDecisions.includes('answer') || first === undefined || !isWhole)
    return { buttons: decline, forms: [], notes: [words.notAnswerable] }
  const { options = [] } = first
  const isChoice = questions.length === 1 && first.multiSelect !== true && options.length > 0
  if (isChoice && options.length < limits.maxButtons) {
    const choices = choicesOf(options).map((label, choice) => [
      button(label, 'default', handleFor({ kind: 'choose', choice })),
    ])
    const notes = first.freeText === true ? [words.replyToAnswer] : []
    return { buttons: [...choices, ...decline], forms: [], notes }
  }
  if (limits.hasForms) {
    const submit = button(words.submit, 'primary', handleFor({ kind: 'answer' }))
    const fields = questions.flatMap((question, index) => fieldsOf(question, index, words))
    return { buttons: decline, forms: [{ fields, submit }], notes: [] }
  }
  const isText = questions.length === 1 && (first.options === undefined || first.freeText === true)
  if (isText) handleFor({ kind: 'reply' })
  return { buttons: decline, forms: [], notes: [isText ? words.replyToAnswer : words.notAnswerable] }
}

function fieldsOf(
  { question, options, multiSelect, freeText }: Question,
  index: number,
  words: ChatWords,
): CardField[] {
  const label = line(question)
  const own = { name: `q${index}_text`, label: options === undefined ? label : words.ownAnswer(label) }
  if (options === undefined) return [{ ...own, isRequired: true }]
  const chosen = {
    name: `q${index}`,
    label,
    isRequired: freeText !== true,
    options: choicesOf(options),
    isMultiple: multiSelect === true,
  }
  return freeText === true ? [chosen, { ...own, isRequired: false }] : [chosen]
}

function button(label: string, style: CardButton['style'], handle: string): CardButton {
  return { label, style, handle }
}
