/** What goes out, as schemas for the description of the API. The types are those of `wire/types/request.ts`. */
import { z } from 'zod'
import type { ErrorCode } from '../core/errors.ts'
import { TOKEN_USES } from '../core/session.ts'
import { GRANT_SCOPES, REPLAY_CHANGES, type Verdict } from '../core/verdict.ts'
import { request } from './request.ts'
import type {
  WireCall,
  WireCancelled,
  WireChain,
  WireClaim,
  WireCredential,
  WireDecided,
  WireEvent,
  WireExplanation,
  WireGrant,
  WireIdentity,
  WireJournalEntry,
  WireLogin,
  WireProblem,
  WireRenewal,
  WireReplay,
  WireReview,
  WireSession,
  WireStopped,
  WireSuggestion,
  WireSuggestions,
  WireToken,
} from './types/request.ts'
import { decisionKind, grantWidth, jsonObject, role, scope, severity, time, verdictKind } from './values.ts'

export { request }

const reason = z.string().exactOptional()

export const review: z.ZodType<WireReview> = z.object({
  repeated: z.boolean(),
  verdict: z.object({
    kind: verdictKind,
    because: z.string(),
    rule: z.string().exactOptional(),
  }),
  request: request.exactOptional(),
})

const because = { because: z.string(), rule: z.string().exactOptional() }

const verdict: z.ZodType<Verdict> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('allow'), ...because }),
  z.object({ kind: z.literal('deny'), ...because }),
  z.object({
    kind: z.literal('ask'),
    ...because,
    terms: z.object({
      conditions: z.array(
        z.object({ rule: z.string(), approvers: z.array(z.string()).exactOptional(), quorum: z.number() }),
      ),
      allowedDecisions: z.array(decisionKind),
      scopes: z.array(scope),
      severity,
      expiresInMs: z.number().exactOptional(),
      widestGrant: grantWidth.exactOptional(),
    }),
  }),
])

export const doubt = z.object({
  kind: z.string(),
  text: z.string(),
  because: z.string(),
  start: z.number(),
  end: z.number(),
})

export const explainedRule = z.object({
  rule: z.string(),
  kind: verdictKind,
  holds: z.enum(['yes', 'unknown']),
  decided: z.boolean(),
  pointer: z.string().exactOptional(),
  place: z.object({ file: z.string(), line: z.number(), column: z.number() }).exactOptional(),
  about: z.array(z.string()).exactOptional(),
})

export const explainedCommand = z.object({
  text: z.string(),
  start: z.number(),
  end: z.number(),
  through: z.array(z.string()),
  verdict: verdictKind,
  ...because,
  doubts: z.array(doubt),
})

export const explanation: z.ZodType<WireExplanation> = z.object({
  verdict,
  tool: z.object({ name: z.string(), kind: z.string().exactOptional(), known: z.boolean() }),
  mode: z.string(),
  rules: z.array(explainedRule),
  commands: z.array(explainedCommand).exactOptional(),
  pointer: z.string().exactOptional(),
  list: z.object({ command: z.string(), words: z.string().exactOptional() }).exactOptional(),
  doubts: z.array(doubt).exactOptional(),
})

export const replay: z.ZodType<WireReplay> = z.object({
  days: z.number(),
  calls: z.number(),
  erased: z.number(),
  cut: z.boolean().exactOptional(),
  unchanged: z.number(),
  groups: z.array(
    z.object({
      change: z.enum(REPLAY_CHANGES),
      tool: z.string(),
      was: verdictKind,
      would: verdictKind,
      ...because,
      calls: z.number(),
      rejected: z.number(),
      examples: z.array(z.string()),
    }),
  ),
})

export const decided: z.ZodType<WireDecided> = z.object({
  request,
  decided: z.boolean(),
  repeated: z.boolean(),
})

export const claim: z.ZodType<WireClaim> = z.object({
  claimId: z.string(),
  arguments: jsonObject,
  digest: z.string(),
  leaseUntil: time,
  leaseMs: z.number().describe('How long the lease lasts from the moment it was asked for.'),
})

export const renewal: z.ZodType<WireRenewal> = z.object({
  leaseUntil: time,
  leaseMs: z.number(),
  stop: z.boolean(),
  stopped: z.object({ by: z.string(), reason: z.string().exactOptional() }).exactOptional(),
})

export const cancelled: z.ZodType<WireCancelled> = z.object({ request, recorded: z.boolean() })

