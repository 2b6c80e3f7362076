/**
 * A request as it goes over the wire: masked, with hidden characters visible, and with what the reader may do. True
 * values of masked arguments, commitment keys and claim keys never pass here (P9). What agents say of themselves or of
 * a call is made visible too, since it is only ever read by people.
 */

import { DEFAULT_APPROVERS } from '../../core/authority.ts'
import { type CallContent, contentOf } from '../../core/call.ts'
import type { GrantTerms } from '../../core/decision.ts'
import { defined } from '../../core/defined.ts'
import {
  currentTerms,
  type Outcome,
  type Request,
  shownBytes,
  shownContent,
  shownDigest,
} from '../../core/request.ts'
import { durationText } from '../../core/time/duration.ts'
import { createSecretCover } from '../../display/arguments/quote-arguments.ts'
import {
  createQuotes,
  type Mask,
  type MaskedArguments,
  makeVisible,
  maskArguments,
  type Rendering,
  renderCall,
  renderText,
  sayBounds,
  summarizeForJournal,
} from '../../display/index.ts'
import { createTextMasks } from '../../display/masks/mask-text.ts'
import { sayEarlierCall } from '../../display/words/earlier-call.ts'
import { sayBecause } from '../../display/words/say-because.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import type { WireMask } from '../../wire/types/mask.ts'
import type { WireGrantTerms, WireRendering, WireRequest, WithIsoTime } from '../../wire/types/request.ts'
import type { Caller } from '../access/authentication.ts'
import { yieldBeforeLargeCall } from './yield-to-requests.ts'

export type Viewer = Pick<Caller, 'actor' | 'locale'>

/**
 * `whole` for a request that is asked for alone. In lists and events long arguments are cut, with marks: a page of two
 * hundred calls with a megabyte each would fill the memory of both sides. `brief` has neither arguments nor the text of the
 * rendering, for lists of which one is opened at a time.
 */
export type Extent = 'whole' | 'cut' | 'brief'

export function extentOf(brief: 'true' | 'false' | undefined): Extent {
  return brief === 'true' ? 'brief' : 'cut'
}

const LONG_BYTES = 64 * 1024
const CUT_ARGUMENTS = 16 * 1024
const CUT_VALUE = 400

export async function requestToWire(
  gateway: Gateway,
  request: Request,
  reader: Viewer,
  extent: Extent,
  shown: MaskedCall | undefined = maskedCall(gateway, shownContent(request)),
): Promise<WireRequest> {
  await yieldBeforeLargeCall(request)
  const { progress, kind, state, version } = request
  const terms = currentTerms(request)
  const reasons = reasonsOf(shown)
  const yours = state === 'pending' && (await gateway.mayDecide(request, reader.actor))
  return {
    id: request.id,
    kind,
    state,
    version,
    digest: shownDigest(request),
    tool: request.tool,
    ...withSameCall(
      shown === undefined
        ? erasedCall(request, reader)
        : shownCall(shown, reader, extent, shownBytes(request).length > LONG_BYTES),
      request,
      reader,
    ),
    ...coveredOf(gateway, request, shown, reader),
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
    because: becauseOf(gateway, request, shown, reader.locale),
    rules: terms.conditions.map((condition) => condition.rule),
    severity: terms.severity,
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
    ...(progress.cancelled === undefined ? {} : { cancelled: withShownReason(progress.cancelled, reasons) }),
    ...(progress.stop === undefined ? {} : { stop: withShownReason(progress.stop, reasons) }),
    ...(progress.outcome === undefined ? {} : { outcome: outcomeToWire(progress.outcome, reasons) }),
    yours,
  }
}

/** What a request is about, with its masks. */
export interface MaskedCall {
  content: CallContent
  masked: MaskedArguments
}

export function maskedCall(gateway: Gateway, content: CallContent): MaskedCall
export function maskedCall(gateway: Gateway, content: CallContent | undefined): MaskedCall | undefined
export function maskedCall(gateway: Gateway, content: CallContent | undefined): MaskedCall | undefined {
  if (content === undefined) return undefined
  return { content, masked: maskArguments(content.arguments, gateway.knownTool(content)) }
}

export function maskedReason(words: string): string {
  return createTextMasks()(words)
}

/** A person may quote the call. */
function reasonsOf(shown: MaskedCall | undefined): (words: string) => string {
  if (shown === undefined) return maskedReason
  const cover = createSecretCover(shown.masked)
  return (words) => cover(words, maskedReason)
}

/** Only what is pending can be approved. */
function coveredOf(
  gateway: Gateway,
  request: Request,
  shown: MaskedCall | undefined,
  { actor, locale }: Viewer,
): Pick<WireRequest, 'covered'> {
  if (request.state !== 'pending') return {}
  const { uncover, uncovered, inChat } = gateway.bounds(request, actor, shown?.masked)
  if (inChat) return {}
  return { covered: { uncover, uncovered, because: sayBounds({ uncover, inChat }, locale)! } }
}

