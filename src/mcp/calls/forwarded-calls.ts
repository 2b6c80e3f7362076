/**
 * Calls that the MCP server was given. Its answer goes to the client, and what became of the call to the Banksman server. The outcome of a
 * call that people were asked about is on the record before the client hears of it.
 *
 * An answer that nobody waits for any longer is kept: whoever makes the same call again has not heard that it ran, and is given the
 * answer in place of a second run. A server that needs something of the client first has not finished: the call stays held until the client
 * comes back with it.
 */
import { isDeepStrictEqual } from 'node:util'
import { messageOf } from '../../core/errors.ts'
import { canonicalize, type JsonObject } from '../../core/json/json.ts'
import { skipSpace } from '../../core/json/json-text.ts'
import { MCP_STATE_PREFIX } from '../../core/support/mcp-names.ts'
import type { Held, HeldOutcome } from '../../guard/contract.ts'
import { editText } from '../../guard/model-texts.ts'
import { decodeString, type MemberSpan, membersAt } from '../lines/json-members.ts'
import type { MessageId } from '../lines/message-id.ts'
import { parsedMember, type ServerMessage } from '../lines/server-message.ts'
import { type ByteEdit, removal, spliced } from '../lines/splice.ts'
import { brokenOff, refusal } from './ask-server.ts'
import { argumentsEdit, asObject, type GatedCall, stateEdit } from './gated-call.ts'
import { isQuestion, type QuestionMethod } from './given-answers.ts'
import { createKeptResults } from './kept-results.ts'
import { createLateReports } from './late-reports.ts'

export interface ForwardedCalls {
  /** What the server is sent. */
  begin(forwarding: Forwarding): Buffer
  has(key: string): boolean
  /** The client no longer waits for the answer. */
  cancel(key: string): void
  finish(key: string, message: ServerMessage): Promise<void>
  /** It has begun and will not be answered. Unless somebody knows better it may have run. */
  fail(key: string, because: string, effect?: 'did not run' | 'may have run'): Promise<void>
  failAll(because: string): Promise<void>
  /** Whether there is an answer to an earlier call that its client did not wait for, and this is the same one. */
  hasResultFor(call: GatedCall): boolean
  /** That answer. It is given once. */
  replay(call: GatedCall): Buffer | undefined
  /** The call that a client comes back to, whose server waits for it. */
  resume(requestState: string, call: GatedCall): ResumedCall | undefined
}

export interface ResumedCall {
  held: Held
  /** What the server has asked, by its keys. */
  questions: ReadonlyMap<string, QuestionMethod>
}

export interface Forwarding {
  call: GatedCall
  held: Held
  /** The id that the server sees, where it is not the client's. */
  as?: MessageId
  /** The server's own state, which the client came back for. */
  inner?: string | undefined
  /** The server has asked the client for something, and waits for it. */
  isResumed?: boolean
  /** Takes the result's JSON, as Latin-1, where it isn't an answer to the client. */
  done?(result: string): void
}

export interface ForwardedCallPorts {
  send(bytes: Buffer): Promise<void>
  note(text: string): void
  /** What the client comes back with, for the server's own. */
  wrapState(call: GatedCall, inner: string | undefined): Promise<string>
}

interface ForwardedCall extends Forwarding {
  isCancelled: boolean
}

/** What the store keeps of a result; see `guard/kept-result.ts`. */
const MAX_REMEMBERED_BYTES = 256 * 1024
const COMES_BACK_WITHIN_MS = 30 * 60_000

