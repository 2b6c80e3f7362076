/**
 * The hooks of coding agents. One exchange reads the event, asks the policy and people, and answers in the agent's own form. A hook
 * waits as long as the agent lets it; then the model is told to make the same call again, which joins the request that waits.
 *
 * The answer is a refusal whatever goes wrong: a deny in the agent's own form where the event can be read that far, and a status of
 * 400 or more otherwise, which the hook's script takes for a no. Only `allow` and `no_opinion` let a call run, and both are given
 * after the call is on record.
 */
import { z } from 'zod'
import type { AgentHookAnswer } from '../../../coding-agents/agent-hook-answer.ts'
import { CODING_AGENTS, findCodingAgent } from '../../../coding-agents/agents.ts'
import type { CodingAgent } from '../../../coding-agents/coding-agent.ts'
import { type HookEvent, isUnreadable, type MadeCall } from '../../../coding-agents/hook-event.ts'
import { defined } from '../../../core/defined.ts'
import { BanksmanError, isBanksmanError } from '../../../core/errors.ts'
import type { JsonObject, JsonValue } from '../../../core/json/json.ts'
import { parseStrictJson } from '../../../core/json/strict-json.ts'
import { editText } from '../../../guard/model-texts.ts'
import { hookAnswer, hookHold } from '../../../wire/hook.ts'
import type { Caller } from '../../access/authentication.ts'
import type { HttpContext } from '../../connection/http-context.ts'
import type { LiveConnectionParts } from '../../connection/live-connection.ts'
import { MAX_BODY_BYTES, readJsonText } from '../../from-wire/read-body.ts'
import { json, type Route, route } from '../route.ts'
import { answerWantedCall, type WantedExchange } from './wanted-call.ts'

export function hookRoutes(live: LiveConnectionParts): Route[] {
  const { gateway } = live

  async function answerEvent(event: HookEvent, exchange: WantedExchange): Promise<AgentHookAnswer> {
    const { actor } = exchange.caller
    switch (event.phase) {
      case 'before':
      case 'asked':
        return answerWantedCall(live, event, exchange)
      case 'after':
        return answerMadeCall(event, exchange.agent, exchange.caller)
      case 'over':
        await gateway.endHandedOver(event.session, actor)
        return { kind: 'noted' }
    }
  }

  async function answerMadeCall(
    event: MadeCall,
    agent: CodingAgent,
    { actor }: Caller,
  ): Promise<AgentHookAnswer> {
    const { session, callId, tool, arguments: args, outcome } = event
    const call = { session, callId, tool, arguments: args, ...outcome }
    const reported = await gateway.reportHandedOver(call, actor)
    const isUntold = reported && (agent.tellsEdits === 'after' || reported.foundBy === 'arguments')
    return isUntold ? { kind: 'noted', note: editText(reported.by, reported.edited) } : { kind: 'noted' }
  }

  return [
    route('POST /v1/hooks/{agent}', {
      summary:
        "What a coding agent's hook sends, word for word. Before a call it waits for a person where one is needed, and answers in the agent's own form.",
      access: 'anyone',
      scope: (step) => `hooks:${step('agent')}`,
      query: z.strictObject({ hold: hookHold.exactOptional() }),
      answers: [json("The answer, in the agent's own form.", hookAnswer)],
      async answer({ c, caller, query, step }): Promise<JsonObject> {
        const agent = agentOf(step('agent'))
        const read = await readEvent(c)
        if ('because' in read) return agent.write({ kind: 'deny', because: read.because }, 'before')
        const event = agent.read(read.event)
        if (read.isLarge && (isUnreadable(event) || event.phase === 'before' || event.phase === 'asked'))
          return agent.write({ kind: 'deny', because: unread(TOO_LARGE) }, 'before')
        if (isUnreadable(event)) {
          const { phase, because } = event
          if (phase === undefined) throw new BanksmanError('invalid', because)
          return agent.write({ kind: 'deny', because }, phase)
        }
        await gateway.hookSightings.note(caller.token, event.session)
        const folder = 'cwd' in event ? event.cwd : undefined
        await gateway.sessionSightings.note({ session: event.session, folder }, caller.actor)
        const exchange = { c, caller, agent, ...defined({ holdMs: query.hold }) }
        return agent.write(await answerEvent(event, exchange), event.phase)
      },
    }),
  ]
}

function agentOf(name: string): CodingAgent {
  const agent = findCodingAgent(name)
  if (agent !== undefined) return agent
  const known = CODING_AGENTS.map((one) => one.name).join(', ')
  throw new BanksmanError(
    'unknown_id',
    `there is no coding agent ${JSON.stringify(name.slice(0, 100))}; there are ${known}`,
  )
}

/** What is no JSON, has a key twice or is too large is refused in words: those who send it mostly want to make a call. */
async function readEvent(
  c: HttpContext,
): Promise<{ event: JsonValue; isLarge: boolean } | { because: string }> {
  try {
    const text = await readJsonText(c, MAX_REPORT_BYTES)
    return { event: parseStrictJson(text), isLarge: Buffer.byteLength(text) > MAX_BODY_BYTES }
  } catch (error) {
    if (isBanksmanError(error, 'too_large') || isBanksmanError(error, 'invalid_json'))
      return { because: unread(error.message) }
    throw error
  }
}

/** What a call brought may be larger than a call: that it was made goes on record, and the rest is left out. */
const MAX_REPORT_BYTES = 16 * 1024 * 1024
const TOO_LARGE = `the body is larger than ${MAX_BODY_BYTES} bytes`

function unread(why: string): string {
  return `Banksman can't read this call, so it does not run: ${why}`
}
