/**
 * The part of a request on the wire that is the same for everybody who reads it: masked, with hidden characters visible.
 * True values of masked arguments, commitment keys and claim keys never pass here (P9). What agents say of themselves or
 * of a call is made visible too, since only people read it.
 *
 * It depends on the request, the policy in force (its catalogue says what is masked), the language and the extent, and on
 * nothing else: it is kept and sent to many readers. What depends on the reader is added by `request-to-wire.ts`.
 */
import { DEFAULT_APPROVERS } from '../../core/authority.ts'
import { type CallContent, contentOf } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import {
  currentTerms,
  isNotReported,
  type Progress,
  type Request,
  shownBytes,
  shownContent,
  shownDigest,
} from '../../core/request.ts'
import { createQuotes, createSecretCover } from '../../display/arguments/quote-arguments.ts'
import { summarizeForJournal } from '../../display/arguments/summarize-for-journal.ts'
import { type Mask, type MaskedArguments, maskArguments, maskedIn } from '../../display/masks/mask.ts'
import { sayReason } from '../../display/reasons/say-reason.ts'
import type { ShowText } from '../../display/reasons/show-reason.ts'
import { renderCall } from '../../display/render.ts'
import { renderText } from '../../display/render-text.ts'
import type { Rendering } from '../../display/rendering.ts'
import { approvalBounds, sayBounds } from '../../display/words/approval-bounds.ts'
import { sayEarlierCall } from '../../display/words/earlier-call.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { WireMask, WireRendering, WireRequest } from '../../wire/types/request.ts'
import { decisionOrVoteToWire, outcomeToWire } from './decision-to-wire.ts'
import { becauseToWire, reasonToWire } from './reason-to-wire.ts'
import { maskedReason, renderLine, renderLines, withShownReason } from './shown-words.ts'
import { toTime } from './time-to-wire.ts'
import { yieldBeforeLargeCall } from './yield-to-requests.ts'

/**
 * `whole` for a request that is asked for alone. In lists and events long arguments are cut, with marks: a page of two
 * hundred calls with a megabyte each would fill the memory of both sides. `brief` has neither arguments nor the text of the
 * rendering, for lists of which one is opened at a time.
 */
export type Extent = 'whole' | 'cut' | 'brief'

export function extentOf(brief: 'true' | 'false' | undefined): Extent {
  return brief === 'true' ? 'brief' : 'cut'
}

export interface RenderedRequest {
  request: Omit<WireRequest, 'covered' | 'yours'>
  /** Present where a hidden value bounds how the pending request can be approved, whoever reads. */
  covered?: Omit<NonNullable<WireRequest['covered']>, 'uncovered'>
}

/** What masks a call: the catalogue of the policy in force. */
export type KnownTools = Pick<Gateway, 'knownTool'>

export interface RequestRenderOptions {
  locale: Locale
  extent: Extent
}

const LONG_BYTES = 64 * 1024
const CUT_ARGUMENTS = 16 * 1024
const CUT_VALUE = 400

export async function renderRequest(
  gateway: KnownTools,
  request: Request,
  { locale, extent }: RequestRenderOptions,
  shown?: MaskedCall,
): Promise<RenderedRequest> {
  await yieldBeforeLargeCall(request)
  const call = shown ?? maskedCall(gateway, shownContent(request))
  const { progress, kind, state, version } = request
  const terms = currentTerms(request)
  const reasons = reasonsOf(call, locale)
  const showAsked = showAskedBy(gateway, request, call, locale)
  const members =
    call === undefined ? erasedCall(request, locale) : shownCall(call, request, { locale, extent })
  return {
    request: {
      id: request.id,
      kind,
      state,
      version,
      digest: shownDigest(request),
      tool: request.tool,
      ...withSameCall(members, request, locale),
      session: request.session,
      callId: request.callId,
      ...(request.agent === undefined
        ? {}
        : {
            agent: {
              name: renderLine(request.agent.name),
              parents: (request.agent.parents ?? []).map(renderLine),
            },
          }),
      ...defined({ origin: request.origin }),
      ...(request.context === undefined ? {} : { context: renderLines(request.context) }),
      ...(request.preview === undefined ? {} : { preview: renderLines(request.preview) }),
      ...becauseToWire(request, locale, showAsked),
      rules: terms.conditions.map((condition) => condition.rule),
      severity: terms.severity,
      ...(terms.risk === undefined ? {} : { risk: reasonToWire(terms.risk, locale, showAsked) }),
      allowedDecisions: [...terms.allowedDecisions],
      scopes: [...terms.scopes],
      approvers: terms.conditions.map(({ rule, approvers, quorum }) => ({
        rule,
        approvers: [...(approvers ?? DEFAULT_APPROVERS)],
        quorum,
      })),
      votes: (progress.votes ?? []).map((vote) => decisionOrVoteToWire(vote, reasons)),
      ...defined({ questions: request.questions }),
      submittedBy: request.submittedBy,
      ...defined({ follows: request.predecessor?.id }),
      ...(request.carriesNoReason === undefined ? {} : { carriesNoReason: true }),
      createdAt: toTime(request.createdAt),
      expiresAt: request.deadline === null ? null : toTime(request.deadline),
      ...(progress.decision === undefined
        ? {}
        : { decision: decisionOrVoteToWire(progress.decision, reasons) }),
      ...(progress.edit === undefined
        ? {}
        : { edited: { by: progress.edit.by, digest: progress.edit.digest } }),
      ...(progress.cancelled === undefined
        ? {}
        : { cancelled: cancelledToWire(progress.cancelled, locale, reasons) }),
      ...(progress.stop === undefined ? {} : { stop: withShownReason(progress.stop, reasons) }),
      ...(isNotReported(request) ? { notReported: true } : {}),
      ...(progress.outcome === undefined ? {} : { outcome: outcomeToWire(progress.outcome, reasons) }),
    },
    ...coveredOf(request, call, locale),
  }
}

