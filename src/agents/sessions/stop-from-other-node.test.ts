/** A person’s stop, while the store can’t be reached: it holds, whichever process runs the turn afterwards. */
import { describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { BanksmanError } from '../../core/errors.ts'
import { ana } from '../../gateway/fixtures/test-gateway.ts'
import type { Store } from '../../stores/store.ts'
import { entriesOf, isOver, LONG_MS, open, say } from '../fixtures/node-conversations.ts'
import type { Model } from '../models/model.ts'

const gone = () => Promise.reject(new BanksmanError('store_unavailable', 'it is away'))

/** A model that never answers, and counts how often it was asked. */
function silentModel() {
  const asked: AbortSignal[] = []
  const model: Model = {
    name: 'silent',
    async *stream(_, signal) {
      asked.push(signal)
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  }
  return { model, asked }
}

describe('a stop', () => {
  it('P5: at a node that can’t reach the store reaches whoever has taken the turn over since', async () => {
    const nodes = open()
    let isAway = false
    const losing = (store: Store): Store => ({
      ...store,
      turns: {
        ...store.turns,
        append: (appending) => (isAway ? gone() : store.turns.append(appending)),
        read: (...page) => (isAway ? gone() : store.turns.read(...page)),
      },
      leases: {
        ...store.leases,
        take: (lease) => (isAway ? gone() : store.leases.take(lease)),
        release: (...lease) => (isAway ? gone() : store.leases.release(...lease)),
        list: (prefix) => (isAway ? gone() : store.leases.list(prefix)),
      },
    })
    const { model, asked } = silentModel()
    const one = await nodes.open({ model, wrap: losing })
    const other = await nodes.open({ model })
    await other.agent.resume()
    await say(one)
    await until(() => asked.length === 1)
    isAway = true
    expect(await one.agent.interrupt('s1', { kind: 'hard', reason: 'enough' }, ana)).toBe(true)
    expect(asked[0]!.aborted).toBe(true)
    await nodes.clock.advance(LONG_MS)
    await until(() => asked.length === 2)
    isAway = false
    await until(async () => {
      await nodes.clock.advance(500)
      return isOver(other)
    })
    await until(() => asked[1]!.aborted)
    expect((await entriesOf(other)).slice(-2)).toEqual(['interrupted', 'ended'])
  })

  it('P5: is not forgotten when the store fails after its note was taken away', async () => {
    const nodes = open()
    let readsFail = false
    let taken = 0
    const losing = (store: Store): Store => ({
      ...store,
      turns: { ...store.turns, read: (...page) => (readsFail ? gone() : store.turns.read(...page)) },
      leases: {
        ...store.leases,
        async release(name, holder) {
          await store.leases.release(name, holder)
          if (!name.startsWith('nudge/')) return
          taken++
          readsFail = true
        },
      },
    })
    const { model, asked } = silentModel()
    const one = await nodes.open({ model, wrap: losing })
    const other = await nodes.open({ model })
    await say(one)
    await until(() => asked.length === 1)
    expect(await other.agent.interrupt('s1', { kind: 'hard' }, ana)).toBe(true)
    await until(async () => {
      await nodes.clock.advance(500)
      return taken === 1 && one.setup.faults.length > 0
    })
    expect(await isOver(other)).toBe(false)
    readsFail = false
    await until(async () => {
      await nodes.clock.advance(500)
      return isOver(other)
    })
    expect(asked[0]!.aborted).toBe(true)
  })
})
