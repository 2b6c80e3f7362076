/** A rendered call: the shapes of `core/rendering.ts`. */
import { z } from 'zod'
import { FIELD_TOPICS, INTENT_KINDS, SHAPE_KINDS, SPAN_KINDS } from '../core/rendering.ts'
import { ofCore, optional } from './named.ts'

const RENDERING = 'rendering.ts'

const spanParts = { text: z.string(), kind: z.enum(SPAN_KINDS), name: z.string().exactOptional() }

const visibleText = ofCore(
  'VisibleText',
  RENDERING,
  z.object({ text: z.string(), spans: z.array(z.object(spanParts)) }),
)

const shortened = z.object({ leftOut: z.number(), total: z.number() }).exactOptional()

const field = ofCore(
  'Field',
  RENDERING,
  z.object({
    label: z.string(),
    pointer: optional(z.string(), 'Absent for what is no argument, such as the working folder.'),
    about: optional(z.enum(FIELD_TOPICS), 'What it is, where it is no argument.'),
    value: visibleText,
    masked: z
      .object({ kind: z.string(), length: z.number(), name: z.string().exactOptional() })
      .exactOptional(),
    shortened,
  }),
)

const diffRow = ofCore(
  'DiffRow',
  RENDERING,
  z.union([
    z.object({
      kind: z.enum(['same', 'removed', 'added']),
      value: visibleText,
      oldLine: z.number().exactOptional(),
      newLine: z.number().exactOptional(),
      isUnterminated: z.literal(true).exactOptional(),
    }),
    z.object({ kind: z.enum(['unchanged', 'left-out']), count: z.number(), text: z.string() }),
  ]),
)

const blockParts = { label: z.string(), pointers: z.array(z.string()), shortened }

const block = ofCore(
  'Block',
  RENDERING,
  z.union([
    z.object({
      kind: z.enum(['code', 'json', 'text']),
      language: z.string().exactOptional(),
      value: visibleText,
      ...blockParts,
    }),
    z.object({
      kind: z.literal('diff'),
      rows: z.array(diffRow),
      added: z.number(),
      removed: z.number(),
      isComplete: z.boolean(),
      ...blockParts,
    }),
  ]),
)

export const callParts = ofCore(
  'CallParts',
  RENDERING,
  z.object({ shape: z.enum(SHAPE_KINDS), fields: z.array(field), blocks: z.array(block) }),
)

export const linePiece = ofCore(
  'LinePiece',
  RENDERING,
  z.object({
    ...spanParts,
    command: optional(z.number(), 'Its place in `commands`.'),
    doubt: optional(z.number(), 'Its place in `doubts`.'),
  }),
)

export const intentKind = ofCore('IntentKind', RENDERING, z.enum(INTENT_KINDS))
