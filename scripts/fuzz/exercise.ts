/** What is done with one hostile call: submitted, looked at, edited, explained, searched for, and decided. */
import type { MeasuredServer } from './measured-server.ts'

export const STEPS = [
  'review',
  'view',
  'preview',
  'suggestions',
  'list',
  'explain',
  'explainPlan',
  'history',
  'replay',
  'reject',
] as const

export type Step = (typeof STEPS)[number]

export interface Exercise {
  /** The steps that there is something to do for, in order. */
  run(step: Step): (() => Promise<number>) | undefined
}

interface Asked {
  id: string
  digest: string
}

/** `call` has all but the ids, which are given here: a call that is run again must not be the same call. */
export function exercise(server: MeasuredServer, call: Record<string, unknown>, id: string): Exercise {
  const body = JSON.stringify({ session: `fuzz-${id}`, ...call, callId: `call-${id}` })
  let asked: Asked | undefined
  const send = async (as: string, method: string, path: string, text?: string) => {
    const response = await fetch(server.url + path, {
      method,
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      ...(text === undefined ? {} : { body: text }),
      signal: AbortSignal.timeout(60_000),
    })
    return { status: response.status, text: await response.text() }
  }
  const { agent, person } = server
  const ofRequest = (work: (request: Asked) => Promise<number>) =>
    asked === undefined ? undefined : () => work(asked as Asked)
  return {
    run(step) {
      switch (step) {
        case 'review':
          return async () => {
            const { status, text } = await send(agent, 'POST', '/v1/calls', body)
            if (status === 200) asked = (JSON.parse(text) as { request?: Asked }).request
            return status
          }
        case 'view':
          return ofRequest(
            async ({ id: name }) => (await send(person, 'GET', `/v1/requests/${name}/view`)).status,
          )
        case 'preview':
          return ofRequest(async ({ id: name, digest }) => {
            const edited = JSON.stringify({
              digest,
              arguments: { ...(call.arguments as object), edited: 'yes' },
            })
            return (await send(person, 'POST', `/v1/requests/${name}/preview`, edited)).status
          })
        case 'suggestions':
          return ofRequest(
            async ({ id: name }) => (await send(person, 'GET', `/v1/requests/${name}/suggestions`)).status,
          )
        case 'list':
          return ofRequest(async () => (await send(person, 'GET', '/v1/requests?brief=true')).status)
        case 'explain':
        case 'explainPlan': {
          const mode = step === 'explain' ? 'acceptEdits' : 'plan'
          const { session: _, ...parts } = call
          const explained = JSON.stringify({ ...parts, mode })
          return async () => (await send(person, 'POST', '/v1/policy/explain', explained)).status
        }
        case 'history':
          return async () => (await send(person, 'GET', '/v1/history?text=aab&limit=20')).status
        case 'replay':
          return async () => {
            const candidate = JSON.stringify({ policy: { allow: ['Bash(ls *)'], ask: ['*'] }, limit: 20 })
            return (await send(person, 'POST', '/v1/policy/replay', candidate)).status
          }
        case 'reject':
          return ofRequest(async ({ id: name, digest }) => {
            const decision = JSON.stringify({ decision: 'reject', digest, reason: 'fuzz' })
            return (await send(person, 'POST', `/v1/requests/${name}/decisions`, decision)).status
          })
      }
    },
  }
}