export const revealed = z.object({ arguments: jsonObject })

export const session: z.ZodType<WireSession> = z.object({
  id: z.string(),
  owner: z.string(),
  parent: z.string().exactOptional(),
  mode: z.string().exactOptional(),
  createdAt: time,
  ended: z.object({ at: time, by: z.string(), reason }).exactOptional(),
  running: z.string().exactOptional().describe('The turn of our agent that runs there.'),
})

const errorCode = z.string() as unknown as z.ZodType<ErrorCode>

export const stopped: z.ZodType<WireStopped> = z.object({
  stopped: z.array(z.string()),
  refused: z.array(z.object({ id: z.string(), code: errorCode, detail: z.string() })),
  interrupted: z.boolean().exactOptional().describe('Whether a turn of our agent ran there.'),
})

export const grant: z.ZodType<WireGrant> = z.object({
  id: z.string(),
  session: z.string().exactOptional(),
  includeSubSessions: z.boolean().exactOptional(),
  tool: z.string(),
  rules: z.array(z.string()),
  scope: z.enum(GRANT_SCOPES),
  words: z.string().describe('What it lets through.'),
  digest: z.string().exactOptional().describe('Of the call that it covers, where it covers exactly one.'),
  createdAt: time,
  createdBy: z.string(),
  requestId: z.string(),
  expiresAt: time.exactOptional(),
  usesLeft: z.number().exactOptional(),
  uses: z.number(),
  revoked: z.object({ at: time, by: z.string() }).exactOptional(),
})

export const suggestion: z.ZodType<WireSuggestion> = z.object({
  id: z.string().describe('A decision names it as grant.suggestion.'),
  width: grantWidth,
  words: z.string().describe('What it would let through.'),
  matched: z.object({
    calls: z.number(),
    of: z.number().describe('How many calls of any tool were looked through.'),
    days: z.number(),
    asked: z.number(),
    rejected: z.number(),
    denied: z.number(),
    examples: z.array(z.string()),
    cut: z.boolean().exactOptional().describe('There were more calls; only the newest were looked through.'),
  }),
})

export const suggestions: z.ZodType<WireSuggestions> = z.object({ suggestions: z.array(suggestion) })

const identityParts = { subject: z.string(), role, namespace: z.string() }

export const identity: z.ZodType<WireIdentity> = z.object(identityParts)

export const login: z.ZodType<WireLogin> = z.object({ key: z.string(), ...identityParts })

export const loginCode = z.object({ code: z.string(), expiresAt: time.exactOptional() })

export const token: z.ZodType<WireToken> = z.object({
  use: z.enum(TOKEN_USES),
  id: z.string(),
  ...identityParts,
  label: z.string().exactOptional(),
  createdAt: time,
  createdBy: z.string(),
  expiresAt: time.exactOptional(),
  revokedAt: time.exactOptional(),
})

export const credential: z.ZodType<WireCredential> = z.object({ secret: z.string(), token })

export const call: z.ZodType<WireCall> = z.object({
  session: z.string(),
  callId: z.string(),
  tool: z.string(),
  digest: z.string(),
  arguments: jsonObject.exactOptional(),
  verdict: z.enum(['allow', 'deny']),
  because: z.string(),
  rule: z.string().exactOptional(),
  submittedBy: z.string(),
  createdAt: time,
})

export const chain: z.ZodType<WireChain> = z.object({ chain: z.string(), last: z.number() })

export const journalEntry: z.ZodType<WireJournalEntry> = z.object({
  chain: z.string(),
  n: z.number(),
  type: z.string(),
  request: z.string().exactOptional(),
  version: z.number().exactOptional(),
  body: z.string().describe('The text that was hashed.'),
})

export const event: z.ZodType<WireEvent> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('request'), cursor: z.string(), request }),
  z.object({
    type: z.literal('entry'),
    cursor: z.string(),
    entry: z.object({ type: z.string(), at: time, body: jsonObject }),
  }),
  z.object({ type: z.literal('reset'), cursor: z.string() }),
])

/** As the journal's own verification gives it. */
export const journalReport = z.looseObject({ ok: z.boolean() })

export const health = z.object({ status: z.literal('ok'), version: z.string() })

export const problem: z.ZodType<WireProblem> = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  code: errorCode,
  detail: z.string(),
})

export function pageOf<T>(items: z.ZodType<T>) {
  return z.object({ items: z.array(items), cursor: z.string().exactOptional() })
}
