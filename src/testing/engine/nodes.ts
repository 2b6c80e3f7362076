/** Several processes: kill, take-over, a lost lease, and an engine that stays open. */
import {
  ana,
  type EngineSuite,
  endOf,
  entriesIn,
  gate,
  kindsIn,
  LONG_MS,
  pendingRequest,
  SESSION,
  until,
} from './engine-test.ts'

const ALLOWED = [{ call: { tool: 'read_note', arguments: { name: 'a' } } }, { say: 'done' }]
const ASKED = [{ call: { tool: 'write_note', arguments: { name: 'a' } } }, { say: 'done' }]

export function describeNodes({ runner: { describe, expect }, test, under, traits }: EngineSuite): void {
  describe('a process that dies', () => {
    test('P7: while a person is asked: another goes on with the same request, and the call runs once', async ({
      start,
      advance,
    }) => {
      const one = await start({ answers: ASKED })
      const other = await start({ answers: ASKED })
      await one.say('go')
      const { id, digest } = await pendingRequest(one)
      await one.kill()
      await advance(LONG_MS)
      await until(async () => (await kindsIn(other)).includes('resumed'))
      await other.gateway.decide(id, { decision: 'approve', digest }, ana)
      expect(await endOf(other)).toMatchObject({ status: 'completed', text: 'done' })
      expect([one.ran, other.ran]).toEqual([[], ['write_note {"name":"a"}']])
    })

    test('P4: while a tool runs: it is not run again', async ({ start, advance }) => {
      const { reached, pass } = gate()
      const one = await start({
        answers: ALLOWED,
        async run() {
          await pass()
          return 'late'
        },
      })
      const other = await start({ answers: ALLOWED })
      await one.say('go')
      await reached
      await one.kill()
      await advance(LONG_MS)
      expect(await endOf(other)).toMatchObject({ status: 'completed' })
      expect([one.ran.length, other.ran.length]).toEqual([1, 0])
      const result = (await entriesIn(other.agent)).find((entry) => entry.kind === 'result')
      expect(result).toMatchObject({ outcome: 'refused' })
    })
  })

  describe('a process that has lost its lease', () => {
    test('P4: runs nothing that it had claimed before', async ({ start, advance }) => {
      const { reached, pass, open } = gate()
      const one = await start({ answers: ALLOWED }, pass)
      const other = await start({ answers: ALLOWED })
      await one.say('go')
      await reached
      one.pause()
      await advance(LONG_MS)
      expect(await endOf(other)).toMatchObject({ status: 'completed' })
      // Its timers stand still: nothing but the lease itself tells it.
      open()
      await until(async () => (await one.agent.running(SESSION, ana)) === undefined)
      one.wake()
      expect([one.ran, other.ran]).toEqual([[], []])
    })

    test('P4: runs nothing and writes nothing when it goes on', async ({ start, advance }) => {
      const { reached, pass, open } = gate()
      const one = await start({ answers: ALLOWED, asked: pass })
      const other = await start({ answers: ALLOWED })
      await one.say('go')
      await reached
      one.pause()
      await advance(LONG_MS)
      expect(await endOf(other)).toMatchObject({ status: 'completed' })
      const kept = await kindsIn(other)
      open()
      one.wake()
      await advance(1000)
      await until(async () => (await one.agent.running(SESSION, ana)) === undefined)
      await advance(LONG_MS)
      expect([one.ran.length, other.ran.length]).toEqual([0, 1])
      expect(await kindsIn(other)).toEqual(kept)
    })
  })

  describe('another process', () => {
    test('P5: stops a turn', async ({ start, advance }) => {
      const one = await start({ answers: ASKED })
      const other = await start({ answers: ASKED })
      await one.say('go')
      const { id } = await pendingRequest(one)
      expect(await other.agent.interrupt(SESSION, { kind: 'hard' }, ana)).toBe(true)
      await advance(2000)
      expect(await endOf(other)).toMatchObject({ status: 'interrupted' })
      expect(await other.gateway.get(id, ana)).toMatchObject({ state: 'cancelled' })
      expect([one.ran, other.ran]).toEqual([[], []])
    })

    if (traits.whenBusy === 'interrupt')
      test('P5: interrupts a turn with a message, which begins the next one', async ({ start, advance }) => {
        const answers = [...ASKED.slice(0, 1), { say: 'as you say' }]
        const one = await start({ answers })
        const other = await start({ answers })
        await one.say('go')
        const { id } = await pendingRequest(one)
        let isSaid = false
        const saying = other.say('do this instead').finally(() => {
          isSaid = true
        })
        await until(async () => {
          await advance(500)
          return isSaid
        })
        await saying
        await advance(2000)
        expect(await endOf(other)).toMatchObject({ status: 'interrupted' })
        expect(await endOf(other, 't2')).toMatchObject({ status: 'completed', text: 'as you say' })
        expect(await other.gateway.get(id, ana)).toMatchObject({ state: 'cancelled' })
        expect([one.ran, other.ran]).toEqual([[], []])
      })
    else
      test('is heard in a turn', async ({ start, advance }) => {
        const one = await start({ answers: ASKED })
        const other = await start({ answers: ASKED })
        await one.say('go')
        const { id, digest } = await pendingRequest(one)
        await other.say('and this')
        await advance(2000)
        await one.gateway.decide(id, { decision: 'approve', digest }, ana)
        expect(await endOf(one)).toMatchObject({ status: 'completed' })
        expect((await kindsIn(other)).includes('steered')).toBe(true)
        expect(one.asked.at(-1)).toEqual(['go', 'and this'])
      })

    test('begins the next turn: it runs where the engine is open, or there where it was said', async ({
      start,
      advance,
    }) => {
      const answers = [{ say: 'one' }, { say: 'two' }]
      const one = await start({ answers })
      const other = await start({ answers })
      await one.say('first')
      await endOf(one)
      await until(async () => (await other.agent.running(SESSION, ana)) === undefined)
      await other.say('second')
      await advance(2000)
      expect(await endOf(other, 't2')).toMatchObject({ status: 'completed', text: 'two' })
      expect([one.asked.length, other.asked.length]).toEqual(traits.lease === 'open' ? [2, 0] : [1, 1])
    })

    test('has the session once the engine was idle for long', async ({ start, advance }) => {
      const answers = [{ say: 'one' }, { say: 'two' }]
      const one = await start({ answers })
      const other = await start({ answers })
      const { idleMs = 10 * 60_000 } = traits
      await one.say('first')
      await endOf(one)
      await advance(idleMs + 1000)
      await until(() => (under.programs?.() ?? 0) === 0)
      await until(async () => (await one.gateway.leases.list(`turn/${SESSION}`)).length === 0)
      await other.say('second')
      expect(await endOf(other, 't2')).toMatchObject({ text: 'two' })
      expect([one.asked.length, other.asked.length]).toEqual([1, 1])
    })
  })
}
