/** Several processes with an agent each, on one store. */
import { describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { BanksmanError } from '../../core/errors.ts'
import { ana, approve, ben } from '../../gateway/fixtures/test-gateway.ts'
import type { Store } from '../../stores/store.ts'
import { heldModel } from '../fixtures/held-model.ts'
import { entriesOf, follow, isOver, LONG_MS, NOTE, open, say } from '../fixtures/node-conversations.ts'
import { find, kinds, waiting } from '../fixtures/test-agent.ts'

const ALLOWED = { allow: ['note'] }
describe('a turn', () => {
  it('P4: is run by one node, whoever else looks for unfinished ones', async () => {
    const nodes = open()
    const one = await nodes.open({ script: NOTE, policy: {} })
    const other = await nodes.open({ script: NOTE, policy: {} })
    await say(one)
    const [request] = await waiting(one)
    expect(await other.agent.resume()).toBe(0)
    for (let minute = 0; minute < 5; minute++) await nodes.clock.advance(60_000)
    expect(await other.agent.running('s1', ana)).toBe('t1')
    expect(await other.agent.running('s1', ben)).toBe(undefined)
    await approve(other.setup, request!)
    await until(() => isOver(other))
    expect(await entriesOf(other)).toEqual(['begun', 'answered', 'result', 'answered', 'ended'])
    expect([one.notes, other.notes]).toEqual([['x'], []])
    await until(async () => (await other.agent.running('s1', ana)) === undefined)
  })

  it('that is begun at two nodes at once is one turn, and both are heard in it', async () => {
    const nodes = open()
    const { model, asked, answers } = heldModel()
    const one = await nodes.open({ model })
    const other = await nodes.open({ model })
    const said = await Promise.all([say(one, 'this'), say(other, 'that')])
    expect(said.map(({ turn }) => turn)).toEqual(['t1', 't1'])
    expect(said.map(({ kind }) => kind).sort()).toEqual(['begun', 'steered'])
    await until(() => answers.length === 1)
    answers[0]!('one answer')
    await nodes.clock.advance(2000)
    if (!(await isOver(one))) {
      await until(() => answers.length === 2)
      answers[1]!('another')
    }
    await until(() => isOver(one))
    const words = asked.at(-1)!.messages.flatMap((each) => (each.role === 'user' ? [each.text] : []))
    expect(words.sort()).toEqual(['that', 'this'])
    expect((await entriesOf(one)).filter((kind) => kind === 'begun')).toHaveLength(1)
  })

  it('hears what is said at another node before it ends', async () => {
    const nodes = open()
    const { model, asked, answers } = heldModel()
    const one = await nodes.open({ model })
    const other = await nodes.open({ model })
    const heard = one.say('first')
    await until(() => answers.length === 1)
    expect(await say(other, 'and also this')).toMatchObject({ turn: 't1', kind: 'steered' })
    answers[0]!('the first answer')
    await until(() => answers.length === 2)
    expect(asked[1]!.messages.at(-1)).toEqual({ role: 'user', text: 'and also this' })
    answers[1]!('the second answer')
    const events = await heard
    expect(kinds(events).filter((kind) => kind === 'steered')).toHaveLength(1)
    expect(find(events, 'turn_ended').text).toBe('the second answer')
    expect((await say(other, 'next')).turn).toBe('t2')
  })

  it('goes on for words that come to another node while its end is being written', async () => {
    const nodes = open()
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
    const { promise: opened, resolve: goOn } = Promise.withResolvers<void>()
    const holdEnd = (store: Store): Store => ({
      ...store,
      turns: {
        ...store.turns,
        async append(appending) {
          if ((appending.turn as { kind: string }).kind === 'ended') {
            reach()
            await opened
          }
          return store.turns.append(appending)
        },
      },
    })
    const { model, asked, answers } = heldModel()
    const one = await nodes.open({ model, wrap: holdEnd })
    const other = await nodes.open({ model })
    const heard = one.say('first')
    await until(() => answers.length === 1)
    answers[0]!('the first answer')
    await reached
    expect(await say(other, 'wait')).toMatchObject({ turn: 't1', kind: 'steered' })
    goOn()
    await until(() => answers.length === 2)
    expect(asked[1]!.messages.at(-1)).toEqual({ role: 'user', text: 'wait' })
    answers[1]!('the second answer')
    expect(find(await heard, 'turn_ended').text).toBe('the second answer')
    expect(await entriesOf(other)).toEqual(['begun', 'answered', 'steered', 'answered', 'ended'])
  })

  it('P5: runs no tool while it can’t be known whether it is still this node’s', async () => {
    const nodes = open()
    let isAway = false
    const loseLeases = (store: Store): Store => ({
      ...store,
      leases: {
        ...store.leases,
        take: (lease) =>
          isAway ? Promise.reject(new BanksmanError('store_unavailable', 'gone')) : store.leases.take(lease),
      },
      async recordAll(batch) {
        const result = await store.recordAll(batch)
        isAway = true
        return result
      },
    })
    const one = await nodes.open({ script: NOTE, policy: ALLOWED, wrap: loseLeases })
    const events = await one.say('go')
    expect(find(events, 'call_refused')).toMatchObject({ state: 'error', mayRetry: true })
    expect(one.notes).toEqual([])
  })

  it('is taken up at once where its process is known to have ended', async () => {
    const nodes = open()
    const one = await nodes.open({ script: NOTE, policy: {}, place: { name: 'a', hasEnded: () => false } })
    await say(one)
    await waiting(one)
    await one.kill()
    const wary = await nodes.open({ script: NOTE, policy: {}, place: { name: 'b', hasEnded: () => false } })
    expect(await wary.agent.resume()).toBe(0)
    const sure = { name: 'c', hasEnded: (name: string) => name === 'a' }
    const other = await nodes.open({ script: NOTE, policy: {}, place: sure })
    expect(await other.agent.resume()).toBe(1)
  })

  it('is given back by a node that is closed, and taken up by another within seconds', async () => {
    const nodes = open()
    const one = await nodes.open({ script: NOTE, policy: {} })
    const other = await nodes.open({ script: NOTE, policy: {} })
    await other.agent.resume()
    await say(one)
    const [request] = await waiting(one)
    await one.agent.close()
    await nodes.clock.advance(5000)
    await approve(other.setup, request!)
    expect(find(await follow(other), 'turn_ended').status).toBe('completed')
    expect([one.notes, other.notes]).toEqual([[], ['x']])
  })

  it.each(['hard', 'graceful'] as const)('P5: is interrupted at another node: %s', async (kind) => {
    const nodes = open()
    const one = await nodes.open({ script: NOTE, policy: {} })
    const other = await nodes.open({ script: NOTE, policy: {} })
    const told = one.say('go')
    const [request] = await waiting(one)
    const input = { kind, reason: 'enough' }
    await expect(other.agent.interrupt('s1', input, ben)).rejects.toMatchObject({ code: 'not_yours' })
    expect(await other.agent.interrupt('s1', input, ana)).toBe(true)
    // Also without the store's hint.
    await nodes.clock.advance(1000)
    const events = await told
    expect(find(events, 'interrupted')).toMatchObject({ how: kind, by: 'ana', reason: 'enough' })
    expect(find(events, 'turn_ended')).toMatchObject({ status: 'interrupted' })
    expect(await other.setup.gateway.get(request!.id, ana)).toMatchObject({ state: 'cancelled' })
    expect(one.notes).toEqual([])
    expect(await other.agent.interrupt('s1', input, ana)).toBe(false)
  })
})

describe('a node that dies', () => {
  it('P7: loses its turn to another, which asks nobody again', async () => {
    const nodes = open()
    const one = await nodes.open({ script: NOTE, policy: {} })
    const other = await nodes.open({ script: NOTE, policy: {} })
    await other.agent.resume()
    await say(one)
    const [request] = await waiting(one)
    await one.kill()
    await nodes.clock.advance(LONG_MS)
    expect(await waiting(other)).toMatchObject([{ id: request!.id }])
    await approve(other.setup, request!)
    expect(find(await follow(other), 'turn_ended')).toMatchObject({
      status: 'completed',
      text: 'told: noted x',
    })
    expect([one.notes, other.notes]).toEqual([[], ['x']])
    expect(await entriesOf(other)).toContain('resumed')
  })

  it('P4: in the middle of an allowed call leaves one that may have run, and it is not run again', async () => {
    const nodes = open()
    const holdResult = (store: Store): Store => ({
      ...store,
      turns: {
        ...store.turns,
        append: (appending) =>
          (appending.turn as { kind: string }).kind === 'result'
            ? new Promise(() => {})
            : store.turns.append(appending),
      },
    })
    const one = await nodes.open({ script: NOTE, policy: ALLOWED, wrap: holdResult })
    const other = await nodes.open({ script: NOTE, policy: ALLOWED })
    await other.agent.resume()
    await say(one)
    await until(() => one.notes.length === 1)
    await one.kill()
    await nodes.clock.advance(LONG_MS)
    const events = await follow(other)
    expect(find(events, 'call_refused').because).toContain('may have run')
    expect(find(events, 'turn_ended').status).toBe('completed')
    expect([one.notes, other.notes]).toEqual([['x'], []])
  })

  it('P5: after it was told to stop: nobody goes on with what it did', async () => {
    const nodes = open()
    const one = await nodes.open({ script: NOTE, policy: {} })
    const other = await nodes.open({ script: NOTE, policy: {} })
    await say(one)
    const [request] = await waiting(one)
    await one.kill()
    expect(await other.agent.interrupt('s1', { kind: 'hard' }, ana)).toBe(true)
    await other.agent.resume()
    await nodes.clock.advance(LONG_MS)
    expect(find(await follow(other), 'turn_ended')).toMatchObject({ status: 'interrupted' })
    expect(await other.setup.gateway.get(request!.id, ana)).toMatchObject({ state: 'cancelled' })
    expect([one.notes, other.notes]).toEqual([[], []])
  })

  it('P7: without anybody looking, whoever is talked to next takes its turn up', async () => {
    const nodes = open()
    const { model, asked, answers } = heldModel()
    const one = await nodes.open({ model })
    const other = await nodes.open({ model })
    await say(one, 'first')
    await until(() => answers.length === 1)
    await one.kill()
    nodes.clock.jump(LONG_MS)
    expect(await say(other, 'are you there?')).toMatchObject({ turn: 't1', kind: 'steered' })
    await until(() => answers.length >= 2)
    expect(asked.at(-1)!.messages).toContainEqual({ role: 'user', text: 'first' })
  })
})

describe('a node that is paused for longer than its lease', () => {
  /** Holds an allowed call between its record and its run. */
  function gate() {
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const wrap = (store: Store): Store => ({
      ...store,
      async recordAll(batch) {
        const result = await store.recordAll(batch)
        reach()
        await opened
        return result
      },
    })
    return { wrap, reached, open }
  }

  it('P4: runs no tool when it goes on, though it was allowed and on record', async () => {
    const nodes = open()
    const { wrap, reached, open: goOn } = gate()
    const one = await nodes.open({ script: NOTE, policy: ALLOWED, wrap })
    const other = await nodes.open({ script: NOTE, policy: ALLOWED })
    await other.agent.resume()
    await say(one)
    await reached
    one.pause()
    await nodes.clock.advance(LONG_MS)
    await until(() => isOver(other))
    const kept = await entriesOf(other)
    expect(kept).toEqual(['begun', 'answered', 'resumed', 'result', 'answered', 'ended'])
    goOn()
    one.wake()
    await nodes.clock.advance(1000)
    await until(async () => (await one.agent.running('s1', ana)) === undefined)
    await nodes.clock.advance(LONG_MS)
    expect([one.notes, other.notes]).toEqual([[], []])
    expect(await entriesOf(other)).toEqual(kept)
  })

  it('P4: writes nothing when it goes on, also where the next one has written nothing but its name', async () => {
    const nodes = open()
    const first = heldModel()
    const second = heldModel()
    const one = await nodes.open({ model: first.model })
    const other = await nodes.open({ model: second.model })
    await other.agent.resume()
    await say(one)
    await until(() => first.answers.length === 1)
    one.pause()
    await nodes.clock.advance(LONG_MS)
    await until(() => second.answers.length === 1)
    first.answers[0]!('from one that was replaced')
    one.wake()
    await nodes.clock.advance(1000)
    second.answers[0]!('from the one that took over')
    await until(() => isOver(other))
    expect(await entriesOf(other)).toEqual(['begun', 'resumed', 'answered', 'ended'])
    const { entries } = await other.agent.entries('s1', {}, ana)
    expect(entries[2]).toMatchObject({ text: 'from the one that took over' })
    // What was said next is said at either of them, as ever.
    expect((await say(one, 'and now?')).turn).toBe('t2')
  })
})