function cancelledToWire(
  { why, ...cancelled }: NonNullable<Progress['cancelled']>,
  locale: Locale,
  show: ShowText,
): NonNullable<WireRequest['cancelled']> {
  if (why === undefined) return withShownReason(cancelled, show)
  return { ...cancelled, reason: sayReason({ because: cancelled.reason ?? '', reason: why }, locale, show) }
}

/** What a request is about, with its masks. */
export interface MaskedCall {
  content: CallContent
  masked: MaskedArguments
}

export function maskedCall(gateway: KnownTools, content: CallContent): MaskedCall
export function maskedCall(gateway: KnownTools, content: CallContent | undefined): MaskedCall | undefined
export function maskedCall(gateway: KnownTools, content: CallContent | undefined): MaskedCall | undefined {
  if (content === undefined) return undefined
  return { content, masked: maskArguments(content.arguments, gateway.knownTool(content)) }
}

/** A person may quote the call. */
function reasonsOf(call: MaskedCall | undefined, locale: Locale): (words: string) => string {
  if (call === undefined) return maskedReason
  const cover = createSecretCover(maskedIn(call.masked, locale))
  return (words) => cover(words, maskedReason)
}

/** Only what is pending can be approved. */
function coveredOf(
  { state, kind }: Request,
  call: MaskedCall | undefined,
  locale: Locale,
): Pick<RenderedRequest, 'covered'> {
  if (state !== 'pending' || kind === 'question' || call === undefined) return {}
  const bounds = approvalBounds(call.masked)
  const because = sayBounds(bounds, locale)
  return because === undefined ? {} : { covered: { uncover: bounds.uncover, because } }
}

/** Reasons may quote the call as it was asked. */
function showAskedBy(
  gateway: KnownTools,
  { bytes, progress }: Request,
  call: MaskedCall | undefined,
  locale: Locale,
): ShowText {
  const asked = progress.edit === undefined || bytes === '' ? call : maskedCall(gateway, contentOf(bytes))
  if (asked === undefined) return renderLine
  const quotes = createQuotes(maskedIn(asked.masked, locale))
  return (text) => quotes(text, Number.POSITIVE_INFINITY)
}

type ShownCallMembers = Pick<
  WireRequest,
  'arguments' | 'masks' | 'erased' | 'shortened' | 'cwd' | 'rendering'
>

function withSameCall(shown: ShownCallMembers, { sameCall }: Request, locale: Locale): ShownCallMembers {
  if (sameCall === undefined) return shown
  const warnings = [sayEarlierCall(sameCall, locale), ...shown.rendering.warnings]
  return { ...shown, rendering: { ...shown.rendering, warnings } }
}

function erasedCall({ tool }: Request, locale: Locale): ShownCallMembers {
  const rendering = renderingToWire(renderCall({ tool, arguments: {} }, { locale }), locale)
  const warnings = [...rendering.warnings, ERASED[locale]]
  return { arguments: {}, masks: [], erased: true, rendering: { ...rendering, warnings } }
}

function shownCall(
  { content, masked }: MaskedCall,
  request: Request,
  { locale, extent }: RequestRenderOptions,
): ShownCallMembers {
  const isCut = extent !== 'whole' && shownBytes(request).length > LONG_BYTES
  const { known, value, masks } = masked
  const rendering = renderCall(content, { locale, known, masked, limit: isCut ? CUT_VALUE : undefined })
  if (extent === 'brief') {
    const { title, intent, summary, warnings, isShortened } = rendering
    return {
      arguments: {},
      masks: [],
      shortened: true,
      ...defined({ cwd: content.cwd }),
      rendering: { title, intent, summary, text: '', warnings, ...defined({ isShortened }) },
    }
  }
  return {
    arguments: isCut ? summarizeForJournal(masked, CUT_ARGUMENTS) : value,
    masks: masks.map(maskToWire),
    ...(isCut ? { shortened: true } : {}),
    ...defined({ cwd: content.cwd }),
    rendering: renderingToWire(rendering, locale),
  }
}

const ERASED: Readonly<Record<Locale, string>> = {
  en: 'The arguments were erased after their retention time',
  zh: '参数已在保留期满后删除',
}

function maskToWire({ pointer, kind, length, name, mustUncover }: Mask): WireMask {
  return { pointer, kind, length, ...defined({ name, mustUncover }) }
}

function renderingToWire(rendering: Rendering, locale: Locale): WireRendering {
  const { title, intent, summary, warnings, isShortened } = rendering
  const text = renderText(rendering, { locale })
  return { title, intent, summary, warnings, text, ...defined({ isShortened }) }
}
