/**
 * Agents and people at work on several nodes at once, each step wherever it happens to come in. All that anybody was told
 * is kept in a ledger, and the audit holds it against the store.
 *
 * Whoever gets no answer says the same again at another node, as the client's contract allows: the same call id is the
 * same call, the same key is the same claim, and one's own decision is a success when it is repeated.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, isClientError } from '../../src/client/index.ts'
import type { Cluster, FaultNode } from './cluster.ts'

export interface Told {
  request: string
  by: string
  kind: string
  node: string
  /** By the clock of this process. */
  at: number
}

export interface Ledger {
  /** Requests that an agent was told of. */
  opened: Map<string, { digest: string; at: number }>
  /** Every decision that anybody was told is the recorded one, whether it was theirs or not. */
  decisions: Told[]
  /** Claims that were given out. */
  claims: { request: string; claimId: string; at: number }[]
  /** Where a tool was run, and under which claim. */
  runs: { request: string; claimId: string }[]
  reports: { request: string; at: number }[]
  /** What went wrong on the way, by code, and was tried again. */
  errors: Map<string, number>
  /** What should not have been said at all, and of which request where that is known. */
  surprises: { request: string | undefined; code: string; text: string }[]
}

export interface Load {
  readonly ledger: Ledger
  /** Nothing new is begun; what is under way is brought to its end. */
  stop(): Promise<void>
}

const AGENTS = 8
/** A fault lasts less than this; whoever gets no answer for longer gives the call up. */
const GIVE_UP_MS = 90_000
const CALL_WITHIN_MS = 6000
/** A call that was answered so is tried again, at another node. */
const PASSING = new Set([
  'unreachable',
  'unexpected_answer',
  'store_unavailable',
  'store_locked',
  'store_full',
  'closed',
  'internal',
])

export function startLoad(cluster: Cluster): Load {
  const ledger: Ledger = {
    opened: new Map(),
    decisions: [],
    claims: [],
    runs: [],
    reports: [],
    errors: new Map(),
    surprises: [],
  }
  let stopping = false
  const clients = new Map<string, Client>()
  const clientOf = (node: FaultNode, token: string) => {
    const key = `${node.name} ${token}`
    const client = clients.get(key) ?? cluster.client(node, token)
    clients.set(key, client)
    return client
  }

  /** At one node after the other until one answers; undefined when none did, or when it was said that it can't be. */
  async function say<T>(
    token: string,
    work: (client: Client, signal: AbortSignal, node: string) => Promise<T>,
  ): Promise<T | undefined> {
    const until = Date.now() + GIVE_UP_MS
    for (let turn = Math.floor(Math.random() * cluster.nodes.length); Date.now() < until; turn++) {
      const node = cluster.nodes[turn % cluster.nodes.length]!
      try {
        return await work(clientOf(node, token), AbortSignal.timeout(CALL_WITHIN_MS), node.name)
      } catch (error) {
        const code = isClientError(error) ? error.code : error instanceof Error ? error.name : 'unknown'
        ledger.errors.set(code, (ledger.errors.get(code) ?? 0) + 1)
        if (!PASSING.has(code) && code !== 'TimeoutError' && code !== 'AbortError') throw error
        await sleep(50 + Math.random() * 100)
      }
    }
    return undefined
  }

  async function agent(name: string): Promise<void> {
    for (let index = 0; !stopping; index++) {
      try {
        await oneCall(`${name}-${index % 5}`, `${name}-${index}`, index)
      } catch (error) {
        const code = isClientError(error) ? error.code : 'unknown'
        const request = /req_\w+/.exec(String(error))?.[0]
        ledger.surprises.push({ request, code, text: `${name}-${index}: ${code}: ${error}` })
      }
    }
  }

  async function oneCall(session: string, callId: string, index: number): Promise<void> {
    const { agentToken } = cluster
    const call = { tool: 'deploy', arguments: { to: callId, index }, callId, session }
    const review = await say(agentToken, (client, signal) => client.submit(call, { signal }))
    if (review === undefined) return
    const request = review.request
    if (request === undefined) throw new Error(`no request was opened: ${JSON.stringify(review.verdict)}`)
    ledger.opened.set(request.id, { digest: request.digest, at: Date.now() })
    const [, state] = await Promise.all([decideByAll(request.id, request.digest, index), waitFor(request.id)])
    if (state === 'approved') await raceToRun(request.id, request.digest)
  }

  /** Three people answer at the same time, and not the same. */
  async function decideByAll(id: string, digest: string, index: number): Promise<void> {
    await Promise.all(
      cluster.people.map(async ({ token }, place) => {
        const decision = (index + place) % 3 === 2 ? ('reject' as const) : ('approve' as const)
        await say(token, async (client, signal, node) => {
          try {
            const { request } = await client.decide(id, { decision, digest }, { signal })
            note(id, request.decision, node)
          } catch (error) {
            if (!isClientError(error) || error.status !== 409) throw error
            note(id, error.problem?.decision, node)
          }
        })
      }),
    )
  }

  function note(request: string, decision: unknown, node: string): void {
    const { by, kind } = (decision ?? {}) as { by?: string; kind?: string }
    if (by === undefined || kind === undefined) return
    ledger.decisions.push({ request, by, kind, node, at: Date.now() })
  }

  async function waitFor(id: string): Promise<string | undefined> {
    const until = Date.now() + GIVE_UP_MS
    while (Date.now() < until) {
      const seen = await say(cluster.agentToken, (client, signal) => client.get(id, { holdMs: 4000, signal }))
      if (seen === undefined) return undefined
      if (seen.state !== 'pending') return seen.state
    }
    return undefined
  }

  /** Two runners with keys of their own want to run it. One may. */
  async function raceToRun(id: string, digest: string): Promise<void> {
    await Promise.all(
      ['one', 'other'].map(async (runner) => {
        const key = `${id}-${runner}`
        const claim = await say(cluster.agentToken, async (client, signal) => {
          try {
            return await client.claim(id, { digest, key }, { signal })
          } catch (error) {
            // The other one has it, or it lapsed while nobody could be reached.
            if (isClientError(error) && !PASSING.has(error.code)) return undefined
            throw error
          }
        })
        if (claim === undefined) return
        const { claimId } = claim
        ledger.claims.push({ request: id, claimId, at: Date.now() })
        ledger.runs.push({ request: id, claimId })
        await say(cluster.agentToken, async (client, signal) => {
          await client.report(id, { claimId, outcome: 'ok' }, { signal })
          ledger.reports.push({ request: id, at: Date.now() })
        })
      }),
    )
  }

  const working = Array.from({ length: AGENTS }, (_, index) => agent(`agent${index}`))
  return {
    ledger,
    async stop() {
      stopping = true
      await Promise.all(working)
    },
  }
}
