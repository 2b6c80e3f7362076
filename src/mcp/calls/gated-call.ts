/**
 * What of a client's message has to be asked about: a call of a tool, and the other ways to the same effect. The arguments are read so that
 * nothing is lost: what JSON can say and the core can't hold exactly is refused, since a person would be shown something else.
 */

import { isBanksmanError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { parseStrictJson } from '../../core/json/strict-json.ts'
import { MCP_STATE_PREFIX } from '../../core/support/mcp-names.ts'
import { type ClientMessage, isLookAlike } from '../lines/client-message.ts'
import { type ByteSpan, type MemberSpan, membersAt } from '../lines/json-members.ts'
import type { MessageId } from '../lines/message-id.ts'
import { type ByteEdit, removal } from '../lines/splice.ts'
import { answerArguments, isQuestion, QUESTIONS, type QuestionMethod } from './given-answers.ts'

/** Requests of the client that are calls to the policy. Those but the first are allowed unless a rule says otherwise. */
const GATED_METHODS = ['tools/call', 'resources/read', 'prompts/get', 'completion/complete'] as const
export type GatedMethod = (typeof GATED_METHODS)[number]

/** It carries what the client answers to a task of the server. */
export const TASK_UPDATE = 'tasks/update'

export interface GatedCall {
  method: GatedMethod | QuestionMethod
  id: MessageId
  message: ClientMessage
  /** The tool, or the method for what is no tool. */
  tool: string
  arguments: JsonObject
  /** Where the arguments of a tool stand; absent where the call has none. */
  span?: ByteSpan
  /** Where the parameters begin and end. */
  params?: ByteSpan
  /** The client's own id for this call of its model, which stays the same when it comes again. */
  callId?: string
  /** As it is written. */
  progressToken?: string
  /** It speaks 2026-07-28 or later. */
  isModern: boolean
  /** It takes a task in place of a result. */
  takesTasks: boolean
  /** It takes nothing but a task or an error (2025-11-25). */
  wantsTask: boolean
  requestState?: string
  /** Where that stands. */
  state?: MemberSpan
  /** Where the answers to questions stand that came with the state. */
  responses?: MemberSpan
}

export interface UnreadableCall {
  because: string
}

/** The answer to a question of the server, as a call. `span`: where it stands. */
export function answerCall(
  message: ClientMessage,
  method: QuestionMethod,
  span = message.members.get('result'),
): GatedCall {
  return {
    method,
    id: message.id!,
    message,
    tool: method,
    arguments: answerArguments(message, span),
    isModern: false,
    takesTasks: false,
    wantsTask: false,
  }
}

/** Since 2026-07-28 the answers come with the call itself: each as a call of its own. `questions`: the methods, by their keys. */
export function answersIn(
  { message, responses }: GatedCall,
  questions: ReadonlyMap<string, QuestionMethod>,
): GatedCall[] {
  if (responses === undefined || message.text[responses.from] !== '{') return []
  return [...membersAt(message.text, responses.from)].map(([key, span]) =>
    answerCall(message, questions.get(key) ?? 'elicitation/create', span),
  )
}

/**
 * The answers that go to a task of the server. What it has asked is not known here, so each is an answer to every kind of question: a rule about any of them
 * counts. Undefined: they can't be told apart.
 */
export function answersToTask(message: ClientMessage): GatedCall[] | undefined {
  const { text, members } = message
  const params = members.get('params')
  if (params === undefined || text[params.from] !== '{') return []
  const responses = membersAt(text, params.from).get('inputResponses')
  if (responses === undefined) return []
  if (text[responses.from] !== '{') return undefined
  return [...membersAt(text, responses.from).values()].flatMap((span) =>
    QUESTIONS.map((method) => answerCall(message, method, span)),
  )
}

export function isGated(method: string): method is GatedMethod {
  return (GATED_METHODS as readonly string[]).includes(method)
}

/** A server that is not strict may take it for one of them. */
export function isNearlyGated(method: string): boolean {
  return isLookAlike(method, [...GATED_METHODS, TASK_UPDATE])
}

/** `message` is a request with a gated method. */
export function readGatedCall(message: ClientMessage): GatedCall | UnreadableCall {
  const { text, members, params } = message
  const id = message.id!
  const method = message.method as GatedMethod
  const span = members.get('params')
  const inside: Map<string, MemberSpan> =
    span !== undefined && text[span.from] === '{' ? membersAt(text, span.from) : new Map()
  const about = {
    method,
    id,
    message,
    ...(span === undefined ? {} : { params: span }),
    ...envelopeOf(message, inside),
  }
  if (span !== undefined && text[span.from] !== '{') return { because: 'its parameters are not an object' }
  const { requestState } = about
  if (about.responses !== undefined && requestState?.startsWith(MCP_STATE_PREFIX) !== true)
    return { because: 'it answers questions that nobody has asked' }
  if (method !== 'tools/call') {
    const source = [...inside]
      .filter(([key]) => !BESIDE.has(key))
      .map(([, one]) => text.slice(one.key, one.to))
    return read(`{${source.join(',')}}`, (args) => ({ ...about, tool: method, arguments: args }))
  }
  const { name } = params
  if (typeof name !== 'string' || name === '') return { because: 'the call does not name a tool' }
  // A tool with such a name would be taken for one of the methods that are allowed by default.
  if (isGated(name) || isQuestion(name))
    return { because: `a tool can't be called ${JSON.stringify(name)}: that is a method of the protocol` }
  const args = inside.get('arguments')
  if (args === undefined) return { ...about, tool: name, arguments: {} }
  if (text[args.from] !== '{') return { because: 'the arguments are not an object' }
  return read(text.slice(args.from, args.to), (value) => ({
    ...about,
    tool: name,
    arguments: value,
    span: args,
  }))
}

/** What stands beside the parameters proper of a method: nobody is shown it as an argument. */
const BESIDE = new Set(['_meta', 'requestState', 'inputResponses'])

/** `source`: an object's JSON, as Latin-1. */
function read(source: string, make: (value: JsonObject) => GatedCall): GatedCall | UnreadableCall {
  try {
    return make(parseStrictJson(Buffer.from(source, 'latin1').toString('utf8')) as JsonObject)
  } catch (error) {
    if (isBanksmanError(error)) return { because: `the arguments can't be held exactly: ${error.message}` }
    throw error
  }
}

const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion'
const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const TASKS = 'io.modelcontextprotocol/tasks'
const CLAUDE_CALL_ID = 'claudecode/toolUseId'

function envelopeOf(
  { text, params }: ClientMessage,
  inside: Map<string, MemberSpan>,
): Pick<
  GatedCall,
  | 'callId'
  | 'progressToken'
  | 'isModern'
  | 'takesTasks'
  | 'wantsTask'
  | 'requestState'
  | 'state'
  | 'responses'
> {
  const meta = asObject(params._meta)
  const span = inside.get('_meta')
  const token =
    span !== undefined && text[span.from] === '{'
      ? membersAt(text, span.from).get('progressToken')
      : undefined
  const callId = meta[CLAUDE_CALL_ID]
  const { requestState } = params
  return {
    isModern: typeof meta[PROTOCOL_VERSION] === 'string',
    takesTasks: asObject(asObject(meta[CLIENT_CAPABILITIES]).extensions)[TASKS] !== undefined,
    wantsTask: inside.has('task'),
    ...(isCallId(callId) ? { callId } : {}),
    ...(token === undefined ? {} : { progressToken: text.slice(token.from, token.to) }),
    ...(typeof requestState === 'string' && inside.has('requestState')
      ? { requestState, state: inside.get('requestState')! }
      : {}),
    ...(inside.has('inputResponses') ? { responses: inside.get('inputResponses')! } : {}),
  }
}

export function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}

function isCallId(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value)
}

/** Other arguments in the same message; nothing else is changed. */
export function argumentsEdit({ span, params }: GatedCall, args: JsonObject): ByteEdit {
  const written = JSON.stringify(args)
  if (span !== undefined) return { from: span.from, to: span.to, bytes: written }
  // It had none: they become the first member of the parameters, which has a name at least.
  const at = params!.from + 1
  return { from: at, to: at, bytes: `"arguments":${written},` }
}

/** The server is given its own state back, and never ours. */
export function stateEdit(
  { message: { text }, state }: GatedCall,
  inner: string | undefined,
): ByteEdit | undefined {
  if (state === undefined) return undefined
  return inner === undefined
    ? removal(text, state)
    : { from: state.from, to: state.to, bytes: JSON.stringify(inner) }
}