export function createForwardedCalls({ send, note, wrapState }: ForwardedCallPorts): ForwardedCalls {
  const running = new Map<string, ForwardedCall>()
  const late = createLateReports()
  const undelivered = createKeptResults(() => performance.now())
  /** Calls whose server waits for the client, by what the client was given. */
  const expected = new Map<string, ResumedCall & { shape: string; timer: NodeJS.Timeout }>()

  function take(key: string): ForwardedCall | undefined {
    const found = running.get(key)
    running.delete(key)
    return found
  }

  async function report(held: Held, outcome: HeldOutcome, isCancelled = false): Promise<void> {
    const summary = isCancelled
      ? `${outcome.summary ?? 'it ran'}; the client no longer waited`
      : outcome.summary
    if (!(await held.report({ ...outcome, summary })))
      note('an outcome is not on the record yet; it is tried again')
  }

  const failed = (held: Held, because: string, isCancelled?: boolean) =>
    report(held, { ok: false, error: new Error(because), summary: because }, isCancelled)

  /** The server wants something first. The client gets a state of ours in place of the server's own. */
  async function askBack({ call, held }: ForwardedCall, { bytes, text }: ServerMessage, result: MemberSpan) {
    const inside = membersAt(text, result.from)
    const state = inside.get('requestState')
    const inner = state !== undefined && text[state.from] === '"' ? decodeString(text, state) : undefined
    const given = await wrapState(call, inner)
    const timer = setTimeout(() => {
      expected.delete(given)
      void failed(held, 'the client did not come back with what the MCP server had asked for')
    }, COMES_BACK_WITHIN_MS)
    timer.unref()
    const questions = questionsIn(text, inside.get('inputRequests'))
    expected.set(given, { held, shape: shapeOf(call), timer, questions })
    const written = JSON.stringify(given)
    const edit: ByteEdit =
      state === undefined
        ? { from: result.from + 1, to: result.from + 1, bytes: `"requestState":${written},` }
        : { from: state.from, to: state.to, bytes: written }
    await send(spliced(bytes, [edit]))
  }

  return {
    begin(forwarding) {
      const { call, held, as, inner, isResumed } = forwarding
      running.set((as ?? call.id).key, { ...forwarding, isCancelled: false })
      const isSame = isSameJson(held.arguments, call.arguments)
      const id = as && call.message.members.get('id')
      const edits = [
        isSame ? undefined : argumentsEdit(call, held.arguments),
        isOurs(call) ? stateEdit(call, inner) : undefined,
        // What was answered is our question, not the server's.
        isOurs(call) && isResumed !== true ? responsesEdit(call) : undefined,
        id && { from: id.from, to: id.to, bytes: Buffer.from(as.source, 'latin1') },
        as && tasksEdit(call),
      ].filter((edit) => edit !== undefined)
      return edits.length === 0 ? call.message.bytes : spliced(call.message.bytes, edits)
    },
    has: (key) => running.has(key),
    cancel(key) {
      const found = running.get(key)
      if (found !== undefined) found.isCancelled = true
    },
    async finish(key, message) {
      const found = take(key)
      if (found === undefined) return
      const { call, held, isCancelled, done } = found
      const { outcome, result, isAsking } = outcomeOf(message, held.requestId !== undefined)
      if (isAsking && result !== undefined && done === undefined && !isCancelled)
        return askBack(found, message, result).catch(async (error) => {
          const because = `the MCP server asks for something first, and the client can't be asked: ${messageOf(error)}`
          await failed(held, because)
          await send(brokenOff(call, `${because}. It may have had its effect`, held.requestId))
        })
      // Its server waits for the client, which can't be asked any more: not even whoever repeats the call is who was asked.
      if (isAsking === true && result !== undefined) {
        const because =
          'the MCP server asks for something first, and the client of this call can no longer be asked'
        await failed(held, because, isCancelled)
        const told = brokenOff(call, `${because}. It may have had some effect`, held.requestId)
        return done?.(resultIn(told) ?? NO_RESULT)
      }
      const bytes =
        held.edited === undefined ? message.bytes : withNote(message, result, editText(held.by, held.edited))
      const deliver = async () => {
        if (done !== undefined) done(resultIn(bytes) ?? NO_RESULT)
        else if (!isCancelled) await send(bytes)
        else if (result !== undefined)
          undelivered.keep(
            shapeOf(call),
            bytes.subarray(result.from, result.to + bytes.length - message.bytes.length),
          )
      }
      // A person is behind it: first the record.
      if (held.requestId !== undefined) await report(held, outcome, isCancelled)
      await deliver()
      if (held.requestId === undefined) late.add(() => report(held, outcome, isCancelled))
    },
    async fail(key, because, effect = 'may have run') {
      const found = take(key)
      if (found === undefined) return
      const { call, held, isCancelled, done } = found
      await failed(held, because, isCancelled)
      const bytes =
        effect === 'did not run'
          ? refusal(call, because, held.requestId)
          : brokenOff(call, `${because}. It may have had its effect`, held.requestId)
      if (done !== undefined) done(resultIn(bytes) ?? NO_RESULT)
      else if (!isCancelled) await send(bytes)
    },
    async failAll(because) {
      const waiting = [...expected.values()].map(({ held, timer }) => {
        clearTimeout(timer)
        return failed(held, because)
      })
      expected.clear()
      await Promise.allSettled([
        late.flush(),
        ...waiting,
        ...[...running.keys()].map((key) => this.fail(key, because)),
      ])
    },
    hasResultFor: (call) =>
      call.method === 'tools/call' && !undelivered.isEmpty() && undelivered.has(shapeOf(call)),
    replay(call) {
      const result = undelivered.take(shapeOf(call))
      if (result === undefined) return undefined
      return Buffer.concat([
        Buffer.from('{"jsonrpc":"2.0","id":'),
        Buffer.from(call.id.source, 'latin1'),
        Buffer.from(',"result":'),
        result,
        Buffer.from('}\n'),
      ])
    },
    resume(requestState, call) {
      const found = expected.get(requestState)
      if (found?.shape !== shapeOf(call)) return undefined
      expected.delete(requestState)
      clearTimeout(found?.timer)
      return found
    },
  }
}

