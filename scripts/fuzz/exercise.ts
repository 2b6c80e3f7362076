/** What is done with one hostile call: submitted, looked at, edited, explained, searched for, decided and run. */
import { defined } from '../../src/core/defined.ts'
import type { MeasuredServer } from './measured-server.ts'

export const STEPS = [
  'review',
  'view',
  'preview',
  'suggestions',
  'uncover',
  'interrupt',
  'list',
  'explain',
  'explainPlan',
  'history',
  'replay',
  'decide',
  'again',
  'claim',
  'outcome',
  'grants',
  'journal',
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

/** Of what an agent says of the outcome, a little less than is let in. */
const LONG_SUMMARY = 15_000

/** A person who has the inbox open, and is told of everything. */
export async function followEvents({ url, person }: MeasuredServer): Promise<void> {
  const { body } = await fetch(`${url}/v1/events`, { headers: { authorization: `Bearer ${person}` } })
  const forever = async () => {
    for await (const _ of body ?? []);
  }
  // It ends with the server.
  forever().catch(() => {})
}

/** `call` has all but the ids, which are given here: a call that is run again must not be the same call. */
export function exercise(server: MeasuredServer, call: Record<string, unknown>, id: string): Exercise {
  const body = JSON.stringify({ session: `fuzz-${id}`, ...call, callId: `call-${id}` })
  const again = JSON.stringify({ session: `fuzz-${id}`, ...call, callId: `again-${id}` })
  const summary = JSON.stringify(call.arguments).slice(0, LONG_SUMMARY).toWellFormed()
  const isApproved = Number(id) % 2 === 0
  let asked: Asked | undefined
  let widest: string | undefined
  let claim: string | undefined
  const send = async (as: string, method: string, path: string, text?: string) => {
    const response = await fetch(server.url + path, {
      method,
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      ...defined({ body: text }),
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
          return ofRequest(async ({ id: name }) => {
            const { status, text } = await send(person, 'GET', `/v1/requests/${name}/suggestions`)
            if (status === 200)
              widest = (JSON.parse(text) as { suggestions: { id: string }[] }).suggestions.at(-1)?.id
            return status
          })
        case 'uncover':
          return ofRequest(
            async ({ id: name }) => (await send(person, 'GET', `/v1/requests/${name}/arguments`)).status,
          )
        case 'interrupt':
          return ofRequest(
            async () => (await send(person, 'GET', `/v1/sessions/fuzz-${id}/interrupt`)).status,
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
        case 'decide':
          return ofRequest(async ({ id: name, digest }) => {
            const remembered =
              widest === undefined ? {} : { scope: 'session', grant: { suggestion: widest, expiresIn: '1h' } }
            const decision = isApproved
              ? { decision: 'approve', digest, ...remembered }
              : { decision: 'reject', digest, reason: 'fuzz' }
            return (await send(person, 'POST', `/v1/requests/${name}/decisions`, JSON.stringify(decision)))
              .status
          })
        case 'again':
          return async () => (await send(agent, 'POST', '/v1/calls', again)).status
        case 'claim':
          return ofRequest(async ({ id: name, digest }) => {
            const wanted = JSON.stringify({ digest, key: `key-${id}` })
            const { status, text } = await send(agent, 'POST', `/v1/requests/${name}/claim`, wanted)
            if (status === 200) claim = (JSON.parse(text) as { claimId: string }).claimId
            return status
          })
        case 'outcome':
          return claim === undefined
            ? undefined
            : ofRequest(async ({ id: name }) => {
                const outcome = JSON.stringify({ claimId: claim, outcome: 'ok', summary })
                return (await send(agent, 'POST', `/v1/requests/${name}/outcome`, outcome)).status
              })
        case 'grants':
          return async () => (await send(person, 'GET', '/v1/grants')).status
        case 'journal':
          return async () => (await send(person, 'GET', '/v1/journal?limit=100')).status
      }
    },
  }
}
