/** The shape of the value under `hooks:`, with words for what has another. */

import { z } from 'zod'
import { canonicalize, type JsonObject } from '../../../core/json/json.ts'
import { parseJson } from '../../../core/json/parse-json.ts'
import { messageOf } from '../chain/hook-failure.ts'
import { TOOL_NAME } from '../chain/offered-tools.ts'

export type InterceptStage = (typeof INTERCEPT_STAGES)[number]

export const INTERCEPT_STAGES = [
  'before_llm',
  'after_llm',
  'before_tool',
  'after_tool',
  'approve_tool',
] as const

const flag = z.boolean('must be true or false').nullish()
const text = z
  .string('must be a text; put it in quotes')
  .refine((value) => !value.includes('\0'), 'must not contain a zero character')
const limitMs = z
  .number('must be a number of milliseconds')
  .max(24 * 60 * 60 * 1000, 'must be at most a day, 86400000')
  .nullish()
const priority = z.int('must be a whole number').nullish()

const parameters = z.unknown().transform((value, context): JsonObject => {
  if (value === undefined || value === null) return { type: 'object', properties: {} }
  const isObject = typeof value === 'object' && !Array.isArray(value)
  try {
    if (isObject) return parseJson<JsonObject>(canonicalize(value))
    context.addIssue({ code: 'custom', message: 'must be a JSON schema, as in { type: object }' })
  } catch (error) {
    context.addIssue({ code: 'custom', message: `must be plain JSON: ${messageOf(error)}` })
  }
  return z.NEVER
})

const tool = z.strictObject(
  {
    name: z
      .string('must be the name of the tool')
      .regex(TOOL_NAME, 'must have letters, digits, _ and -, at most 64'),
    description: z.string('must say what the tool does, for the model and for people'),
    parameters: parameters.optional(),
  },
  keysAre('name, description, parameters'),
)

const builtin = z.strictObject(
  { enabled: flag, priority, config: z.unknown().optional() },
  keysAre('enabled, priority, config'),
)

export const PROCESS_SCHEMA = z.strictObject(
  {
    enabled: flag,
    priority,
    transport: z.enum(['', 'stdio'], 'must be stdio, the only one there is').nullish(),
    command: z.array(text, 'must be a list, as in [python3, hook.py]').nullish(),
    dir: text.nullish(),
    env: z.record(z.string(), text, 'must be names with texts').nullish(),
    observe: z.array(text, 'must be a list of event kinds, ["*"] for all').nullish(),
    intercept: z
      .array(
        z.enum(['', ...INTERCEPT_STAGES], `must be one of ${INTERCEPT_STAGES.join(', ')}`),
        `must be a list of ${INTERCEPT_STAGES.join(', ')}`,
      )
      .nullish(),
    trusted: flag,
    onFailure: z.enum(['deny', 'continue'], 'must be deny or continue').nullish(),
    tools: z.array(tool, 'must be a list of tools with name, description and parameters').nullish(),
    generation: z.enum(['a', 'b'], 'must be a or b').nullish(),
    timeouts: z
      .strictObject(
        { observer_ms: limitMs, interceptor_ms: limitMs, approval_ms: limitMs },
        keysAre('observer_ms, interceptor_ms, approval_ms'),
      )
      .nullish(),
  },
  keysAre(
    'enabled, priority, transport, command, dir, env, observe, intercept, trusted, onFailure, tools, generation, timeouts',
  ),
)

export const HOOKS_SCHEMA = z.strictObject(
  {
    enabled: flag,
    defaults: z
      .strictObject(
        { observer_timeout_ms: limitMs, interceptor_timeout_ms: limitMs, approval_timeout_ms: limitMs },
        keysAre('observer_timeout_ms, interceptor_timeout_ms, approval_timeout_ms'),
      )
      .nullish(),
    builtins: z.record(z.string(), builtin, 'must be names with hooks').nullish(),
    processes: z.record(z.string(), PROCESS_SCHEMA, 'must be names with hooks').nullish(),
  },
  keysAre('enabled, defaults, builtins, processes'),
)

/** The message for something that is no object, or has a key that is not among these. */
function keysAre(keys: string): { error: (issue: { code?: string; keys?: string[] }) => string } {
  return {
    error: ({ code, keys: unknown }) =>
      code === 'unrecognized_keys'
        ? `is an unknown key${(unknown?.length ?? 0) > 1 ? ` (and so is ${unknown?.slice(1).join(', ')})` : ''}; the keys here are ${keys}`
        : `must be an object with ${keys}`,
  }
}
