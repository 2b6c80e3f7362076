/**
 * What a client can ask for, one function a command. Each gives the data of its response, or throws: a `PetFault` for what
 * the client is told in the original's words, anything else for the gateway's own refusals.
 */
import { defined } from '../../core/defined.ts'
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import type { Actor } from '../../core/session.ts'
import { type ChannelPorts, type Deciding, withAgent } from '../driver.ts'
import { conversationId, sessionKeyOf } from './conversation-id.ts'
import { isObject, mustBe, toSeconds } from './envelopes.ts'
import { followTurn } from './follow-turn.ts'
import type { Prompt, Prompts } from './prompts.ts'
import type { RoomMember } from './rooms.ts'

export interface CommandParts {
  ports: ChannelPorts
  prompts: Prompts
}

export type PetCommand = (
  parts: CommandParts,
  member: RoomMember,
  data: JsonValue | undefined,
) => Promise<CommandDone> | CommandDone

export interface CommandDone {
  /** Of the response. */
  data: JsonObject
  /** What follows when that was sent. */
  afterwards?: () => void
}

/** What is wrong, in the words that clients of the original know. */
export class PetFault extends Error {
  readonly about: JsonObject

  constructor(message: string, about: JsonObject = {}) {
    super(message)
    this.name = 'PetFault'
    this.about = about
  }
}

export const COMMANDS: ReadonlyMap<string, PetCommand> = new Map<string, PetCommand>([
  ['chat', chat],
  ['interrupt', interrupt],
  ['tool_approval_response', answerApproval],
  ['user_question_response', answerQuestion],
  ['health_check', checkHealth],
])

const MAX_LABEL = 1024
const PROMPT_ID = 'the request_id of what you were asked'

async function chat(
  { ports }: CommandParts,
  member: RoomMember,
  data: JsonValue | undefined,
): Promise<CommandDone> {
  const fault = 'invalid chat data'
  const { text, session_key: key } = record(data, fault)
  if (typeof text !== 'string' || text.trim() === '')
    throw invalid(fault, mustBe('text', 'what you say to the agent', text))
  const session = sessionOf(member, key, fault)
  const { actor } = member.caller
  const origin = { channel: 'pet', conversation: session }
  const conversation = withAgent(ports)
  const { turn, kind, after } = await conversation.conversing.say({ session, text, origin }, actor)
  followTurn(conversation, member.room, { session, turn, after }, actor)
  const sessionKey = sessionKeyOf(session)
  return { data: { ...defined({ session_key: sessionKey }), turn, kind } }
}

async function interrupt(
  { ports }: CommandParts,
  member: RoomMember,
  data: JsonValue | undefined,
): Promise<CommandDone> {
  const fault = 'invalid interrupt data'
  const { session_key: key, kind = 'graceful', reason } = record(data ?? {}, fault)
  if (kind !== 'graceful' && kind !== 'hard') {
    throw invalid(fault, mustBe('kind', '"graceful" or "hard", or left out', kind))
  }
  const session = sessionOf(member, key, fault)
  const why = reasonOf(reason, fault)
  const { actor } = member.caller
  const { conversing } = withAgent(ports)
  return { data: { interrupted: await conversing.interrupt(session, { kind, ...why }, actor) } }
}

async function answerApproval(
  parts: CommandParts,
  member: RoomMember,
  data: JsonValue | undefined,
): Promise<CommandDone> {
  const fault = 'invalid tool approval response data'
  const { request_id: id, approved, terminate = false, reason } = record(data, fault)
  if (typeof id !== 'string') throw invalid(fault, mustBe('request_id', PROMPT_ID, id))
  if (typeof approved !== 'boolean') throw invalid(fault, mustBe('approved', 'true or false', approved))
  // Ours: no, and no more of this conversation.
  if (typeof terminate !== 'boolean') {
    throw invalid(fault, mustBe('terminate', 'true or false, or left out', terminate))
  }
  if (terminate && approved) {
    throw invalid(fault, 'terminate goes with approved: false only; both are true')
  }
  const why = reasonOf(reason, fault)
  const prompt = parts.prompts.find(member, id)
  if (prompt?.kind !== 'approval') throw await unknownRequest(parts.ports, id, member.caller.actor)
  const decision = approved ? 'approve' : terminate ? 'terminate' : 'reject'
  return decided(parts, member, id, prompt, { decision, digest: prompt.digest, ...why })
}

