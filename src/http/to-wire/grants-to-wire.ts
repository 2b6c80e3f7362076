/** Grants, and what could be granted, as they go over the wire: in words that a person can weigh. */

import { type CallContent, contentOf } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import type { Grant } from '../../core/grants/grant.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { sayReason } from '../../display/reasons/say-reason.ts'
import { renderCall } from '../../display/render.ts'
import { sayExactCall } from '../../display/words/grant-words.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { WireGrant, WireSuggestion } from '../../wire/types/grant.ts'
import type { Viewer } from './request-to-wire.ts'
import { toTime } from './time-to-wire.ts'

type GatewaySuggestion = Awaited<ReturnType<Gateway['suggestions']>>[number]

export async function grantToWire(gateway: Gateway, grant: Grant, reader: Viewer): Promise<WireGrant> {
  const { id, session, includeSubSessions, tool, rules, match, createdBy, requestId } = grant
  const { expiresAt, usesLeft, uses, revoked } = grant
  return {
    id,
    ...defined({ session, includeSubSessions }),
    tool,
    rules,
    scope: session === undefined ? 'always' : 'session',
    words:
      match.kind === 'when' ? sayWords(match, reader.locale) : await exactWords(gateway, requestId, reader),
    ...(match.kind === 'exact' ? { digest: match.digest } : defined({ reason: match.reason })),
    createdAt: toTime(grant.createdAt),
    createdBy,
    requestId,
    ...(expiresAt === undefined ? {} : { expiresAt: toTime(expiresAt) }),
    ...defined({ usesLeft }),
    uses,
    ...(revoked === undefined ? {} : { revoked: { at: toTime(revoked.at), by: revoked.by } }),
  }
}

export function suggestionToWire(
  gateway: Gateway,
  { id, width, words, reason, matched }: GatewaySuggestion,
  locale: Locale,
): WireSuggestion {
  const { isCut, examples, ...counts } = matched
  return {
    id,
    width,
    words: sayWords({ words, ...defined({ reason }) }, locale),
    ...defined({ reason }),
    matched: {
      ...counts,
      examples: examples.map((content) => summaryOf(gateway, content, locale)),
      ...(isCut ? { cut: true } : {}),
    },
  }
}

/** What is quoted of the call was made visible and masked before it was kept. */
function sayWords({ words, reason }: { words: string; reason?: Reason }, locale: Locale): string {
  return sayReason({ because: words, ...defined({ reason }) }, locale, (text) => text)
}

/** The call that was approved, as it is shown elsewhere; its arguments may have been erased since. */
async function exactWords(gateway: Gateway, requestId: string, { actor, locale }: Viewer): Promise<string> {
  const { bytes, progress } = await gateway.get(requestId, actor)
  const summary =
    bytes === '' ? undefined : summaryOf(gateway, contentOf(progress.approved?.bytes ?? bytes), locale)
  return sayExactCall(summary, locale)
}

function summaryOf(gateway: Gateway, content: CallContent, locale: Locale): string {
  return renderCall(content, { locale, known: gateway.knownTool(content) }).summary
}
