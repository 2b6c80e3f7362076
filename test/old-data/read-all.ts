/** All that a store gives to who asks for everything, as JSON that can be kept and compared. */
import { STATES } from '../../src/core/request.ts'
import type { Store } from '../../src/stores/store.ts'

export async function readAll(store: Store): Promise<Record<string, unknown>> {
  const requests = (await Promise.all(STATES.map((state) => store.list({ state, limit: 100 })))).flatMap(
    ({ items }) => items,
  )
  const sessions = (await store.sessions.list({})).items
  const chains = (await store.journal.chains()).sort((one, other) => one.chain.localeCompare(other.chain))
  const all = {
    requests: requests.sort(byId),
    deliveries: (await Promise.all(requests.map(({ id }) => store.deliveries.list(id)))).flat(),
    sessions: sessions.sort(byId),
    turns: await Promise.all(sessions.map(({ id }) => store.turns.read(id, 0, 100))),
    calls: (await store.calls.list({})).items,
    history: (await store.calls.history({})).items,
    grants: (await store.grants.list({})).items.sort(byId),
    tokens: (await store.tokens.list()).sort(byId),
    leases: await store.leases.list(''),
    setting: await store.settings.get('kept'),
    chains,
    journal: (await Promise.all(chains.map(({ chain }) => store.journal.read(chain, 0, 1000)))).flat(),
  }
  return JSON.parse(JSON.stringify(all)) as Record<string, unknown>
}

function byId(one: { id: string }, other: { id: string }): number {
  return one.id < other.id ? -1 : 1
}
