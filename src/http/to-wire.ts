/**
 * A request as it goes over the wire: masked, with hidden characters visible, and with what the reader may do. True
 * values of masked arguments, commitment keys and claim keys never pass here (P9). What agents say of themselves or of
 * a call is made visible too, since it is only ever read by people.
 */

import { DEFAULT_APPROVERS } from '../core/authority.ts'
import { type CallContent, contentOf } from '../core/call.ts'
import type { GrantTerms } from '../core/decision.ts'
import { defined } from '../core/defined.ts'
import { durationText } from '../core/duration.ts'
import {
  currentTerms,
  type Outcome,
  type Request,
  shownBytes,
  shownContent,
  shownDigest,
} from '../core/request.ts'
import type { Told, WireGrantTerms, WireRendering, WireRequest } from '../core/wire.ts'
import type { WireMask } from '../core/wire-mask.ts'
import { sayBecause } from '../display/because.ts'
import { sayEarlierCall } from '../display/earlier-call.ts'
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
} from '../display/index.ts'
import { createTextMasks } from '../display/mask-text.ts'
import { createCover } from '../display/quote-arguments.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Caller } from './authentication.ts'
import { giveWayBefore } from './give-way.ts'

export type Reader = Pick<Caller, 'actor' | 'locale'>

/**
 * `whole` for a request that is asked for alone. In lists and events long arguments are cut, with marks: a page of two
 * hundred calls with a megabyte each would fill the memory of both sides. `brief` has neither arguments nor the text of the
 * rendering, for lists of which one is opened at a time.
 */
export type Extent = 'whole' | 'cut' | 'brief'

const LONG_BYTES = 64 * 1024
const CUT_ARGUMENTS = 16 * 1024
const CUT_VALUE = 400

export async function toWire(
  gateway: Gateway,
  request: Request,
  reader: Reader,
  extent: Extent,
  shown: MaskedCall | undefined = maskedCall(gateway, shownContent(request)),
): Promise<WireRequest> {
  await giveWayBefore(request)
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
      : { agent: { name: line(request.agent.name), parents: (request.agent.parents ?? []).map(line) } }),
    ...defined({ origin: request.origin }),
    ...(request.context === undefined ? {} : { context: lines(request.context) }),
    ...(request.preview === undefined ? {} : { preview: lines(request.preview) }),
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
    votes: (progress.votes ?? []).map((vote) => saidToWire(vote, reasons)),
    ...defined({ questions: request.questions }),
    submittedBy: request.submittedBy,
    ...defined({ follows: request.predecessor?.id }),
    ...(request.carriesNoReason === undefined ? {} : { carriesNoReason: true }),
    createdAt: toTime(request.createdAt),
    expiresAt: request.deadline === null ? null : toTime(request.deadline),
    ...(progress.decision === undefined ? {} : { decision: saidToWire(progress.decision, reasons) }),
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
  const cover = createCover(shown.masked)
  return (words) => cover(words, maskedReason)
}

/** Only what is pending can be approved. */
function coveredOf(
  gateway: Gateway,
  request: Request,
  shown: MaskedCall | undefined,
  { actor, locale }: Reader,
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
  locale: Reader['locale'],
): string {
  const { because, tool, bytes, progress } = request
  const said = sayBecause({ because, tool, rule: firstRule(request) }, locale)
  const asked = progress.edit === undefined || bytes === '' ? shown : maskedCall(gateway, contentOf(bytes))
  return asked === undefined ? line(said) : createQuotes(asked.masked)(said, Number.POSITIVE_INFINITY)
}

/** As the sentence names it: an edit may have others, and the sentence is of the call as it was asked. */
function firstRule({ terms }: Request): string | undefined {
  return terms.conditions[0]?.rule
}

function told<T extends { at: number }>(what: T): Told<T> {
  return { ...what, at: toTime(what.at) }
}

export function outcomeToWire(
  { said: _, ...outcome }: Outcome,
  shown: (words: string) => string = maskedReason,
): Told<Omit<Outcome, 'said'>> {
  const { summary } = outcome
  return told(summary === undefined ? outcome : { ...outcome, summary: shown(summary) })
}

/**
 * A vote or a decision. A reason is shown to people and handed to agents, so it is made visible like all that is shown, and
 * a secret in it stands as its mask.
 */
export function saidToWire<T extends { at: number; reason?: string; grant?: GrantTerms }>(
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

type ShownCall = Pick<WireRequest, 'arguments' | 'masks' | 'erased' | 'shortened' | 'cwd' | 'rendering'>

function withSameCall(shown: ShownCall, { sameCall }: Request, { locale }: Reader): ShownCall {
  if (sameCall === undefined) return shown
  const warnings = [sayEarlierCall(sameCall, locale), ...shown.rendering.warnings]
  return { ...shown, rendering: { ...shown.rendering, warnings } }
}

function erasedCall({ tool }: Request, { locale }: Reader): ShownCall {
  const rendering = render(renderCall({ tool, arguments: {} }, { locale }), locale)
  const warnings = [...rendering.warnings, ERASED[locale]]
  return { arguments: {}, masks: [], erased: true, rendering: { ...rendering, warnings } }
}

function shownCall(
  { content, masked }: MaskedCall,
  { locale }: Reader,
  extent: Extent,
  isLong: boolean,
): ShownCall {
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

const ERASED: Readonly<Record<Reader['locale'], string>> = {
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

function render(rendering: Rendering, locale: Reader['locale']): WireRendering {
  const { title, summary, warnings } = rendering
  return { title, summary, warnings, text: renderText(rendering, { locale }) }
}

export function line(text: string): string {
  return makeVisible(text).text
}

export function lines(text: string): string {
  return makeVisible(text, { lines: 'keep' }).text
}

export function withShownReason<T extends { reason?: string }>(
  value: T,
  shown: (words: string) => string = maskedReason,
): T {
  return value.reason === undefined ? value : { ...value, reason: shown(value.reason) }
}
