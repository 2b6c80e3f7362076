/**
 * A crash can leave the last part of the server's log unwritten, down to the middle of a command. Whatever is cut off, a
 * step is there whole or not at all (P1, P10): Redis writes what a script did as one transaction.
 */
import { readdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { noRedis, startRedis } from '../../../test/servers/redis.ts'
import { grantDraft, requestDraft, sessionDraft } from '../../testing/store/drafts.ts'
import type { Store } from '../store.ts'
import { codeOf, opening, openRaw, watchedEntry } from './fixtures/redis-test.ts'
import { openRedisStore } from './store.ts'

const STEPS = 12
const CUTS = 25

describe.skipIf(noRedis)('a log that was cut off', () => {
  it('P1, P10: loses whole steps only, from the last one on', async () => {
    const server = await startRedis()
    try {
      const raw = await openRaw(server.url)
      const folder = String(((await raw.send('CONFIG', 'GET', 'dir')) as string[])[1])
      raw.close()
      const first = await openRedisStore({ url: server.url })
      for (let index = 0; index < STEPS; index++) await step(first, index)
      await first.close()
      await server.kill()

      const logs = join(folder, 'appendonlydir')
      const log = join(logs, readdirSync(logs).find((name) => name.endsWith('.incr.aof'))!)
      let before = STEPS
      for (let cut = 0; cut < CUTS; cut++) {
        // Odd lengths, so that the cuts fall everywhere: within a text, a number, a transaction.
        const length = statSync(log).size - 397 - cut * 13
        truncateSync(log, Math.max(0, length))
        await server.start()
        const store = await openRedisStore({ url: server.url })
        const steps = await wholeSteps(store)
        expect(steps).toBeLessThanOrEqual(before)
        // Who knows more of the chain than is left of it does not write over what was lost.
        const late = { ...watchedEntry(), follows: before * 2 }
        if (steps < before) expect(await codeOf(store.journal.append(late))).toBe('store_unavailable')
        before = steps
        await store.close()
        await server.kill()
      }
      expect(before).toBeLessThan(STEPS)
    } finally {
      await server.dispose()
    }
  })
})

/** Two entries, many keys: a request in a new session with deliveries, and its decision with a grant. */
async function step(store: Store, index: number): Promise<void> {
  const id = `r${index}`
  const session = sessionDraft(`s${index}`)
  await store.open({
    ...opening(id),
    request: requestDraft(id, { session: session.id }),
    session,
    deliveries: [{ channel: 'chat' }],
  })
  await store.transition({
    id,
    version: 1,
    from: 'pending',
    to: 'approved',
    progress: {},
    deadline: { inMs: 1000 },
    grant: grantDraft(`g${index}`),
    entry: watchedEntry({ body: `approved ${id}` }),
  })
}

/** How many steps are there; throws where one is there by half. */
async function wholeSteps(store: Store): Promise<number> {
  const bodies = (await store.journal.read('chain-1', 0, 1000)).map(({ body }) => body)
  const has = (body: string) => bodies.includes(body)
  let approved = 0
  for (let index = 0; index < STEPS; index++) {
    const id = `r${index}`
    const request = await store.get(id)
    const state = has(`approved ${id}`) ? 'approved' : has(id) ? 'pending' : undefined
    const isOpen = state !== undefined
    expect([id, request?.state]).toEqual([id, state])
    expect((await store.sessions.get(`s${index}`)) !== undefined).toBe(isOpen)
    expect((await store.deliveries.list(id)).length).toBe(isOpen ? 1 : 0)
    expect((await store.grants.get(`g${index}`)) !== undefined).toBe(state === 'approved')
    expect((await store.lookup(`s${index}`, `call-${id}`, 'deploy')).known?.request).toBe(
      isOpen ? id : undefined,
    )
    if (state === 'approved') approved++
  }
  const listed = [
    ...(await store.list({ state: 'pending' })).items,
    ...(await store.list({ state: 'approved' })).items,
  ]
  expect(listed.length).toBe((await store.count('pending')) + (await store.count('approved')))
  expect(listed.length + approved).toBe(bodies.length)
  const { events, complete } = await store.journal.feed(undefined, 1000)
  expect([events.length, complete]).toEqual([bodies.length, true])
  return approved
}