/** Writing a megabyte in its canonical form takes longer than everything else about the call; what is the same at first sight needs none. */
function isSameJson(one: JsonObject, other: JsonObject): boolean {
  return isDeepStrictEqual(one, other) || canonicalize(one) === canonicalize(other)
}

/** What the server asks of the client, where it is one of the protocol's questions. */
function questionsIn(text: string, span: MemberSpan | undefined): Map<string, QuestionMethod> {
  const asked = new Map<string, QuestionMethod>()
  if (span === undefined || text[span.from] !== '{') return asked
  for (const [key, one] of membersAt(text, span.from)) {
    const { method } = asObject(parsedMember(text, one))
    if (typeof method === 'string' && isQuestion(method)) asked.set(key, method)
  }
  return asked
}

const NO_RESULT = '{"resultType":"complete","content":[],"isError":true}'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const TASKS = 'io.modelcontextprotocol/tasks'

function shapeOf({ tool, arguments: args, wantsTask }: GatedCall): string {
  return canonicalize([tool, args, wantsTask])
}

function isOurs({ requestState }: GatedCall): boolean {
  return requestState?.startsWith(MCP_STATE_PREFIX) === true
}

function responsesEdit({ responses }: GatedCall): ByteEdit | undefined {
  return responses && { from: responses.from, to: responses.to, bytes: '{}' }
}

/** As a task of ours, the call can't become one of the server's as well. */
function tasksEdit({ message: { text, members } }: GatedCall): ByteEdit | undefined {
  let at = members.get('params')
  for (const name of ['_meta', CAPABILITIES, 'extensions', TASKS]) {
    if (at === undefined || text[at.from] !== '{') return undefined
    at = membersAt(text, at.from).get(name)
  }
  return at && removal(text, at)
}

/** What the server says of a call, and where its result stands. */
function outcomeOf(
  { text, members }: ServerMessage,
  isAsked: boolean,
): { outcome: HeldOutcome; result: MemberSpan | undefined; isAsking?: boolean } {
  const error = members.get('error')
  const result = members.get('result')
  if (error !== undefined || result === undefined) {
    const summary = 'the MCP server answered with an error'
    return { outcome: { ok: false, error: new Error(summary), summary }, result: undefined }
  }
  const inside = text[result.from] === '{' ? membersAt(text, result.from) : new Map<string, MemberSpan>()
  const written = (name: string) => {
    const span = inside.get(name)
    return span === undefined ? undefined : text.slice(span.from, span.to)
  }
  const isShort = isAsked && result.to - result.from <= MAX_REMEMBERED_BYTES
  const value = isShort ? parsedMember(text, result) : undefined
  // The tool's own error is an answer like any other: the model reads it, and so does whoever repeats the call.
  const summary =
    written('isError') === 'true'
      ? 'the tool answered with an error'
      : written('resultType') === '"task"'
        ? 'the MCP server goes on with it as a task'
        : undefined
  return {
    outcome: { ok: true, value, summary },
    result,
    isAsking: written('resultType') === '"input_required"',
  }
}

/** The JSON of a result, as Latin-1. */
function resultIn(bytes: Buffer): string | undefined {
  const text = bytes.toString('latin1')
  const result = membersAt(text, skipSpace(text, 0)).get('result')
  return result && text.slice(result.from, result.to)
}

/** The same answer with a sentence in front of what the model reads. */
function withNote({ bytes, text }: ServerMessage, result: MemberSpan | undefined, note: string): Buffer {
  if (result === undefined || text[result.from] !== '{') return bytes
  const content = membersAt(text, result.from).get('content')
  if (content === undefined || text[content.from] !== '[') return bytes
  const at = content.from + 1
  const isEmpty = text.slice(at, content.to - 1).trim() === ''
  const block = JSON.stringify({ type: 'text', text: note.toWellFormed() })
  return spliced(bytes, [{ from: at, to: at, bytes: `${block}${isEmpty ? '' : ','}` }])
}
