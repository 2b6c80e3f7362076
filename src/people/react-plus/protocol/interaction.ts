/**
 * What a person is asked, in the shape of the protocol's guide: a title, the call, and options of which one is chosen. A
 * question that the agent puts goes the same way, with its choices as options, so that a page that knows only approvals can
 * answer it.
 */
import { contentOf } from '../../../core/call.ts'
import type { DecisionKind } from '../../../core/decision.ts'
import type { JsonObject } from '../../../core/json/json.ts'
import type { KnownTool } from '../../../core/known-tool.ts'
import type { Question } from '../../../core/question.ts'
import { currentTerms, type Request, shownBytes, shownDigest } from '../../../core/request.ts'
import { commandLineOf } from '../../../display/arguments/command-line-of.ts'
import { maskArguments } from '../../../display/masks/mask.ts'
import { sayReason } from '../../../display/reasons/say-reason.ts'
import { renderCall } from '../../../display/render.ts'
import { renderText } from '../../../display/render-text.ts'
import { approvalBounds, sayBounds } from '../../../display/words/approval-bounds.ts'
import type { Deciding } from '../../driver.ts'
import { LIMITS, timeText } from './frame.ts'
import { visibleArguments, visibleLine } from './visible-arguments.ts'
import type { ReactPlusWords } from './words.ts'

/** `TOOL_APPROVAL` is the only one that clients of the original know; they show the others all the same. */
export type InteractionType = 'TOOL_APPROVAL' | 'USER_CHOICE' | 'USER_INPUT'

export interface InteractionOption {
  optionId: string
  label: string
  description: string | null
  action: 'APPROVE_AND_EXECUTE' | 'REJECT_WITH_REASON' | 'TERMINATE' | 'PROVIDE_INFO' | 'SKIP'
  default: boolean
  dangerous: boolean
  /** An input is shown. Whether it may stay empty is in the metadata: nearly always it may. */
  requiresInput: boolean
  inputPrompt: string | null
  metadata: { inputMayBeEmpty?: boolean }
}

export interface Interaction {
  data: JsonObject
  meta: JsonObject
}

export interface InteractionContext {
  /** As the client calls the session. */
  label: string
  words: ReactPlusWords
  now: number
  /** The client has room for long frames: the call is told whole. */
  whole: boolean
  knownTool: Deciding['knownTool']
}

/**
 * The id by which the request is answered. It stands for one digest: after somebody's edit the request has another id here,
 * so that an answer can't approve what its sender has not seen (P3).
 */
function wireIdOf(request: Request): string {
  const digest = shownDigest(request)
  return digest === request.digest ? request.id : `${request.id}.${digest.slice(0, SHOWN_DIGITS)}`
}

/** The request that a client names, and how the digest begins that it was shown; undefined: the first one. */
export function readWireId(id: string): { request: string; digest: string | undefined } {
  const found = EDITED_ID.exec(id)
  return found === null ? { request: id, digest: undefined } : { request: found[1]!, digest: found[2] }
}

const SHOWN_DIGITS = 16
/** For the warnings alone: what is cut here is cut in the arguments too. */
const SHORT_VALUE = 400
const EDITED_ID = /^(.+)\.([0-9a-f]{16})$/

export function interactionOf(request: Request, context: InteractionContext): Interaction {
  const { label, words, now, whole } = context
  const content = contentOf(shownBytes(request))
  const known = context.knownTool(content)
  const { value, shortened } = visibleArguments(content.arguments, whole ? undefined : LIMITS.asked, known)
  const elsewhere = whyElsewhere(request, context)
  const tool = visibleLine(request.tool)
  const isQuestion = request.kind === 'question'
  const questions = request.questions ?? []
  const terms = currentTerms(request)
  const data = {
    requestId: wireIdOf(request),
    sessionId: label,
    type: interactionType(request),
    title: isQuestion ? words.questionTitle : words.approvalTitle,
    message: isQuestion
      ? questions.map(({ question }) => visibleLine(question)).join('\n')
      : words.approvalMessage(tool),
    details: elsewhere ?? (shortened ? words.shortened : null),
    context: {
      toolName: tool,
      toolArgs: value,
      ...commandLine(content.arguments, whole, known),
      ...(isQuestion ? { questions: questions.map(visibleQuestion) } : {}),
    },
    options: optionsOf(request, context).map((option) => ({ ...option })),
    required: true,
    timeoutSeconds:
      request.deadline === null ? null : Math.max(0, Math.ceil((request.deadline - now) / 1000)),
    defaultOptionId: null,
    createdAt: timeText(request.createdAt),
  }
  const { locale } = words
  const rendering = renderCall(content, {
    locale,
    limit: whole ? Number.POSITIVE_INFINITY : SHORT_VALUE,
    known,
  })
  const meta = {
    because: sayReason(request, locale, visibleLine),
    severity: terms.severity,
    warnings: rendering.warnings,
    shortened,
    ...(elsewhere === undefined ? {} : { approvable: false, approveIn: inboxPath(request) }),
    ...(request.deadline === null ? {} : { expiresAt: timeText(request.deadline) }),
    ...(whole ? { text: renderText(rendering, { locale }) } : {}),
  }
  return { data, meta }
}

