/** Grants: what approvals leave behind, and what a decision may leave behind. */
import { z } from 'zod'
import { GRANT_SCOPES } from '../core/verdict.ts'
import { object, ofCore, optional } from './named.ts'
import { grantWidth, reason, time } from './values.ts'

export const grant = object('WireGrant', {
  id: z.string(),
  session: z.string().exactOptional(),
  includeSubSessions: z.boolean().exactOptional(),
  tool: z.string(),
  rules: z.array(z.string()),
  scope: ofCore('LastingScope', 'verdict.ts', z.enum(GRANT_SCOPES)),
  words: z.string().describe('What it lets through.'),
  reason: optional(reason, 'The same as a code with its values; absent where it covers exactly one call.'),
  digest: optional(z.string(), 'Of the call that it covers, where it covers exactly one.'),
  createdAt: time,
  createdBy: z.string(),
  requestId: z.string(),
  expiresAt: time.exactOptional(),
  usesLeft: z.number().exactOptional(),
  uses: z.number(),
  revoked: z.object({ at: time, by: z.string() }).exactOptional(),
})

export const matched = object('WireMatched', 'What a grant would have matched, had there been one.', {
  calls: z.number(),
  of: z.number().describe('How many calls of any tool were looked through.'),
  days: z.number(),
  asked: z
    .number()
    .describe('Of those that match: how many people were asked about, and how many of these they refused.'),
  rejected: z.number(),
  denied: z.number().describe('Of those that match: how many the policy denied, and would deny still.'),
  examples: z.array(z.string()).describe('Some of them, each in a line.'),
  cut: optional(z.boolean(), 'There were more calls; only the newest were looked through.'),
})

export const suggestion = object('WireSuggestion', 'A grant that a decision on a request may leave behind.', {
  id: z.string().describe('A decision names it as grant.suggestion.'),
  width: grantWidth,
  words: z.string().describe('What it would let through.'),
  reason: optional(reason, 'The same as a code with its values.'),
  matched,
})

export const suggestions = object('WireSuggestions', {
  suggestions: z.array(suggestion).describe('From narrow to wide.'),
})
