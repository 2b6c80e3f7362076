/** Everything but requests and grants, as it goes over the wire: sessions, tokens, calls, entries of the journal. */

import { contentOf } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import type { CodingSession } from '../../core/secretary.ts'
import type { Session } from '../../core/session.ts'
import { createQuotes } from '../../display/arguments/quote-arguments.ts'
import { summarizeForJournal } from '../../display/arguments/summarize-for-journal.ts'
import { maskArguments } from '../../display/masks/mask.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import type { HookSighting } from '../../gateway/access/hook-sightings.ts'
import type { Credential } from '../../gateway/access/tokens.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { WatchEvent } from '../../gateway/live/watch.ts'
import type { SessionSighting } from '../../gateway/sessions/session-sightings.ts'
import type { WireEntry } from '../../wire/types/answers.ts'
import type { WireCall } from '../../wire/types/call.ts'
import type { WireIdentity, WireToken } from '../../wire/types/identity.ts'
import type { WireJournalEntry } from '../../wire/types/journal.ts'
import type { WireCoding, WireHeard, WireSession } from '../../wire/types/session.ts'
import type { Caller } from '../access/authentication.ts'
import { becauseToWire } from './reason-to-wire.ts'
import { renderLine, withShownReason } from './shown-words.ts'
import { toTime } from './time-to-wire.ts'

type CredentialToken = Credential['token']
type ChangeEntry = Extract<WatchEvent, { kind: 'change' }>['entry']
type GatewayCallRecord = Omit<
  Awaited<ReturnType<Gateway['history']['calls']>>['items'][number],
  'commitmentKey'
>

const CALL_ARGUMENTS = 16 * 1024

export function identityOf({ actor, namespace }: Caller): WireIdentity {
  return { subject: actor.subject, role: actor.role, namespace }
}

/** Without the hash of its secret. */
export function tokenToWire(token: CredentialToken, seen?: HookSighting): WireToken {
  const { id, use, role, subject, namespace, label, scope, createdBy, expiresAt, revokedAt } = token
  return {
    id,
    use,
    role,
    subject,
    namespace,
    ...defined({ label, scope }),
    ...(seen === undefined ? {} : { lastHook: { at: toTime(seen.at), session: seen.session } }),
    createdAt: toTime(token.createdAt),
    createdBy,
    ...(expiresAt === undefined ? {} : { expiresAt: toTime(expiresAt) }),
    ...(revokedAt === undefined ? {} : { revokedAt: toTime(revokedAt) }),
  }
}

export function codingToWire({ folder, agent, state, waitsFor, lastAt, title }: CodingSession): WireCoding {
  return {
    folder: renderLine(folder),
    agent: renderLine(agent),
    state,
    ...defined({ waitsFor }),
    lastAt: toTime(lastAt),
    ...(title === undefined ? {} : { title: renderLine(title) }),
  }
}

export function heardToWire({ at, folder }: SessionSighting): WireHeard {
  return { at: toTime(at), ...defined({ folder }) }
}

export function sessionToWire({ id, owner, parent, mode, createdAt, ended }: Session): WireSession {
  return {
    id,
    owner,
    ...defined({ parent, mode }),
    createdAt: toTime(createdAt),
    ...(ended === undefined ? {} : { ended: { ...withShownReason(ended), at: toTime(ended.at) } }),
  }
}

/** Without its bytes and the key of its commitment. */
export function callToWire(gateway: Gateway, call: GatewayCallRecord, locale: Locale): WireCall {
  const { session, callId, tool, digest, bytes, verdict, rule, submittedBy, createdAt } = call
  const content = bytes === '' ? undefined : contentOf(bytes)
  const masked =
    content === undefined ? maskArguments({}) : maskArguments(content.arguments, gateway.knownTool(content))
  const quotes = createQuotes(masked)
  return {
    session,
    callId,
    tool,
    digest,
    ...(content === undefined ? {} : { arguments: summarizeForJournal(masked, CALL_ARGUMENTS) }),
    verdict,
    ...becauseToWire(call, locale, (text) => quotes(text, CALL_ARGUMENTS)),
    ...defined({ rule }),
    submittedBy,
    createdAt: toTime(createdAt),
  }
}

export function journalEntryToWire({
  chain,
  n,
  type,
  request,
  version,
  body,
}: ChangeEntry): WireJournalEntry {
  return { chain, n, type, ...defined({ request, version }), body }
}

/**
 * What serves the chain and its proofs is left to the journal's own routes. Calls that were judged together are told one by
 * one.
 */
export function entriesToWire({ type, body }: ChangeEntry): WireEntry[] {
  const { v: _, at, type: __, prev: ___, commitment: ____, ...members } = parseJson<JsonObject>(body)
  if (type !== 'calls.judged') return [{ type, at: toTime(Number(at)), body: members }]
  return (members.calls as JsonObject[]).map(({ at: judgedAt, commitment: _____, verdict, ...call }) => ({
    type: verdict === 'deny' ? 'call.denied' : 'call.allowed',
    at: toTime(Number(judgedAt)),
    body: call,
  }))
}
