/**
 * A tool call: what an agent wants to do. `ToolCall` is what comes in; `PreparedCall` is the same after it was
 * checked once and brought into its canonical form. Policy, screen and tool all work from the prepared call, so
 * that they can't see different things.
 */

import { defined } from './defined.ts'
import { digestOf } from './digest.ts'
import { BanksmanError } from './errors.ts'
import { canonicalize, type JsonObject, type JsonValue } from './json/json.ts'
import { countLongPointerCharacters } from './json/long-places.ts'
import { parseJson } from './json/parse-json.ts'
import { pointerStep } from './json/pointer-step.ts'

/** `A` is what the tool takes: any object that JSON can carry, such as an interface of yours or what a zod schema gives. */
export interface ToolCall<A extends object = JsonObject> {
  /** The tool's name, as the policy matches it. */
  tool: string
  arguments: A
  /** Unique in the session. The same id with the same content is the same call. */
  callId: string
  session: string
  /** Who calls, and the agents that started it, nearest last. */
  agent?: AgentLineage | undefined
  /** The session that started this one. It is fixed when a session is first used. */
  parentSession?: string | undefined
  /** The working folder in which relative paths and commands are meant. */
  cwd?: string | undefined
  /** What the tool says of itself; part of the digest, so that a tool can't change after it was approved. */
  definition?: GivenDefinition | undefined
  /** What the agent was doing, in its own words. Shown as the agent's word and never trusted. */
  context?: string | undefined
  /** The agent's own summary of the call. Shown as the agent's word and never trusted. */
  preview?: string | undefined
  /** Where the conversation lives, so that people are asked where they can answer. */
  origin?: Origin | undefined
}

export interface AgentLineage {
  name: string
  parents?: string[] | undefined
}

/** Where the arguments of a tool that runs commands name the command, by JSON pointers. */
export interface CommandPlace {
  /** A line for a shell, a program beside its words, or a list of both. */
  command: string
  /** The list of what the program is given. */
  words?: string
}

/** As a program gives it. */
export interface GivenDefinition {
  description?: string | undefined
  /** A JSON Schema, or anything else that JSON can carry; with one that can't be read, a person can't edit the arguments. */
  schema?: unknown
  annotations?: ToolAnnotations | undefined
}

export interface ToolDefinition {
  description?: string
  schema?: JsonValue
  /** Hints that the tool gives of itself, by the names that MCP has for them. The policy lets them narrow, never widen. */
  annotations?: ToolAnnotations
}

export interface ToolAnnotations {
  title?: string | undefined
  readOnlyHint?: boolean | undefined
  destructiveHint?: boolean | undefined
  idempotentHint?: boolean | undefined
  openWorldHint?: boolean | undefined
}

export interface Origin {
  /** The channel on which the turn began, for example `inbox`, `pet` or `feishu`. */
  channel: string
  /** The conversation in that channel. */
  conversation?: string
}

export interface PreparedCall {
  readonly tool: string
  readonly arguments: JsonObject
  /** The same in their canonical form, as they stand in `bytes`. */
  readonly argumentsText: string
  readonly callId: string
  readonly session: string
  readonly agent: AgentLineage | undefined
  readonly parentSession: string | undefined
  readonly cwd: string | undefined
  readonly definition: ToolDefinition | undefined
  readonly context: string | undefined
  readonly preview: string | undefined
  readonly origin: Origin | undefined
  /** The canonical `{v, tool, arguments, cwd, definition}`: the bytes that are approved and run. */
  readonly bytes: string
  readonly digest: string
}

/** The approved bytes, parsed. */
export interface CallContent {
  v: 1
  tool: string
  arguments: JsonObject
  cwd?: string
  definition?: ToolDefinition
}

export const LIMITS = {
  /** 1 MiB of arguments is a large file written in one call; more belongs in a file that a tool reads. */
  bytes: 1024 * 1024,
  /** In the arguments. Each is looked at by the policy, for secrets and for the screen. */
  values: 10_000,
  toolName: 256,
  id: 256,
  cwd: 4096,
  note: 16 * 1024,
  parents: 32,
  /** Of pointers that are longer than ordinary ones, see `long-places.ts`. */
  places: 1024 * 1024,
} as const

