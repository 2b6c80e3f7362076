/**
 * What a zod schema looks like to a model, and whether it only checks. A default, a transform, a coercion, or an object that
 * drops what it does not know gives the tool something else than what was shown and approved (P3).
 */
import { z } from 'zod'
import type { JsonObject } from '../../../core/json/json.ts'

/** Throws, in words, where the schema changes what it checks or has no form that a model could be told. */
export function schemaForModels(schema: z.ZodType): JsonObject {
  refuseChanges(schema, '', new Set())
  const input = jsonSchemaOf(schema, 'input')
  const output = jsonSchemaOf(schema, 'output')
  if (JSON.stringify(input) !== JSON.stringify(output)) {
    throw new Error(`its schema takes one thing and gives another; ${ONLY_CHECK}`)
  }
  if (input.type !== 'object') {
    throw new Error('its schema must be one object, since arguments have names; write z.strictObject({ … })')
  }
  return input
}

const ONLY_CHECK =
  'a schema may only check, because people and policy judge the arguments as they are. Do such work in run'

function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _, '~standard': __, ...rest } = z.toJSONSchema(schema, { io }) as JsonObject
  return rest
}

/** The kinds whose result is another value than what came in. */
const CHANGING: Readonly<Record<string, string>> = {
  transform: 'a transform',
  pipe: 'a pipe, a transform, a codec or a preprocess',
  default: 'a default',
  prefault: 'a default (prefault)',
  catch: 'a catch',
  success: 'a success',
  promise: 'a promise',
}

function refuseChanges(schema: z.core.$ZodType, at: string, seen: Set<z.core.$ZodType>): void {
  if (seen.has(schema)) return
  seen.add(schema)
  const def = schema._zod.def as z.core.$ZodTypeDef & Record<string, unknown>
  const where = at === '' ? 'its schema' : `its schema at ${at}`
  if (Object.hasOwn(CHANGING, def.type)) throw new Error(`${where} has ${CHANGING[def.type]}; ${ONLY_CHECK}`)
  if (def.coerce === true) throw new Error(`${where} coerces; ${ONLY_CHECK}`)
  if (def.normalize !== undefined) throw new Error(`${where} normalizes; ${ONLY_CHECK}`)
  if (def.checks?.some((check) => check._zod.def.check === 'overwrite')) {
    throw new Error(`${where} changes a text (trim, toLowerCase, overwrite or the like); ${ONLY_CHECK}`)
  }
  if (def.type === 'object' && def.catchall === undefined) {
    throw new Error(
      `${where} is a z.object, which drops what it does not know; write z.strictObject, which refuses it`,
    )
  }
  if (def.type === 'lazy') refuseChanges((def.getter as () => z.core.$ZodType)(), at, seen)
  for (const [key, part] of Object.entries(def)) {
    if (key === 'shape') {
      for (const [name, member] of Object.entries(part as Record<string, z.core.$ZodType>)) {
        refuseChanges(member, at === '' ? name : `${at}.${name}`, seen)
      }
    } else {
      for (const inner of Array.isArray(part) ? part : [part]) {
        if (isSchema(inner)) refuseChanges(inner, at, seen)
      }
    }
  }
}

function isSchema(value: unknown): value is z.core.$ZodType {
  const core = (value as { _zod?: { def?: { type?: unknown } } } | null | undefined)?._zod
  return typeof core?.def?.type === 'string'
}
