/** Sessions: what they are, their mode, interrupting and ending them. Only people change them (P11). */

import type { Conversations, Interruption } from '../../../core/conversation.ts'
import { defined } from '../../../core/defined.ts'
import { ERROR_STATUS, isBanksmanError } from '../../../core/errors.ts'
import { LIVE_STATES, type RequestState } from '../../../core/request.ts'
import { modeNamed } from '../../../core/secretary.ts'
import type { Actor } from '../../../core/session.ts'
import { readAllPages } from '../../../core/support/read-pages.ts'
import { sayError } from '../../../display/reasons/say-error.ts'
import type { Gateway } from '../../../gateway/gateway-verbs.ts'
import * as sessionWire from '../../../wire/session.ts'
import { modeBody, reasonBody, stopBody } from '../../../wire/session.ts'
import type { WireStopped } from '../../../wire/types/session.ts'
import type { Caller } from '../../access/authentication.ts'
import { json, type Route, route } from '../route.ts'
import { type ConversationRouteParts, createReadSession } from './read-session.ts'

export function sessionRoutes(parts: ConversationRouteParts): Route[] {
  const { gateway, conversations } = parts
  const readSession = createReadSession(parts)
  return [
    route('GET /v1/sessions/{id}', {
      summary: 'One session. Agents see their own.',
      access: 'anyone',
      answers: [json('The session.', sessionWire.session)],
      answer: ({ caller, step }) => readSession(step('id'), caller.actor),
    }),
    route('PUT /v1/sessions/{id}/mode', {
      summary: 'Set the mode of a session.',
      access: 'people',
      body: modeBody,
      answers: [json('The session.', sessionWire.session)],
      async answer({ caller, body, step }) {
        await gateway.setMode(step('id'), modeNamed(body.mode), caller.actor)
        return readSession(step('id'), caller.actor)
      },
    }),
    route('POST /v1/sessions/{id}/stop', {
      summary:
        'Interrupt the turn of a session: what waits in it is cancelled, what runs is told to stop, or may finish.',
      access: 'people',
      body: stopBody,
      answers: [json('What was stopped.', sessionWire.stopped)],
      async answer({ caller, body, step }) {
        await gateway.session(step('id'), caller.actor)
        const { how: kind = 'hard', ...rest } = body
        const interruption = { kind, ...rest }
        // Before its requests fall, so that the agent does not take that for an answer and goes on.
        const interrupted = await interrupt(conversations, step('id'), interruption, caller.actor)
        const stopped = await stopAll(gateway, step('id'), interruption, caller)
        return { ...stopped, ...(conversations === undefined ? {} : { interrupted }) }
      },
    }),
    route('POST /v1/sessions/{id}/end', {
      summary: 'End a session and all that it started: nothing more runs in it.',
      access: 'people',
      body: reasonBody,
      answers: [json('The session.', sessionWire.session)],
      async answer({ caller, body, step }) {
        await gateway.endSession(step('id'), body, caller.actor)
        return readSession(step('id'), caller.actor)
      },
    }),
  ]
}

/** A session that is not of our agent, or of theirs to interrupt, has its requests stopped all the same. */
async function interrupt(
  conversations: Conversations | undefined,
  session: string,
  interruption: Interruption,
  actor: Actor,
): Promise<boolean> {
  try {
    return (await conversations?.interrupt(session, interruption, actor)) ?? false
  } catch (error) {
    if (isBanksmanError(error) && ERROR_STATUS[error.code] < 500) return false
    throw error
  }
}

/** One that can't be stopped must not keep the others running. */
async function stopAll(
  gateway: Gateway,
  session: string,
  { kind, reason }: Interruption,
  { actor, locale }: Pick<Caller, 'actor' | 'locale'>,
): Promise<WireStopped> {
  const result: WireStopped = { stopped: [], refused: [] }
  const states = kind === 'hard' ? LIVE_STATES : LIVE_STATES.filter((state) => state !== 'running')
  for (const id of await idsIn(gateway, session, states, actor)) {
    try {
      await gateway.cancel(id, { interrupted: true, ...defined({ reason }) }, actor)
      result.stopped.push(id)
    } catch (error) {
      if (!isBanksmanError(error) || ERROR_STATUS[error.code] >= 500) throw error
      // It ended by itself in the meantime: there was nothing left to stop.
      if (error.code !== 'not_pending')
        result.refused.push({ id, code: error.code, detail: sayError(error, locale) })
    }
  }
  return result
}

async function idsIn(
  gateway: Gateway,
  session: string,
  states: readonly RequestState[],
  actor: Actor,
): Promise<Set<string>> {
  const ids = new Set<string>()
  for (const state of states) {
    const found = await readAllPages((next) => gateway.list({ state, session, ...next }, actor))
    for (const { id } of found) ids.add(id)
  }
  return ids
}