export function prepareCall(call: ToolCall<object>): PreparedCall {
  record(call, 'a call', '', KNOWN_FIELDS)
  // Every field is read once, here: a getter can't show one thing to the check and another to the digest.
  const {
    tool,
    arguments: args,
    callId,
    session,
    agent,
    parentSession,
    cwd,
    definition,
    context,
    preview,
    origin,
  } = call
  text(tool, 'tool', LIMITS.toolName)
  identifier(callId, 'callId')
  identifier(session, 'session')
  if (parentSession !== undefined) identifier(parentSession, 'parentSession')
  if (cwd !== undefined) text(cwd, 'cwd', LIMITS.cwd)
  if (context !== undefined) text(context, 'context', LIMITS.note, true)
  if (preview !== undefined) text(preview, 'preview', LIMITS.note, true)
  if (!isRecord(args)) invalid(`arguments must be an object; found ${describe(args)}`, '/arguments')
  const lineage = agent === undefined ? undefined : lineageOf(agent)
  const place = origin === undefined ? undefined : originOf(origin)
  const described = definition === undefined ? undefined : definitionOf(definition)

  const argumentsText = canonicalize(args, ARGUMENTS_PLACE)
  const bytes = contentBytes(tool, argumentsText, cwd, described)
  // A fresh copy of the canonical bytes: a caller who changes its object afterwards changes nothing here.
  const content = parseJson<CallContent>(bytes)
  if (countLongPointerCharacters(content.arguments) > LIMITS.places)
    invalid(
      'the arguments have texts below names that are too long to be told for each of them',
      '/arguments',
    )
  return {
    tool,
    arguments: content.arguments,
    argumentsText,
    callId,
    session,
    agent: lineage,
    parentSession,
    cwd,
    definition: content.definition,
    context,
    preview,
    origin: place,
    bytes,
    digest: digestOf(bytes),
  }
}

/** The same call with other arguments: what an edit approves. */
export function withArguments(content: CallContent, args: JsonObject): { bytes: string; digest: string } {
  if (!isRecord(args)) {
    throw new BanksmanError(
      'invalid_decision',
      `the edited arguments must be an object; found ${describe(args)}`,
      {
        pointer: '/arguments',
      },
    )
  }
  const bytes = contentBytes(
    content.tool,
    canonicalize(args, ARGUMENTS_PLACE),
    content.cwd,
    content.definition,
  )
  return { bytes, digest: digestOf(bytes) }
}

export function contentOf(bytes: string): CallContent {
  return parseJson<CallContent>(bytes)
}

/** What identifies a tool's definition, so that a grant given for one does not cover another. */
export function definitionDigest(definition: ToolDefinition | undefined): string {
  return digestOf(canonicalize(definition ?? null))
}

function contentBytes(
  tool: string,
  argumentsText: string,
  cwd: string | undefined,
  definition: ToolDefinition | undefined,
): string {
  // Written out in the order of the keys, which is the canonical one, to save a sort on every call.
  let out = `{"arguments":${argumentsText}`
  if (cwd !== undefined) out += `,"cwd":${canonicalize(cwd)}`
  if (definition !== undefined) out += `,"definition":${canonicalize(definition, DEFINITION_PLACE)}`
  out += `,"tool":${canonicalize(tool)},"v":1}`
  if (out.length > LIMITS.bytes) {
    throw new BanksmanError(
      'too_large',
      `the call is ${out.length} characters long; the limit is ${LIMITS.bytes}. Put large content in a file that the tool reads`,
      { limit: LIMITS.bytes, size: out.length },
    )
  }
  return out
}

const ARGUMENTS_PLACE = {
  at: '/arguments',
  depth: 1,
  maxLength: LIMITS.bytes,
  maxValues: LIMITS.values,
} as const
const DEFINITION_PLACE = { at: '/definition', depth: 1, maxLength: LIMITS.bytes } as const

