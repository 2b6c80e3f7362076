/**
 * All tools of an agent together. Whatever could make the gate, the screen and the tool see different things is refused
 * here, when the agent is put together, and not when a call comes.
 */

import type { z } from 'zod'
import type { ToolAnnotations } from '../../../core/call.ts'
import { LIMITS } from '../../../core/call.ts'
import { defined } from '../../../core/defined.ts'
import { BanksmanError } from '../../../core/errors.ts'
import { canonicalize, type JsonObject } from '../../../core/json/json.ts'
import { parseJson } from '../../../core/json/parse-json.ts'
import type { RegisteredTool, Tool, ToolRegistry } from '../tool.ts'
import { argumentFaults } from './argument-faults.ts'
import { type ProvidedTool, readJsonSchema } from './read-json-schema.ts'
import { schemaForModels } from './schema-for-models.ts'

export type RegistryEntry = Tool | { tool: Tool; providedBy: string } | RegisteredTool

export interface OpenToolRegistry extends ToolRegistry {
  /** A registry with these behind the others. This one stays as it is. A name that is taken is refused. */
  with(entries: readonly RegistryEntry[]): OpenToolRegistry
}

export function createToolRegistry(entries: readonly RegistryEntry[]): OpenToolRegistry {
  const tools = new Map<string, RegisteredTool>()
  for (const entry of entries) {
    const registered =
      'check' in entry ? entry : 'tool' in entry ? register(entry) : register({ tool: entry })
    const { name } = registered.tool
    const taken = tools.get(name)
    if (taken !== undefined) refuse(name, `the name is taken by ${ownerOf(taken)}`)
    tools.set(name, registered)
  }
  const list = Object.freeze([...tools.values()])
  return {
    list: () => list,
    find: (name) => tools.get(name),
    with: (more) => createToolRegistry([...list, ...more]),
  }
}

/** A tool that a hook offers. Its schema is plain JSON Schema; one that can't be read in full is refused. */
export function fromJsonSchema(
  { name, description, schema }: ProvidedTool,
  providedBy: string,
  run: Tool['run'] = async () => {
    throw new BanksmanError('internal', `${name} is run by the hook that provides it`)
  },
): RegisteredTool {
  checkName(name)
  const read = orRefuse(name, () => readJsonSchema(schema))
  const definition = definitionOf(name, description, read.forModels, undefined)
  const tool: Tool = { name, description, schema: read.checks as z.ZodType<JsonObject>, run }
  return {
    tool,
    definition,
    providedBy,
    // What JSON Schema leaves open, such as unknown members, is the hook's to take or to refuse.
    check: (args) => argumentFaults(tool, definition.schema, args, { mayAdjust: true }),
  }
}

function register({ tool, providedBy }: { tool: Tool; providedBy?: string }): RegisteredTool {
  checkName(tool.name)
  const schema = orRefuse(tool.name, () => schemaForModels(tool.schema))
  const definition = definitionOf(tool.name, tool.description, schema, tool.annotations)
  return {
    tool,
    definition,
    ...defined({ providedBy }),
    check: (args) => argumentFaults(tool, definition.schema, args),
  }
}

/** What model servers take. It also keeps out whatever a screen or a policy could read as something else. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/

function checkName(name: unknown): void {
  if (typeof name === 'string' && NAME.test(name)) return
  const found = typeof name === 'string' ? JSON.stringify(name.slice(0, 100)) : typeof name
  throw new BanksmanError(
    'invalid_configuration',
    `a tool's name has 1 to 64 letters (a to z), digits, _ and -; found ${found}`,
  )
}

/** A copy that nobody can change afterwards: what the model was told is what is approved. */
function definitionOf(
  name: string,
  description: unknown,
  schema: JsonObject,
  annotations: ToolAnnotations | undefined,
): RegisteredTool['definition'] {
  if (typeof description !== 'string' || description.trim() === '') {
    refuse(name, 'its description must be a text that says what it does')
  }
  if (description.length > LIMITS.note) {
    refuse(name, `its description is ${description.length} characters long; the limit is ${LIMITS.note}`)
  }
  const whole = { description, schema, ...defined({ annotations }) }
  orRefuse(name, () => canonicalize(whole, { maxLength: MAX_DEFINITION }))
  // In the order in which it was written, which models see.
  return deepFreeze(parseJson<RegisteredTool['definition']>(JSON.stringify(whole)))
}

/** It goes with every call and to the model with every question. */
const MAX_DEFINITION = 64 * 1024

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member)
    Object.freeze(value)
  }
  return value
}

function ownerOf({ providedBy }: RegisteredTool): string {
  return providedBy === undefined ? 'another tool' : `a tool of the hook ${JSON.stringify(providedBy)}`
}

function orRefuse<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    return refuse(name, error instanceof Error ? error.message : String(error), error)
  }
}

function refuse(name: string, because: string, cause?: unknown): never {
  throw new BanksmanError(
    'invalid_configuration',
    `the tool ${name} can't be used: ${because}`,
    { tool: name },
    cause === undefined ? undefined : { cause },
  )
}
