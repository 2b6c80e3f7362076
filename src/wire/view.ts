/** One request with all that is needed to decide it, and brief lists, as schemas. The types are those of `wire/types/view.ts`. */
import { z } from 'zod'
import {
  type Block,
  type CallParts,
  type DiffRow,
  type Field,
  SHAPE_KINDS,
  SPAN_KINDS,
  type VisibleText,
} from '../core/rendering.ts'
import { doubt, explainedCommand, explainedRule } from './answers.ts'
import { request, vote } from './request.ts'
import type {
  WireBefore,
  WireCommandLine,
  WireEarlier,
  WireJudgement,
  WirePreview,
  WireView,
} from './types/view.ts'
import {
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

export const requestPage = z.object({
  items: z.array(request),
  cursor: z.string().exactOptional(),
  total: z
    .number()
    .exactOptional()
    .describe('How many there are in this state. For people, without a session.'),
})

export const previewBody = z.strictObject({
  digest: z.string().describe('Of the request as it was shown.'),
  arguments: jsonObject.describe(
    'All of them, as an edit would send them; an untouched mask keeps its value.',
  ),
})

const spanKind = z.enum(SPAN_KINDS)
const spanParts = { text: z.string(), kind: spanKind, name: z.string().exactOptional() }

const visible: z.ZodType<VisibleText> = z.object({ text: z.string(), spans: z.array(z.object(spanParts)) })

const shortened = z.object({ leftOut: z.number(), total: z.number() }).exactOptional()

const field: z.ZodType<Field> = z.object({
  label: z.string(),
  pointer: z.string().exactOptional().describe('Absent for what is no argument, such as the working folder.'),
  value: visible,
  masked: z
    .object({ kind: z.string(), length: z.number(), name: z.string().exactOptional() })
    .exactOptional(),
  shortened,
})

const row: z.ZodType<DiffRow> = z.union([
  z.object({
    kind: z.enum(['same', 'removed', 'added']),
    value: visible,
    oldLine: z.number().exactOptional(),
    newLine: z.number().exactOptional(),
    isUnterminated: z.literal(true).exactOptional(),
  }),
  z.object({ kind: z.enum(['unchanged', 'left-out']), count: z.number(), text: z.string() }),
])

const blockParts = { label: z.string(), pointers: z.array(z.string()), shortened }

const block: z.ZodType<Block> = z.union([
  z.object({
    kind: z.enum(['code', 'json', 'text']),
    language: z.string().exactOptional(),
    value: visible,
    ...blockParts,
  }),
  z.object({
    kind: z.literal('diff'),
    rows: z.array(row),
    added: z.number(),
    removed: z.number(),
    isComplete: z.boolean(),
    ...blockParts,
  }),
])

const parts: z.ZodType<CallParts> = z.object({
  shape: z.enum(SHAPE_KINDS),
  fields: z.array(field),
  blocks: z.array(block),
})

const line: z.ZodType<WireCommandLine> = z.object({
  pointer: z.string(),
  pointers: z
    .array(z.string())
    .exactOptional()
    .describe('Where the line was put together of a program and a list: the arguments that hold them.'),
  pieces: z.array(
    z.object({
      ...spanParts,
      command: z.number().exactOptional().describe('Its place in `commands`.'),
      doubt: z.number().exactOptional().describe('Its place in `doubts`.'),
    }),
  ),
  commands: z.array(explainedCommand),
  doubts: z.array(doubt),
  leftOut: z.object({ commands: z.number(), doubts: z.number() }).exactOptional(),
})

const judgement: z.ZodType<WireJudgement> = z.object({
  verdict: verdictKind,
  because: z.string(),
  mode: z.string(),
  tool: z.object({ name: z.string(), kind: z.string().exactOptional(), known: z.boolean() }),
  rules: z.array(explainedRule),
  policyChanged: z
    .literal(true)
    .exactOptional()
    .describe('Another policy holds now than the one under which it was asked.'),
  factsChanged: z
    .literal(true)
    .exactOptional()
    .describe('What was looked up when it was asked has changed since.'),
})

const earlier: z.ZodType<WireEarlier> = z.object({
  likeness: z.enum(['same', 'alike', 'tool']),
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
  votes: z.array(vote),
  createdAt: time,
})

const before: z.ZodType<WireBefore> = z.object({
  callId: z.string(),
  tool: z.string(),
  summary: z.string(),
  verdict: verdictKind,
  request: z.object({ id: z.string(), state: requestState }).exactOptional(),
  at: time,
})

export const view: z.ZodType<WireView> = z.object({
  request,
  parts,
  line: line.exactOptional(),
  judgement: judgement.exactOptional(),
  schema: jsonObject.exactOptional().describe('What the tool says its arguments are, as JSON Schema.'),
  earlier: z.array(earlier),
  before: z.array(before),
  eligible: z.record(z.string(), z.array(z.string())),
})

export const preview: z.ZodType<WirePreview> = z.object({
  parts,
  line: line.exactOptional(),
  warnings: z.array(z.string()),
  verdict: verdictKind,
  because: z.string(),
  severity: severity.describe('That with which the edit would stand: the highest of both calls.'),
  newRules: z.array(z.string()),
  unchecked: z
    .array(z.string())
    .describe("Places of the tool's schema that can't be checked safely, and were not, as JSON pointers."),
})