const KNOWN_FIELDS: readonly string[] = [
  'tool',
  'arguments',
  'callId',
  'session',
  'agent',
  'parentSession',
  'cwd',
  'definition',
  'context',
  'preview',
  'origin',
] satisfies (keyof ToolCall)[]

function text(value: unknown, field: string, limit: number, mayBeEmpty = false): asserts value is string {
  if (typeof value !== 'string') invalid(`${field} must be a string; found ${describe(value)}`, `/${field}`)
  if (value === '' && !mayBeEmpty) invalid(`${field} must not be empty`, `/${field}`)
  if (value.length > limit) {
    invalid(`${field} is ${value.length} characters long; the limit is ${limit}`, `/${field}`)
  }
  if (!value.isWellFormed()) invalid(`${field} has a lone surrogate, which no UTF-8 can carry`, `/${field}`)
}

/** Ids end up in logs, URLs and file names of other programs: printable, and no space. */
function identifier(value: unknown, field: string): asserts value is string {
  text(value, field, LIMITS.id)
  if (/[\p{C}\p{Z}]/u.test(value)) {
    invalid(`${field} must not contain spaces, control or invisible characters`, `/${field}`)
  }
}

function lineageOf(value: AgentLineage): AgentLineage {
  record(value, 'agent', '/agent', ['name', 'parents'])
  const { name, parents } = value
  text(name, 'agent/name', LIMITS.id)
  if (parents === undefined) return { name, parents: [] }
  if (!Array.isArray(parents)) {
    invalid(`agent/parents must be a list of names; found ${describe(parents)}`, '/agent/parents')
  }
  if (parents.length > LIMITS.parents) {
    invalid(`agent/parents names ${parents.length} agents; the limit is ${LIMITS.parents}`, '/agent/parents')
  }
  const names = [...parents]
  for (const [index, parent] of names.entries()) text(parent, `agent/parents/${index}`, LIMITS.id)
  return { name, parents: names }
}

function originOf(value: Origin): Origin {
  record(value, 'origin', '/origin', ['channel', 'conversation'])
  const { channel, conversation } = value
  identifier(channel, 'origin/channel')
  if (conversation === undefined) return { channel }
  identifier(conversation, 'origin/conversation')
  return { channel, conversation }
}

function definitionOf(value: GivenDefinition): ToolDefinition {
  record(value, 'definition', '/definition', ['description', 'schema', 'annotations'])
  const { description, schema, annotations } = value
  if (description !== undefined) text(description, 'definition/description', LIMITS.note, true)
  return {
    ...defined({ description }),
    // Whether JSON can carry it is seen when it is written down.
    ...(schema === undefined ? {} : { schema: schema as JsonValue }),
    ...(annotations === undefined ? {} : { annotations: annotationsOf(annotations) }),
  }
}

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const

function annotationsOf(value: ToolAnnotations): ToolAnnotations {
  const at = '/definition/annotations'
  record(value, 'definition/annotations', at, ['title', ...HINTS])
  const { title } = value
  if (title !== undefined) text(title, 'definition/annotations/title', LIMITS.note, true)
  const hints: ToolAnnotations = title === undefined ? {} : { title }
  for (const hint of HINTS) {
    const given = value[hint]
    if (given === undefined) continue
    if (typeof given !== 'boolean')
      invalid(`${hint} must be true or false; found ${describe(given)}`, `${at}/${hint}`)
    hints[hint] = given
  }
  return hints
}

function record(value: object, what: string, pointer: string, known: readonly string[]): void {
  if (!isRecord(value)) {
    invalid(`${what} must be an object with ${known.join(', ')}; found ${describe(value)}`, pointer)
  }
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue
    const shown = key.length > 100 ? `${key.slice(0, 100)}…` : key
    invalid(
      `${what} has an unknown field ${JSON.stringify(shown)}; it has ${known.join(', ')}`,
      pointer + pointerStep(shown.toWellFormed()),
    )
  }
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid(message: string, pointer: string): never {
  throw new BanksmanError('invalid_call', message, { pointer })
}

function describe(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
