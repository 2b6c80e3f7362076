import { describe, expect, it } from 'vitest'
import type { TurnEvent } from '../../../core/conversation.ts'
import { createTestChain, mount } from './fixtures/test-chain.ts'

const event = (n: number): TurnEvent => ({
  id: `t1-${n}`,
  turn: 't1',
  session: 's1',
  agent: { name: 'main' },
  at: n,
  kind: 'text',
  delta: `word ${n}`,
})
const never = () => new Promise<never>(() => {})

describe('tell', () => {
  it('tells each observer everything that it asked for, in order, in a copy of its own', async () => {
    const told: string[] = []
    const { chain, clock } = createTestChain([
      mount('a', { observe: (told) => void Object.assign(told, { delta: 'changed' }) }),
      mount(
        'b',
        { observe: async ({ id, ...rest }) => void told.push(`${id} ${'delta' in rest && rest.delta}`) },
        { observes: ({ at }) => at !== 2 },
      ),
    ])
    for (const n of [1, 2, 3]) chain.tell(event(n))
    expect(told).toEqual([])
    await clock.advance(0)
    expect(told).toEqual(['t1-1 word 1', 't1-3 word 3'])
  })

  it('one that is slow or hangs delays no other, and is told one event at a time', async () => {
    let running = 0
    let most = 0
    const told: number[] = []
    const setup = createTestChain([
      mount('slow', {
        async observe() {
          most = Math.max(most, ++running)
          await new Promise<void>((resolve) => void setup.clock.after(100, resolve))
          running--
        },
      }),
      mount('hangs', { observe: never }),
      mount('quick', { observe: ({ at }) => void told.push(at) }),
    ])
    for (const n of [1, 2, 3]) setup.chain.tell(event(n))
    await setup.clock.advance(0)
    expect(told).toEqual([1, 2, 3])
    await setup.clock.advance(3000)
    expect(most).toBe(1)
    expect(setup.faults.every(({ hook, stage }) => hook === 'hangs' && stage === 'observe')).toBe(true)
    expect(setup.faults[0]?.reason).toContain('hook "hangs" timed out after 500 ms')
  })

  it('drops what does not fit in the queue, and says how many, all in all exactly', async () => {
    const { chain, clock, faults } = createTestChain([mount('hangs', { observe: never })])
    for (let n = 0; n < 100; n++) chain.tell(event(n))
    await clock.advance(1000)
    const dropped = (reason: string) => Number(/: (\d+) events were dropped/.exec(reason)?.[1] ?? 0)
    expect(faults.map(({ reason }) => dropped(reason)).reduce((sum, one) => sum + one, 0)).toBe(100 - 64)
    expect(faults.filter(({ reason }) => dropped(reason) > 0)).toHaveLength(1)
  })

  it('says once a second what goes wrong, however often it does, and goes on', async () => {
    let calls = 0
    const { chain, clock, faults } = createTestChain([
      mount('a', {
        observe: async () => {
          calls++
          throw new Error('full')
        },
      }),
      mount(
        'b',
        { observe() {} },
        {
          observes() {
            throw new Error('what?')
          },
        },
      ),
    ])
    for (let n = 0; n < 10; n++) chain.tell(event(n))
    await clock.advance(1000)
    expect(calls).toBe(10)
    expect(faults.map(({ reason }) => reason).sort()).toEqual([
      'hook "a" failed: full (10 times)',
      'hook "b" failed: what? (10 times)',
    ])
  })

  it('tells what is in the queue before it closes, and nothing afterwards', async () => {
    const told: (number | string)[] = []
    const { chain, clock } = createTestChain([
      mount('a', { observe: ({ at }) => void told.push(at), close: async () => void told.push('closed') }),
    ])
    chain.tell(event(1))
    chain.tell(event(2))
    const closed = chain.close()
    chain.tell(event(3))
    await clock.advance(0)
    await closed
    chain.tell(event(4))
    await clock.advance(0)
    expect(told).toEqual([1, 2, 'closed'])
  })

  it('closes within its time although an observer hangs with a full queue', async () => {
    const { chain, clock } = createTestChain([mount('hangs', { observe: never })])
    for (let n = 0; n < 100; n++) chain.tell(event(n))
    const closed = chain.close()
    await clock.advance(10_000)
    await closed
  })
})