/** It may quote the call as it was asked. */
function becauseOf(
  gateway: Gateway,
  request: Request,
  shown: MaskedCall | undefined,
  locale: Viewer['locale'],
): string {
  const { because, tool, bytes, progress } = request
  const said = sayBecause({ because, tool, rule: firstRule(request) }, locale)
  const asked = progress.edit === undefined || bytes === '' ? shown : maskedCall(gateway, contentOf(bytes))
  return asked === undefined ? renderLine(said) : createQuotes(asked.masked)(said, Number.POSITIVE_INFINITY)
}

/** As the sentence names it: an edit may have others, and the sentence is of the call as it was asked. */
function firstRule({ terms }: Request): string | undefined {
  return terms.conditions[0]?.rule
}

function told<T extends { at: number }>(what: T): WithIsoTime<T> {
  return { ...what, at: toTime(what.at) }
}

export function outcomeToWire(
  { said: _, ...outcome }: Outcome,
  shown: (words: string) => string = maskedReason,
): WithIsoTime<Omit<Outcome, 'said'>> {
  const { summary } = outcome
  return told(summary === undefined ? outcome : { ...outcome, summary: shown(summary) })
}

/**
 * A vote or a decision. A reason is shown to people and handed to agents, so it is made visible like all that is shown, and
 * a secret in it stands as its mask.
 */
export function decisionOrVoteToWire<T extends { at: number; reason?: string; grant?: GrantTerms }>(
  { grant, ...said }: T,
  shown: (words: string) => string = maskedReason,
) {
  const { reason } = said
  return {
    ...told(said),
    ...(reason === undefined ? {} : { reason: shown(reason) }),
    ...(grant === undefined ? {} : { grant: grantTermsToWire(grant) }),
  }
}

function grantTermsToWire({ expiresInMs, ...terms }: GrantTerms): WireGrantTerms {
  return { ...terms, ...(expiresInMs === undefined ? {} : { expiresIn: durationText(expiresInMs) }) }
}

export function toTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

type ShownCallMembers = Pick<
  WireRequest,
  'arguments' | 'masks' | 'erased' | 'shortened' | 'cwd' | 'rendering'
>

function withSameCall(shown: ShownCallMembers, { sameCall }: Request, { locale }: Viewer): ShownCallMembers {
  if (sameCall === undefined) return shown
  const warnings = [sayEarlierCall(sameCall, locale), ...shown.rendering.warnings]
  return { ...shown, rendering: { ...shown.rendering, warnings } }
}

function erasedCall({ tool }: Request, { locale }: Viewer): ShownCallMembers {
  const rendering = render(renderCall({ tool, arguments: {} }, { locale }), locale)
  const warnings = [...rendering.warnings, ERASED[locale]]
  return { arguments: {}, masks: [], erased: true, rendering: { ...rendering, warnings } }
}

function shownCall(
  { content, masked }: MaskedCall,
  { locale }: Viewer,
  extent: Extent,
  isLong: boolean,
): ShownCallMembers {
  const isCut = extent !== 'whole' && isLong
  const { known, value, masks } = masked
  const rendering = renderCall(content, { locale, known, masked, limit: isCut ? CUT_VALUE : undefined })
  if (extent === 'brief') {
    const { title, summary, warnings } = rendering
    return {
      arguments: {},
      masks: [],
      shortened: true,
      ...defined({ cwd: content.cwd }),
      rendering: { title, summary, text: '', warnings },
    }
  }
  return {
    arguments: isCut ? summarizeForJournal(masked, CUT_ARGUMENTS) : value,
    masks: masks.map(maskToWire),
    ...(isCut ? { shortened: true } : {}),
    ...defined({ cwd: content.cwd }),
    rendering: render(rendering, locale),
  }
}

const ERASED: Readonly<Record<Viewer['locale'], string>> = {
  en: 'The arguments were erased after their retention time',
  zh: '参数已在保留期满后删除',
}

function maskToWire({ pointer, kind, length, name, mustUncover }: Mask): WireMask {
  return {
    pointer,
    kind,
    length,
    ...defined({ name, mustUncover }),
  }
}

function render(rendering: Rendering, locale: Viewer['locale']): WireRendering {
  const { title, summary, warnings } = rendering
  return { title, summary, warnings, text: renderText(rendering, { locale }) }
}

export function renderLine(text: string): string {
  return makeVisible(text).text
}

export function renderLines(text: string): string {
  return makeVisible(text, { lines: 'keep' }).text
}

export function withShownReason<T extends { reason?: string }>(
  value: T,
  shown: (words: string) => string = maskedReason,
): T {
  return value.reason === undefined ? value : { ...value, reason: shown(value.reason) }
}
