/** A call that a coding agent wants to make, from its event to the answer. Whatever goes wrong on the way is a deny. */
import { randomUUID } from 'node:crypto'
import type { AgentHookAnswer } from '../../../coding-agents/agent-hook-answer.ts'
import type { CodingAgent } from '../../../coding-agents/coding-agent.ts'
import type { WantedCall } from '../../../coding-agents/hook-event.ts'
import type { ToolCall } from '../../../core/call.ts'
import { defined } from '../../../core/defined.ts'
import type { HandedOverCall, HandOverResult } from '../../../gateway/guarding/hand-over.ts'
import type { Answered, Refused } from '../../../guard/contract.ts'
import { editText, refusalText, waitingText } from '../../../guard/model-texts.ts'
import { type Caller, credentialNotValid } from '../../access/authentication.ts'
import type { HttpContext } from '../../connection/http-context.ts'
import type { LiveConnectionParts } from '../../connection/live-connection.ts'
import { anyOf } from '../../connection/long-poll.ts'
import { toPublicError } from '../../to-wire/problem.ts'

export interface WantedExchange {
  c: HttpContext
  caller: Caller
  agent: CodingAgent
  /** How long the hook wants to wait. */
  holdMs?: number
}

/** The hook's own script gives up five seconds before the agent does; we answer before that. */
const ANSWERS_BEFORE_MS = 10_000
/** All hooks that wait are counted together. One token has at most half of the places, so that others always find one. */
const WAITING = 'hooks that wait'
const NOBODY_HEARD = 'nobody heard that it was allowed'

export async function answerWantedCall(
  live: LiveConnectionParts,
  event: WantedCall,
  exchange: WantedExchange,
): Promise<AgentHookAnswer> {
  const { gateway, report } = live
  const { c, caller, agent } = exchange
  const longest = agent.hookTimeoutMs - ANSWERS_BEFORE_MS
  const place = takePlace(live, caller)
  const holdMs = place === undefined ? 0 : Math.min(exchange.holdMs ?? longest, longest)
  const validity = caller.follow()
  const { signal, release } = anyOf([c.req.raw.signal, c.env?.closing, validity.over])
  try {
    const waiting = { holdMs, signal, can: event.can, joinToken: caller.token, reportedAs: event.callId }
    const result = await gateway.handOver(callOf(event), waiting, caller.actor)
    const isHandedOver = result.kind === 'handed_over'
    if (isHandedOver && signal.aborted) await result.giveBack(NOBODY_HEARD)
    if (validity.over.aborted) throw credentialNotValid()
    if (isHandedOver && signal.aborted) return waitingAnswer({ approvers: [], times: 1 })
    const answer = answerOf(agent, event, result)
    if (!isHandedOver) return answer
    if (answer.kind === 'deny') await result.giveBack('it could not be handed over')
    else giveBackUnlessSent(c, result)
    return answer
  } catch (error) {
    if (validity.over.aborted) throw error
    const { message } = toPublicError(error, report, `${c.req.method} ${c.req.path}`)
    return { kind: 'deny', because: `Banksman could not decide, so it does not run: ${message}` }
  } finally {
    place?.leave()
    validity.release()
    release()
  }
}

/** Undefined: enough of them wait, and this one comes again. */
function takePlace(
  { connections, settings }: LiveConnectionParts,
  { token }: Caller,
): { leave(): void } | undefined {
  const places: { leave(): void }[] = []
  const leave = () => {
    for (const place of places) place.leave()
  }
  try {
    places.push(connections.enter(`${WAITING}, of ${token}`, Math.ceil(settings.waitingHooks / 2)))
    places.push(connections.enter(WAITING, settings.waitingHooks))
    return { leave }
  } catch {
    leave()
    return undefined
  }
}

/** A claim that nobody heard of would be a call that ran for all we know. */
function giveBackUnlessSent(c: HttpContext, { giveBack }: HandedOverCall): void {
  const outgoing = c.env?.outgoing
  outgoing?.once('close', () => {
    if (!outgoing.writableFinished) void giveBack(NOBODY_HEARD)
  })
}

/** A call that the agent doesn't name is one of its own each time. */
function callOf({ callId, tool, arguments: args, session, lineage, cwd, context }: WantedCall): ToolCall {
  return {
    tool,
    arguments: args,
    callId: callId ?? `asked-${randomUUID()}`,
    session,
    agent: lineage,
    cwd,
    ...defined({ context }),
  }
}

function answerOf(agent: CodingAgent, event: WantedCall, result: HandOverResult): AgentHookAnswer {
  switch (result.kind) {
    case 'handed_over':
      return handedOverAnswer(agent, event, result)
    case 'answered':
      return personsAnswer(agent, event, result)
    case 'refused':
      return refusedAnswer(event, result)
    case 'pending':
      return waitingAnswer(result)
  }
}

function handedOverAnswer(agent: CodingAgent, event: WantedCall, result: HandedOverCall): AgentHookAnswer {
  if (!result.byPerson) return { kind: 'no_opinion' }
  const args = agent.argumentsFor(event, result.arguments)
  if (args === undefined)
    return {
      kind: 'deny',
      because: `${agent.title} can't be given the arguments that were approved. They were ${JSON.stringify(result.arguments)}.`,
    }
  const note = result.edited === undefined ? undefined : editText(result.by, args)
  return { kind: 'allow', arguments: args, ...defined({ note }) }
}

function personsAnswer(
  agent: CodingAgent,
  event: WantedCall,
  { by, text, answers }: Answered,
): AgentHookAnswer {
  if (answers !== undefined && agent.answeredArguments !== undefined)
    return { kind: 'allow', arguments: agent.answeredArguments(event, answers) }
  const said = text ?? JSON.stringify(answers ?? {})
  return { kind: 'deny', because: `${by} answered instead, and the tool did not run: ${said}` }
}

function refusedAnswer({ tool }: WantedCall, refused: Refused): AgentHookAnswer {
  const because = refusalText(tool, refused)
  const isEnd = refused.state === 'terminated' || refused.code === 'session_ended'
  return isEnd ? { kind: 'deny', because, stop: true } : { kind: 'deny', because }
}

function waitingAnswer(waiting: Parameters<typeof waitingText>[0]): AgentHookAnswer {
  return { kind: 'deny', because: waitingText(waiting), waiting: true }
}
