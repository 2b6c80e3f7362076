/** What a hook may give back in place of what it was shown. What does not have this shape is a failure of the hook. */

import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { LIMITS } from '../../../core/call.ts'
import { canonicalize, type JsonObject, type JsonValue } from '../../../core/json/json.ts'
import { parseJson } from '../../../core/json/parse-json.ts'
import { failed, messageOf, shortened } from './hook-failure.ts'

/** A property that is there and undefined is not there, as in every JSON. */
function shape<Fields extends z.ZodRawShape>(fields: Fields) {
  return z
    .object(fields, 'must be an object')
    .transform((found) =>
      Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)),
    )
}

const text = z.string('must be a text').refine((value) => value.isWellFormed(), 'has a lone surrogate')
const name = text.min(1, 'must not be empty').max(LIMITS.toolName, `is longer than ${LIMITS.toolName}`)

/** A copy made from the canonical form: what has none is refused (P3). */
const json = z.unknown().transform((value, context): JsonValue => {
  try {
    return parseJson(canonicalize(value, { maxLength: LIMITS.bytes }))
  } catch (error) {
    context.addIssue({ code: 'custom', message: `must be plain JSON: ${messageOf(error)}` })
    return z.NEVER
  }
})
const jsonObject = json.refine(
  (value): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
)

const data = z.custom<Uint8Array>((value) => value instanceof Uint8Array, 'must be bytes')
const modelMedia = z.array(shape({ type: text, data }), 'must be a list')

const modelCall = shape({ id: text, tool: name, argumentsText: text, provider: json.optional() })

const message = z.discriminatedUnion(
  'role',
  [
    shape({ role: z.literal('system'), text }),
    shape({ role: z.literal('user'), text, media: modelMedia.optional() }),
    shape({
      role: z.literal('assistant'),
      text,
      reasoning: text.optional(),
      calls: z.array(modelCall, 'must be a list'),
      provider: json.optional(),
    }),
    shape({
      role: z.literal('tool'),
      callId: text,
      tool: text,
      text,
      isError: z.boolean('must be true or false'),
      media: modelMedia.optional(),
    }),
  ],
  'must have the role system, user, assistant or tool',
)

const modelTool = shape({ name, description: text, schema: jsonObject })

const SHAPES = {
  request: shape({
    model: text.min(1, 'must not be empty'),
    messages: z.array(message, 'must be a list').min(1, 'must not be empty'),
    tools: z.array(modelTool, 'must be a list'),
    maxTokens: z.int('must be a whole number').positive('must be more than 0').optional(),
    temperature: z.number('must be a number').optional(),
  }),
  /** Model, finish and usage are facts, which no hook changes. */
  response: shape({ text, reasoning: text.optional(), calls: z.array(modelCall, 'must be a list') }),
  call: shape({ tool: name, arguments: jsonObject }),
  result: shape({
    text,
    isError: z.boolean('must be true or false').optional(),
    forUser: text.optional(),
    media: z
      .array(
        z.union(
          [
            shape({ type: text.min(1), data, name: text.optional() }),
            shape({ id: text.min(1), type: text, name: text.optional() }),
          ],
          'must be { id, type } of something on the shelf, or { type, data } with bytes',
        ),
        'must be a list',
      )
      .max(32, 'has more than 32 items')
      .optional(),
    handled: z.boolean('must be true or false').optional(),
  }),
} as const

/** The payload in its shape, or a failure that says where it has another. */
export function readShape<Value>(hook: string, payload: unknown, what: keyof typeof SHAPES): Value {
  const found = SHAPES[what].safeParse(payload)
  if (found.success) return found.data as Value
  const issue = found.error.issues[0]
  const place = [what, ...(issue?.path ?? [])].map((step) => shortened(String(step), 40)).join('.')
  throw failed(hook, `${place} ${issue?.message ?? 'is not understood'}`)
}

/** Whether a hook gave back what it was shown, which is no change. */
export function isSame(what: keyof typeof SHAPES, read: unknown, shown: unknown): boolean {
  const known = SHAPES[what].safeParse(shown)
  return known.success && isDeepStrictEqual(read, known.data)
}
