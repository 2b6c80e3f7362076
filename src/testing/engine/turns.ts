/** One process: calls, messages and stops. */
import { ana, type EngineSuite, endOf, gate, kindsIn, pendingRequest, SESSION, until } from './engine-test.ts'

const CALL = { call: { tool: 'read_note', arguments: { name: 'a' } } }
const ASKED = { call: { tool: 'write_note', arguments: { name: 'a' } } }

export function describeTurns({ runner: { describe, expect }, test, under, traits }: EngineSuite): void {
  describe('a turn', () => {
    test('writes what the model said and what came of a call, in order, and ends with its last words', async ({
      start,
    }) => {
      const node = await start({ answers: [CALL, { say: 'all done' }] })
      await node.say('go')
      expect(await endOf(node)).toMatchObject({ status: 'completed', text: 'all done', steps: 2 })
      expect(await kindsIn(node)).toEqual(['begun', 'answered', 'result', 'answered', 'ended'])
      expect(node.ran).toEqual(['read_note {"name":"a"}'])
    })

    test('the next one knows what was said before', async ({ start }) => {
      const node = await start({ answers: [{ say: 'one' }, { say: 'two' }] })
      await node.say('first')
      await endOf(node)
      await node.say('second')
      expect(await endOf(node, 't2')).toMatchObject({ status: 'completed', text: 'two' })
      expect(node.asked.at(-1)).toEqual(['first', 'second'])
    })

    test('P5: runs nothing that a person rejects, and goes on', async ({ start }) => {
      const node = await start({ answers: [ASKED, { say: 'as you like' }] })
      await node.say('go')
      const { id, digest } = await pendingRequest(node)
      await node.gateway.decide(id, { decision: 'reject', digest, reason: 'no' }, ana)
      expect(await endOf(node)).toMatchObject({ status: 'completed', text: 'as you like' })
      expect(node.ran).toEqual([])
    })

    test('P3: runs what a person made of the call', async ({ start }) => {
      const node = await start({ answers: [ASKED, { say: 'done' }] })
      await node.say('go')
      const { id, digest } = await pendingRequest(node)
      const edited = { arguments: { name: 'b' } }
      await node.gateway.decide(id, { decision: 'edit', digest, ...edited }, ana)
      await endOf(node)
      expect(node.ran).toEqual(['write_note {"name":"b"}'])
    })

    if (traits.whenBusy === 'interrupt')
      test('a message that comes while the model is asked interrupts the turn and begins the next', async ({
        start,
      }) => {
        const { reached, pass, open } = gate()
        const node = await start({ answers: [{ say: 'here' }], asked: pass })
        await node.say('first')
        await reached
        const saying = node.say('no, this')
        expect(await endOf(node)).toMatchObject({ status: 'interrupted', text: '' })
        open()
        expect(await saying).toMatchObject({ kind: 'begun', turn: 't2' })
        expect(await endOf(node, 't2')).toMatchObject({ status: 'completed', text: 'here' })
        expect(node.asked.at(-1)).toEqual(['first', 'no, this'])
      })
    else
      test('a message that comes while the model gives its last answer is heard before the end', async ({
        start,
      }) => {
        const { reached, pass, open } = gate()
        const node = await start({ answers: [{ say: 'one' }, { say: 'two' }], asked: pass })
        await node.say('first')
        await reached
        await node.say('and this')
        open()
        expect(await endOf(node)).toMatchObject({ status: 'completed', text: 'two' })
        expect(node.asked.at(-1)).toEqual(['first', 'and this'])
        expect((await kindsIn(node)).filter((kind) => kind === 'begun')).toEqual(['begun'])
      })

    test('that fails says so, and the next one runs', async ({ start }) => {
      let isBroken = true
      const node = await start({
        answers: [{ say: 'well again' }],
        async asked() {
          if (isBroken) throw new Error('the model is gone')
        },
      })
      await node.say('go')
      expect(await endOf(node)).toMatchObject({ status: 'failed', reason: 'the model is gone' })
      isBroken = false
      await node.say('again')
      expect(await endOf(node, 't2')).toMatchObject({ status: 'completed', text: 'well again' })
    })
  })

  describe('a stop', () => {
    test('P5: while a person is asked: the request is cancelled, and nothing runs', async ({ start }) => {
      const node = await start({ answers: [ASKED, { say: 'never' }] })
      await node.say('go')
      const { id } = await pendingRequest(node)
      expect(await node.agent.interrupt(SESSION, { kind: 'hard' }, ana)).toBe(true)
      expect(await endOf(node)).toMatchObject({ status: 'interrupted' })
      expect(await node.gateway.get(id, ana)).toMatchObject({ state: 'cancelled' })
      expect(node.ran).toEqual([])
    })

    test('P5: while a tool runs: the tool is told, and the model is not asked again', async ({ start }) => {
      const { reached, pass } = gate()
      const node = await start({
        answers: [CALL, { say: 'never' }],
        run: (_tool, _args, signal) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(new Error('stopped')))
            void pass()
          }),
      })
      await node.say('go')
      await reached
      expect(await node.agent.interrupt(SESSION, { kind: 'hard' }, ana)).toBe(true)
      expect(await endOf(node)).toMatchObject({ status: 'interrupted' })
      expect(node.asked.length).toBe(1)
    })

    test('that is graceful lets what runs finish, and begins nothing new', async ({ start }) => {
      const { reached, pass, open } = gate()
      const node = await start({
        answers: [CALL, CALL, { say: 'never' }],
        async run() {
          await pass()
          return 'finished'
        },
      })
      await node.say('go')
      await reached
      expect(await node.agent.interrupt(SESSION, { kind: 'graceful' }, ana)).toBe(true)
      open()
      expect(await endOf(node)).toMatchObject({ status: 'interrupted' })
      expect(node.ran.length).toBe(1)
    })

    test('while the model is asked ends the turn; the next one runs', async ({ start }) => {
      const { reached, pass, open } = gate()
      const node = await start({ answers: [{ say: 'here' }], asked: pass })
      await node.say('go')
      await reached
      await node.agent.interrupt(SESSION, { kind: 'hard' }, ana)
      expect(await endOf(node)).toMatchObject({ status: 'interrupted' })
      open()
      await node.say('again')
      expect(await endOf(node, 't2')).toMatchObject({ status: 'completed', text: 'here' })
    })
  })

  describe('closing', () => {
    test('leaves nothing of the engine behind', async ({ start }) => {
      const { reached, pass } = gate()
      const node = await start({ answers: [{ say: 'never' }], asked: pass })
      await node.say('go')
      await reached
      await node.agent.close()
      await until(() => (under.programs?.() ?? 0) === 0)
      expect(await kindsIn(node)).toEqual(['begun'])
    })
  })
}
