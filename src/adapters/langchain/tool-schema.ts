/** A LangChain tool's schema, zod's or a JSON Schema, as the adapter needs it. Worked out once a tool. */

import { toJsonSchema, Validator } from '@langchain/core/utils/json_schema'
import { interopSafeParseAsync, isInteropZodSchema } from '@langchain/core/utils/types'
import type { GivenDefinition } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import type { Parse } from '../gate-arguments.ts'

/** What the adapter looks at in a tool. */
export interface LangChainTool {
  name: string
  description?: string | undefined
  schema?: unknown
}

export interface LangChainToolSchema {
  parse: Parse
  definition: GivenDefinition
}

const schemas = new WeakMap<object, LangChainToolSchema>()

export function schemaOf(tool: LangChainTool): LangChainToolSchema {
  const known = schemas.get(tool)
  if (known !== undefined) return known
  const { description } = tool
  const json = jsonOf(tool.schema)
  const made: LangChainToolSchema = {
    parse: parseOf(tool.schema),
    definition: {
      ...(typeof description === 'string' ? { description } : {}),
      ...defined({ schema: json }),
    },
  }
  schemas.set(tool, made)
  return made
}

function parseOf(schema: unknown): Parse {
  if (isInteropZodSchema(schema)) {
    return async (value) => {
      const result = await interopSafeParseAsync(schema, value)
      return result.success ? { ok: true, value: result.data } : { ok: false, error: result.error }
    }
  }
  if (typeof schema !== 'object' || schema === null) return (value) => ({ ok: true, value })
  const validator = new Validator(schema)
  return (value) => {
    const { valid, errors } = validator.validate(value)
    if (valid) return { ok: true, value }
    return {
      ok: false,
      error: new Error(errors.map((one) => `${one.instanceLocation}: ${one.error}`).join('; ')),
    }
  }
}

/** Undefined where the schema can't be said in JSON. */
function jsonOf(schema: unknown): unknown {
  if (schema === undefined) return undefined
  try {
    return parseJson(JSON.stringify(toJsonSchema(schema as Parameters<typeof toJsonSchema>[0])))
  } catch {
    return undefined
  }
}
