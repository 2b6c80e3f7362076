/** Sessions: what they are, their mode, interrupting and ending them. Only people change them (P11). */
import { ERROR_STATUS, isBanksmanError } from '../../core/errors.ts'
import { LIVE_STATES } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import type { WireStopped } from '../../core/wire.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { sessionToWire } from '../records-to-wire.ts'
import { type Route, route } from '../route.ts'
import * as answers from '../schemas/answers.ts'
import { modeBody, reasonBody } from '../schemas/bodies.ts'

export function sessionRoutes(gateway: Gateway): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/sessions/{id}',
      summary: 'One session. Agents see their own.',
      access: 'anyone',
      answers: [{ status: 200, description: 'The session.', schema: answers.session }],
      async answer({ c, caller, step }) {
        return c.json(sessionToWire(await gateway.session(step('id'), caller.actor)))
      },
    }),
    route({
      method: 'PUT',
      path: '/v1/sessions/{id}/mode',
      summary: 'Set the mode of a session.',
      access: 'people',
      body: modeBody,
      answers: [{ status: 200, description: 'The session.', schema: answers.session }],
      async answer({ c, caller, body, step }) {
        await gateway.setMode(step('id'), body.mode, caller.actor)
        return c.json(sessionToWire(await gateway.session(step('id'), caller.actor)))
      },
    }),
    route({
      method: 'POST',
      path: '/v1/sessions/{id}/stop',
      summary: 'Interrupt the turn of a session: what waits in it is cancelled, what runs is told to stop.',
      access: 'people',
      body: reasonBody,
      answers: [{ status: 200, description: 'What was stopped.', schema: answers.stopped }],
      async answer({ c, caller, body, step }) {
        await gateway.session(step('id'), caller.actor)
        return c.json(await stopAll(gateway, step('id'), body, caller.actor))
      },
    }),
    route({
      method: 'POST',
      path: '/v1/sessions/{id}/end',
      summary: 'End a session and all that it started: nothing more runs in it.',
      access: 'people',
      body: reasonBody,
      answers: [{ status: 200, description: 'The session.', schema: answers.session }],
      async answer({ c, caller, body, step }) {
        await gateway.endSession(step('id'), body, caller.actor)
        return c.json(sessionToWire(await gateway.session(step('id'), caller.actor)))
      },
    }),
  ]
}

/** One that can't be stopped must not keep the others running. */
async function stopAll(
  gateway: Gateway,
  session: string,
  { reason }: { reason?: string },
  actor: Actor,
): Promise<WireStopped> {
  const result: WireStopped = { stopped: [], refused: [] }
  for (const id of await liveIds(gateway, session, actor)) {
    try {
      await gateway.cancel(id, { interrupted: true, ...(reason === undefined ? {} : { reason }) }, actor)
      result.stopped.push(id)
    } catch (error) {
      if (!isBanksmanError(error) || ERROR_STATUS[error.code] >= 500) throw error
      // It ended by itself in the meantime: there was nothing left to stop.
      if (error.code !== 'not_pending') result.refused.push({ id, code: error.code, detail: error.message })
    }
  }
  return result
}

async function liveIds(gateway: Gateway, session: string, actor: Actor): Promise<Set<string>> {
  const ids = new Set<string>()
  for (const state of LIVE_STATES) {
    let cursor: string | undefined
    do {
      const page = await gateway.list({ state, session, ...(cursor === undefined ? {} : { cursor }) }, actor)
      for (const { id } of page.items) ids.add(id)
      cursor = page.cursor
    } while (cursor !== undefined)
  }
  return ids
}
