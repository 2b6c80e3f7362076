/** One request with all that is needed to decide it, and what an edit would come to. */
import { z } from 'zod'
import { doubt, explainedCommand, explainedRule, tool } from './explanation.ts'
import { object, optional, strictObject } from './named.ts'
import { callParts, linePiece } from './rendering.ts'
import { request, vote } from './request.ts'
import {
  because,
  decisionKind,
  jsonObject,
  outcomeKind,
  requestState,
  scope,
  severity,
  time,
  verdictKind,
} from './values.ts'

export const briefQuery = z
  .enum(['true', 'false'])
  .exactOptional()
  .describe('With `true` requests come without their arguments and the text of their rendering.')

export const previewBody = strictObject('PreviewInput', {
  digest: z.string().describe('Of the request as it was shown.'),
  arguments: jsonObject.describe(
    'All of them, as an edit would send them; an untouched mask keeps its value.',
  ),
})

export const line = object('WireCommandLine', {
  pointer: z.string().describe('The argument, by JSON pointer.'),
  pointers: optional(
    z.array(z.string()),
    'Where the line was put together of a program and a list of its words: the arguments that hold them, pointer first. The place of every command and doubt is then the whole line.',
  ),
  pieces: z
    .array(linePiece)
    .describe('The whole line, in order; what is too long has a piece of kind left-out.'),
  commands: z.array(explainedCommand).describe('In the order in which they stand in the line.'),
  doubts: z.array(doubt),
  leftOut: optional(
    z.object({ commands: z.number(), doubts: z.number() }),
    'There are more than are listed, of a line with hundreds of commands. The strictest are listed.',
  ),
})

export const judgement = object('WireJudgement', {
  verdict: verdictKind,
  ...because,
  mode: z.string(),
  tool,
  rules: z
    .array(explainedRule)
    .describe(
      'Every rule that matches or may match, the strictest first, with its place in the file where there is one.',
    ),
  policyChanged: optional(
    z.literal(true),
    'Another policy is in force now than the one under which it was asked.',
  ),
  factsChanged: optional(
    z.literal(true),
    'What was looked up when it was asked (files, links) has changed since: it would be refused when it is to run.',
  ),
})

export const earlier = object('WireEarlier', {
  likeness: z
    .enum(['same', 'alike', 'tool'])
    .describe('same: exactly this call. alike: the same kind of call. tool: only the same tool.'),
  id: z.string(),
  summary: z.string(),
  session: z.string(),
  state: requestState,
  outcome: outcomeKind.exactOptional(),
  decision: z
    .object({
      kind: decisionKind,
      by: z.string(),
      at: time,
      reason: z.string().exactOptional(),
      scope: scope.exactOptional(),
    })
    .exactOptional(),
  votes: z.array(vote).describe('Who approved, in order; the approval that decided it is among them.'),
  createdAt: time,
})

export const before = object('WireBefore', 'A call that the session made earlier.', {
  callId: z.string(),
  tool: z.string(),
  summary: z.string(),
  verdict: verdictKind,
  request: optional(z.object({ id: z.string(), state: requestState }), 'Where people were asked.'),
  at: time,
})

export const view = object('WireView', 'All that a person needs in order to decide one request.', {
  request: request.describe('Whole.'),
  parts: callParts.describe(
    "The call that is shown: the agent's own, or the edit that replaced it. While it is pending, a change of a file is shown against the file as it is now.",
  ),
  line: optional(
    line,
    'Where an argument is a shell line, or a list is one: the line cut up by its commands.',
  ),
  judgement: optional(
    judgement,
    'What the policy says of the call now. Absent once it is no longer pending, and for a question.',
  ),
  schema: optional(
    jsonObject,
    'What the tool says its arguments are, as JSON Schema. A form can be made of it.',
  ),
  earlier: z
    .array(earlier)
    .describe('Decisions on calls like this one, the most alike first and then the newest, ten at most.'),
  before: z.array(before).describe('What the same session did just before, the newest first, five at most.'),
  chat: optional(
    z.literal(true),
    "The session is a conversation with this server's agent that the reader may read.",
  ),
  eligible: z
    .record(z.string(), z.array(z.string()))
    .describe('The people who are eligible to meet each condition of the request, by rule.'),
})

export const preview = object(
  'WirePreview',
  'What an edit would be, before it is sent. Nothing is recorded.',
  {
    parts: callParts.describe('The edited call, laid out.'),
    line: line.exactOptional(),
    warnings: z.array(z.string()),
    verdict: verdictKind.describe(
      'deny: the edit would be refused. ask and allow: it would be taken as a decision.',
    ),
    ...because,
    severity: severity.describe(
      "That with which the edit would stand: the highest of both calls. Where it would be refused, the request's own.",
    ),
    newRules: z
      .array(z.string())
      .describe('Rules that ask about the edited call and did not about the original.'),
    unchecked: z
      .array(z.string())
      .describe("Places of the tool's schema that can't be checked safely, and were not, as JSON pointers."),
  },
)
