/**
 * A tool call: what an agent wants to do. `ToolCall` is what comes in; `PreparedCall` is the same after it was
 * checked once and brought into its canonical form. Policy, screen and tool all work from the prepared call, so
 * that they can't see different things.
 */
import { digestOf } from './digest.ts'
import { BanksmanError } from './errors.ts'
import { canonicalize, type JsonObject, type JsonValue, parseCanonical } from './json.ts'

export interface ToolCall {
  /** The tool's name, as the policy matches it. */
  tool: string
  arguments: JsonObject
  /** Unique in the session. The same id with the same content is the same call. */
  callId: string
  session: string
  /** Who calls, and the agents that started it, nearest last. */
  agent?: AgentLineage
  /** The session that started this one. It is fixed when a session is first used. */
  parentSession?: string
  /** The working folder in which relative paths and commands are meant. */
  cwd?: string
  /** What the tool says of itself; part of the digest, so that a tool can't change after it was approved. */
  definition?: ToolDefinition
  /** What the agent was doing, in its own words. Shown as the agent's word and never trusted. */
  context?: string
  /** The agent's own summary of the call. Shown as the agent's word and never trusted. */
  preview?: string
  /** Where the conversation lives, so that people are asked where they can answer. */
  origin?: Origin
}

export interface AgentLineage {
  name: string
  parents?: string[]
}

export interface ToolDefinition {
  description?: string
  schema?: JsonValue
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
  toolName: 256,
  id: 256,
  cwd: 4096,
  note: 16 * 1024,
  parents: 32,
} as const

export function prepareCall(call: ToolCall): PreparedCall {
  if (typeof call !== 'object' || call === null) invalid('a call must be an object', '')
  for (const key of Object.keys(call)) {
    if (!KNOWN_FIELDS.has(key)) {
      invalid(`unknown field ${JSON.stringify(key)}; a call has ${[...KNOWN_FIELDS].join(', ')}`, `/${key}`)
    }
  }
  text(call.tool, 'tool', LIMITS.toolName)
  identifier(call.callId, 'callId')
  identifier(call.session, 'session')
  if (call.parentSession !== undefined) identifier(call.parentSession, 'parentSession')
  if (call.cwd !== undefined) text(call.cwd, 'cwd', LIMITS.cwd)
  if (call.context !== undefined) text(call.context, 'context', LIMITS.note, true)
  if (call.preview !== undefined) text(call.preview, 'preview', LIMITS.note, true)
  const args = call.arguments
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    invalid(`arguments must be an object; found ${describe(args)}`, '/arguments')
  }
  const agent = call.agent === undefined ? undefined : lineage(call.agent)
  const origin = call.origin === undefined ? undefined : originOf(call.origin)
  const definition = call.definition === undefined ? undefined : definitionOf(call.definition)

  const bytes = contentBytes(call.tool, args, call.cwd, definition)
  if (bytes.length > LIMITS.bytes) {
    throw new BanksmanError(
      'too_large',
      `the call is ${bytes.length} characters long; the limit is ${LIMITS.bytes}. Put large content in a file that the tool reads`,
      { limit: LIMITS.bytes, size: bytes.length },
    )
  }
  return {
    tool: call.tool,
    // A fresh copy of the canonical bytes: a caller who changes its object afterwards changes nothing here.
    arguments: parseCanonical<CallContent>(bytes).arguments,
    callId: call.callId,
    session: call.session,
    agent,
    parentSession: call.parentSession,
    cwd: call.cwd,
    definition,
    context: call.context,
    preview: call.preview,
    origin,
    bytes,
    digest: digestOf(bytes),
  }
}

/** The same call with other arguments: what an edit approves. */
export function withArguments(content: CallContent, args: JsonObject): { bytes: string; digest: string } {
  const bytes = contentBytes(content.tool, args, content.cwd, content.definition)
  if (bytes.length > LIMITS.bytes) {
    throw new BanksmanError('too_large', `the edited call is ${bytes.length} characters long; the limit is ${LIMITS.bytes}`)
  }
  return { bytes, digest: digestOf(bytes) }
}

export function contentOf(bytes: string): CallContent {
  return parseCanonical<CallContent>(bytes)
}

/** What identifies a tool's definition, so that a grant given for one does not cover another. */
export function definitionDigest(definition: ToolDefinition | undefined): string {
  return digestOf(canonicalize(definition ?? null))
}

function contentBytes(
  tool: string,
  args: JsonObject,
  cwd: string | undefined,
  definition: ToolDefinition | undefined,
): string {
  // Written out in the order of the keys, which is the canonical one, to save a sort on every call.
  let out = `{"arguments":${canonicalize(args)}`
  if (cwd !== undefined) out += `,"cwd":${canonicalize(cwd)}`
  if (definition !== undefined) out += `,"definition":${canonicalize(definition)}`
  return `${out},"tool":${canonicalize(tool)},"v":1}`
}

const KNOWN_FIELDS = new Set<string>([
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
] satisfies (keyof ToolCall)[])

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

function lineage(value: AgentLineage): AgentLineage {
  if (typeof value !== 'object' || value === null) {
    invalid(`agent must be {name, parents?}; found ${describe(value)}`, '/agent')
  }
  onlyFields(value, ['name', 'parents'], 'agent')
  text(value.name, 'agent/name', LIMITS.id)
  const parents = value.parents ?? []
  if (!Array.isArray(parents)) invalid(`agent/parents must be a list of names; found ${describe(parents)}`, '/agent/parents')
  if (parents.length > LIMITS.parents) {
    invalid(`agent/parents names ${parents.length} agents; the limit is ${LIMITS.parents}`, '/agent/parents')
  }
  for (const [index, parent] of parents.entries()) text(parent, `agent/parents/${index}`, LIMITS.id)
  return { name: value.name, parents: [...parents] }
}

function originOf(value: Origin): Origin {
  if (typeof value !== 'object' || value === null) {
    invalid(`origin must be {channel, conversation?}; found ${describe(value)}`, '/origin')
  }
  onlyFields(value, ['channel', 'conversation'], 'origin')
  identifier(value.channel, 'origin/channel')
  if (value.conversation === undefined) return { channel: value.channel }
  identifier(value.conversation, 'origin/conversation')
  return { channel: value.channel, conversation: value.conversation }
}

function definitionOf(value: ToolDefinition): ToolDefinition {
  if (typeof value !== 'object' || value === null) {
    invalid(`definition must be {description?, schema?}; found ${describe(value)}`, '/definition')
  }
  onlyFields(value, ['description', 'schema'], 'definition')
  if (value.description !== undefined) text(value.description, 'definition/description', LIMITS.note, true)
  return value
}

function onlyFields(value: object, known: string[], of: string): void {
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) invalid(`unknown field ${JSON.stringify(key)} in ${of}; it has ${known.join(', ')}`, `/${of}/${key}`)
  }
}

function invalid(message: string, pointer: string): never {
  throw new BanksmanError('invalid_call', message, { pointer })
}

function describe(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'nothing'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}
