/** All that is needed to decide one request, as it goes over the wire: see `wire/types/view.ts`. */

import { type CallContent, contentOf } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import { type CoverSecrets, createSecretCover } from '../../display/arguments/quote-arguments.ts'
import { type MaskedArguments, maskedIn } from '../../display/masks/mask.ts'
import { renderCall } from '../../display/render.ts'
import type { Rendering } from '../../display/rendering.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { EditPreview } from '../../gateway/reading/preview-edit.ts'
import type { RequestView } from '../../gateway/reading/view.ts'
import type { WireBefore, WireEarlier, WireJudgement, WirePreview, WireView } from '../../wire/types/view.ts'
import { decisionOrVoteToWire } from './decision-to-wire.ts'
import { explanationToWire } from './explanation-to-wire.ts'
import { maskedCall } from './render-request.ts'
import { requestToWire, type Viewer } from './request-to-wire.ts'
import { maskedReason, renderLine, renderLines } from './shown-words.ts'
import { toTime } from './time-to-wire.ts'
import { yieldBeforeLargeCall, yieldToRequests } from './yield-to-requests.ts'

export async function viewToWire(gateway: Gateway, view: RequestView, reader: Viewer): Promise<WireView> {
  const { request, content, facts, judgement, earlier, before, eligible } = view
  const { locale } = reader
  const shown = maskedCall(gateway, content)
  const whole = await requestToWire(gateway, request, reader, 'whole', shown)
  await yieldBeforeLargeCall(request)
  const { masked } = shown ?? maskedCall(gateway, { v: 1, tool: request.tool, arguments: {} })
  const { args, known } = masked
  const rendering = renderCall(content ?? { tool: request.tool, arguments: args }, {
    facts,
    locale,
    known,
    masked,
  })
  const explained =
    judgement === undefined || content === undefined
      ? undefined
      : explanationToWire(judgement.explanation, content, masked, locale)
  const { line: commandLine, ...said } = explained ?? {}
  const schema = shownSchema(content, masked)
  return {
    request:
      content === undefined
        ? whole
        : // What was found in the file belongs to what a person should know.
          { ...whole, rendering: { ...whole.rendering, warnings: rendering.warnings } },
    parts: partsOf(rendering),
    ...defined({ line: commandLine }),
    ...(judgement === undefined || explained === undefined
      ? {}
      : { judgement: { ...(said as WireJudgement), ...changesOf(judgement) } }),
    ...defined({ schema }),
    earlier: earlier.map((one) => earlierToWire(gateway, one, locale)),
    before: before.map((call) => beforeToWire(gateway, call, locale)),
    eligible,
  }
}

export async function previewToWire(
  gateway: Gateway,
  preview: EditPreview,
  { locale }: Viewer,
): Promise<WirePreview> {
  await yieldToRequests()
  const { content, facts, verdict, explanation, severity, newRules, unchecked } = preview
  const { masked } = maskedCall(gateway, content)
  const rendering = renderCall(content, { facts, locale, known: masked.known, masked })
  // The verdict is that on the edit, and may be another one than on the call by itself.
  const said = explanationToWire({ ...explanation, verdict }, content, masked, locale)
  const { line: commandLine, because, reason } = said
  const cover = createSecretCover(maskedIn(masked, locale))
  return {
    parts: partsOf(rendering),
    ...defined({ line: commandLine }),
    warnings: rendering.warnings,
    verdict: verdict.kind,
    because,
    ...defined({ reason }),
    severity,
    newRules,
    unchecked: unchecked.map((place) => cover(place, renderLine)),
  }
}

function partsOf({ shape, fields, blocks }: Rendering): WireView['parts'] {
  return { shape, fields, blocks }
}

function changesOf({
  policyChanged,
  factsChanged,
}: NonNullable<RequestView['judgement']>): Pick<WireJudgement, 'policyChanged' | 'factsChanged'> {
  return { ...(policyChanged ? { policyChanged } : {}), ...(factsChanged ? { factsChanged } : {}) }
}

function earlierToWire(
  gateway: Gateway,
  { likeness, request }: RequestView['earlier'][number],
  locale: Locale,
): WireEarlier {
  const { id, tool, bytes, session, state, createdAt, progress } = request
  const { decision, outcome } = progress
  return {
    likeness,
    id,
    summary: summaryOf(gateway, tool, bytes, locale),
    session,
    state,
    ...defined({ outcome: outcome?.kind }),
    ...(decision === undefined
      ? {}
      : {
          decision: {
            kind: decision.kind,
            by: decision.by,
            at: toTime(decision.at),
            ...(decision.reason === undefined ? {} : { reason: maskedReason(decision.reason) }),
            ...defined({ scope: decision.scope }),
          },
        }),
    votes: (progress.votes ?? []).map((vote) => decisionOrVoteToWire(vote)),
    createdAt: toTime(createdAt),
  }
}

function beforeToWire(gateway: Gateway, call: RequestView['before'][number], locale: Locale): WireBefore {
  const { callId, tool, bytes, verdict, request, createdAt } = call
  return {
    callId,
    tool,
    summary: summaryOf(gateway, tool, bytes, locale),
    verdict,
    ...defined({ request }),
    at: toTime(createdAt),
  }
}

function summaryOf(gateway: Gateway, tool: string, bytes: string, locale: Locale): string {
  if (bytes === '') return `${renderLine(tool)}: ${ERASED[locale]}`
  // Nothing but the summary is wanted, which has no room for more of a value.
  const content = contentOf(bytes)
  return renderCall(content, { locale, limit: SUMMARY_LIMIT, known: gateway.knownTool(content) }).summary
}

const SUMMARY_LIMIT = 400

const ERASED: Readonly<Record<Locale, string>> = {
  en: 'its arguments were erased after their retention time',
  zh: '参数已在保留期满后删除',
}

/**
 * A form is made of it, so names and values must stay what they are; what it says to people is made visible (P9). A value
 * that is masked among the arguments stands as its mask here too, and as such can be left alone in an edit.
 */
function shownSchema(content: CallContent | undefined, masked: MaskedArguments): JsonObject | undefined {
  const schema = content?.definition?.schema
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return undefined
  // Nobody fills in such a form. The arguments can be edited as they stand.
  if (JSON.stringify(schema).length > LONGEST_SCHEMA) return undefined
  return visibleWords(schema, createSecretCover(masked)) as JsonObject
}

const LONGEST_SCHEMA = 64 * 1024

const WORDS: ReadonlySet<string> = new Set(['title', 'description', '$comment'])

function visibleWords(value: JsonValue, cover: CoverSecrets, key = ''): JsonValue {
  if (typeof value === 'string') return cover(value, WORDS.has(key) ? renderLines : (part) => part)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => visibleWords(item, cover))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, visibleWords(member, cover, name)]),
  )
}
