/** What the policy says of a call and why, and what another policy would have said of the calls on record. */
import { z } from 'zod'
import { REPLAY_CHANGES } from '../core/verdict.ts'
import { object, ofCore, optional } from './named.ts'
import { because, decisionKind, grantWidth, reason, scope, severity, verdictKind } from './values.ts'

const saying = { ...because, rule: z.string().exactOptional() }

export const verdict = ofCore(
  'Verdict',
  'verdict.ts',
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('allow'), ...saying }),
    z.object({ kind: z.literal('deny'), ...saying }),
    z.object({
      kind: z.literal('ask'),
      ...saying,
      terms: z.object({
        conditions: z.array(
          z.object({ rule: z.string(), approvers: z.array(z.string()).exactOptional(), quorum: z.number() }),
        ),
        allowedDecisions: z.array(decisionKind),
        scopes: z.array(scope),
        severity,
        risk: reason.exactOptional(),
        expiresInMs: z.number().exactOptional(),
        claimWithinMs: z.number().exactOptional(),
        widestGrant: grantWidth.exactOptional(),
        askOutcome: z.literal(true).exactOptional(),
        chats: z.array(z.string()).exactOptional(),
      }),
    }),
  ]),
)

export const doubt = object('WireDoubt', "What in a shell line can't be vouched for.", {
  kind: z.string(),
  text: z.string(),
  ...because,
  start: z.number(),
  end: z.number(),
})

export const explainedRule = object('WireExplainedRule', {
  rule: z.string(),
  kind: verdictKind,
  holds: z
    .enum(['yes', 'unknown'])
    .describe("unknown: it can't be told beforehand whether it matches. Such a rule never allows."),
  decided: z.boolean(),
  pointer: optional(
    z.string(),
    'Where it stands in the policy, as a JSON pointer; absent for what is built in.',
  ),
  place: z.object({ file: z.string(), line: z.number(), column: z.number() }).exactOptional(),
  about: optional(z.array(z.string()), 'The commands, paths or addresses that it is about.'),
})

export const explainedCommand = object('WireExplainedCommand', {
  text: z.string().describe('In its normal form, which is what rules see.'),
  start: z.number().describe('Where it stands in the line.'),
  end: z.number(),
  through: z.array(z.string()).describe('What it was looked through: sudo, env, …'),
  verdict: verdictKind,
  ...saying,
  doubts: z.array(doubt),
})

export const tool = z.object({ name: z.string(), kind: z.string().exactOptional(), known: z.boolean() })

export const explanation = object('WireExplanation', 'The verdict with all that led to it.', {
  verdict,
  tool,
  mode: z.string(),
  rules: z.array(explainedRule).describe('Every rule that matches or may match, the strictest first.'),
  commands: optional(z.array(explainedCommand), 'For a shell line: what each command came to.'),
  pointer: optional(z.string(), 'Where one argument is that line: the argument, by JSON pointer.'),
  list: optional(
    ofCore('CommandPlace', 'call.ts', z.object({ command: z.string(), words: z.string().exactOptional() })),
    'Where the line is a program and a list of its words: the arguments.',
  ),
  doubts: z.array(doubt).exactOptional(),
})

export const replayGroup = object('WireReplayGroup', {
  change: ofCore('ReplayChange', 'verdict.ts', z.enum(REPLAY_CHANGES)),
  tool: z.string(),
  was: verdictKind,
  would: verdictKind,
  ...saying,
  calls: z.number(),
  rejected: z.number().describe('Of these calls, how many a person refused.'),
  examples: z.array(z.string()).describe('Some of them, in a line each.'),
})

export const replay = object('WireReplay', 'What another policy would have said of the calls on record.', {
  days: z.number(),
  calls: z.number(),
  erased: z.number().describe("Calls whose arguments were erased, which can't be judged again."),
  cut: optional(z.boolean(), 'There are more calls in these days than were looked through.'),
  unchanged: z.number(),
  groups: z.array(replayGroup),
})