/** A program and a list of its words: the line that will run. */
function commandLine(args: JsonObject, whole: boolean, known: KnownTool): JsonObject {
  const line = commandLineOf(args, { known, ...(whole ? {} : { limit: LIMITS.told }) })
  return line === undefined ? {} : { commandLine: line }
}

/** Only what the request takes. */
export function optionsOf(
  request: Request,
  context: Pick<InteractionContext, 'words' | 'knownTool'>,
): InteractionOption[] {
  const { words } = context
  const allowed = currentTerms(request).allowedDecisions
  const may = (decision: DecisionKind) => allowed.includes(decision)
  if (request.kind === 'question') {
    const [first, ...more] = request.questions ?? []
    return [
      ...(may('answer') && first !== undefined ? answerOptions(first, more, words) : []),
      ...(may('reject') ? [option('reject', 'SKIP', words.options.decline)] : []),
      ...(may('terminate') ? [option('terminate', 'TERMINATE', words.options.terminate, true)] : []),
    ]
  }
  return [
    ...(may('approve') && whyElsewhere(request, context) === undefined
      ? [option('approve', 'APPROVE_AND_EXECUTE', words.options.approve)]
      : []),
    ...(may('reject') ? [option('reject', 'REJECT_WITH_REASON', words.options.reject)] : []),
    ...(may('terminate') ? [option('terminate', 'TERMINATE', words.options.terminate, true)] : []),
  ]
}

/** A hidden value is approved where it can be uncovered (P9): why, and where; undefined where it can be approved here. */
function whyElsewhere(
  request: Request,
  { words, knownTool }: Pick<InteractionContext, 'words' | 'knownTool'>,
): string | undefined {
  if (request.kind === 'question') return undefined
  const content = contentOf(shownBytes(request))
  const why = sayBounds(approvalBounds(maskArguments(content.arguments, knownTool(content))), words.locale)
  return why === undefined ? undefined : `${why}: ${inboxPath(request)}`
}

function inboxPath({ id }: Request): string {
  return `/#/pending/${id}`
}

/** One click answers one question with one choice; for anything else there is an input. */
function answerOptions(first: Question, more: Question[], words: ReactPlusWords): InteractionOption[] {
  const isChoice = isOneChoice(first, more)
  const choices = isChoice
    ? (first.options ?? []).map(({ label, description }, index) => ({
        ...option(choiceId(index), 'PROVIDE_INFO', {
          label: visibleLine(label),
          description: visibleLine(description ?? ''),
          inputPrompt: null,
        }),
      }))
    : []
  if (isChoice && first.freeText !== true) return choices
  const prompt =
    more.length === 0 && first.options === undefined
      ? visibleLine(first.question)
      : isChoice
        ? words.options.answer.inputPrompt
        : words.answerPrompt([first, ...more].map(questionLine).join(' '))
  const own = option('answer', 'PROVIDE_INFO', { ...words.options.answer, inputPrompt: prompt })
  return [...choices, { ...own, metadata: { inputMayBeEmpty: false } }]
}

function isOneChoice(first: Question, more: readonly Question[]): boolean {
  return more.length === 0 && first.options !== undefined && first.multiSelect !== true
}

export function choiceId(index: number): string {
  return `option-${index + 1}`
}

function option(
  optionId: string,
  action: InteractionOption['action'],
  { label, description, inputPrompt }: ReactPlusWords['options']['approve'],
  dangerous = false,
): InteractionOption {
  return {
    optionId,
    label,
    description: description === '' ? null : description,
    action,
    default: false,
    dangerous,
    requiresInput: inputPrompt !== null,
    inputPrompt,
    metadata: inputPrompt === null ? {} : { inputMayBeEmpty: true },
  }
}

function interactionType({ kind, questions = [] }: Request): InteractionType {
  const [first, ...more] = questions
  if (kind === 'approval' || first === undefined) return 'TOOL_APPROVAL'
  return isOneChoice(first, more) ? 'USER_CHOICE' : 'USER_INPUT'
}

function visibleQuestion({ id, question, header, options, multiSelect, freeText }: Question): JsonObject {
  return {
    id,
    question: visibleLine(question),
    header: header === undefined ? null : visibleLine(header),
    options: (options ?? []).map(({ label, description }) => ({
      label: visibleLine(label),
      description: description === undefined ? null : visibleLine(description),
    })),
    multiSelect: multiSelect === true,
    freeText: options === undefined || freeText === true,
  }
}

function questionLine({ question, options }: Question, index: number): string {
  const choices =
    options === undefined ? '' : ` [${options.map(({ label }) => visibleLine(label)).join(' / ')}]`
  return `${index + 1}) ${visibleLine(question)}${choices}`
}