async function answerQuestion(
  parts: CommandParts,
  member: RoomMember,
  data: JsonValue | undefined,
): Promise<CommandDone> {
  const fault = 'invalid user question response data'
  const { request_id: id, answers, declined, reason } = record(data, fault)
  if (typeof id !== 'string') throw invalid(fault, mustBe('request_id', PROMPT_ID, id))
  if (declined !== undefined && declined !== true) {
    throw invalid(fault, mustBe('declined', 'true, or left out', declined))
  }
  if (declined === true && answers !== undefined) {
    throw invalid(fault, 'give either answers or declined: true; found both')
  }
  if (declined === undefined && !isObject(answers)) {
    throw invalid(fault, mustBe('answers', 'an object with the answer to each question, by its id', answers))
  }
  const why = reasonOf(reason, fault)
  const prompt = parts.prompts.find(member, id)
  if (prompt?.kind !== 'question') throw await unknownRequest(parts.ports, id, member.caller.actor)
  const { digest } = prompt
  const input =
    declined === true
      ? { decision: 'reject' as const, digest, ...why }
      : { decision: 'answer' as const, digest, answers: answers as DecisionAnswers }
  return decided(parts, member, id, prompt, input)
}

function checkHealth({ ports }: CommandParts): CommandDone {
  return { data: { status: 'ok', timestamp: toSeconds(ports.clock.now()) } }
}

type PetDecisionInput = Parameters<Deciding['decide']>[1]
/** The gateway checks them against the questions. */
type DecisionAnswers = NonNullable<PetDecisionInput['answers']>

/** Who answered is told by the response; the others who were asked, at once, and not only when the delivery is due. */
async function decided(
  { ports, prompts }: CommandParts,
  member: RoomMember,
  id: string,
  prompt: Prompt,
  input: PetDecisionInput,
): Promise<CommandDone> {
  const { actor } = member.caller
  const answer = prompts.answering(member, prompt.request)
  /** What has happened to it meanwhile was kept from them. */
  function tellAfterAll(): void {
    answer.withdraw()
    ports.deciding.get(prompt.request, actor).then(prompts.tell, () => {})
  }
  try {
    const { request, decided, repeated } = await ports.deciding.decide(prompt.request, input, actor)
    if (!decided) tellAfterAll()
    const data = { request_id: id, state: request.state, decided, repeated }
    return { data, afterwards: () => prompts.tell(request) }
  } catch (error) {
    tellAfterAll()
    throw error
  }
}

/**
 * They were not asked here, whether or not there is such a request. The attempt goes to the gateway all the same, naming no
 * digest: such a decision can change nothing, and one by somebody who may not decide is put on the record (P6). It also
 * takes the same time either way.
 */
async function unknownRequest(ports: ChannelPorts, id: string, actor: Actor): Promise<PetFault> {
  await ports.deciding.decide(id, { decision: 'reject', digest: '' }, actor).catch(() => {})
  return new PetFault('unknown request', { request_id: id })
}

/** The words of the original, which clients compare, and beside them what is wrong and what would be right. */
function invalid(fault: string, detail: string): PetFault {
  return new PetFault(fault, { detail })
}

function sessionOf(member: RoomMember, key: JsonValue | undefined, fault: string): string {
  if (key === undefined || key === null || key === '') return conversationId(member.room.id, undefined)
  if (typeof key !== 'string' || key.length > MAX_LABEL) {
    throw invalid(fault, mustBe('session_key', `a text of at most ${MAX_LABEL} characters, or left out`, key))
  }
  return conversationId(member.room.id, key)
}

function reasonOf(reason: JsonValue | undefined, fault: string): { reason?: string } {
  if (reason === undefined || reason === null || reason === '') return {}
  if (typeof reason !== 'string') throw invalid(fault, mustBe('reason', 'a text, or left out', reason))
  return { reason }
}

function record(data: JsonValue | undefined, fault: string): JsonObject {
  if (!isObject(data)) throw invalid(fault, mustBe('data', 'an object', data))
  return data
}
