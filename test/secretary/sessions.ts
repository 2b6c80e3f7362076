/** Sessions: whose they are, where they work, and what a message does. */
import { SESSION_MODE_NAMES } from '../../src/core/secretary.ts'
import { agent, ana, ben, eve } from '../../src/gateway/fixtures/test-gateway.ts'
import { until } from '../fixtures/until.ts'
import type { SecretarySuite } from './describe-secretary.ts'
import { refusal } from './refusal.ts'
import { CHAT, OTHER_CHAT } from './secretary-world.ts'

const SLOW = { tool: 'Bash', arguments: { command: 'cat one' } }
const SCRIPT = [
  { when: 'slow', steps: [{ say: 'I wait', calls: [SLOW] }, { say: 'waited' }] },
  {
    when: 'quiet',
    steps: [{ calls: [{ tool: 'Read', arguments: { file_path: 'readme.md' } }] }, { say: '' }],
  },
  { when: 'second', steps: [{ say: 'the second' }] },
  { steps: [{ say: 'hello' }] },
]

export function describeSessions({ describe, expect, test }: SecretarySuite): void {
  describe('sessions', () => {
    test('secretary 1: has the five modes by their names, and default by default', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start()
      expect((await t.secretary.find(id, ben)).mode).toBe('default')
      expect([...SESSION_MODE_NAMES]).toEqual([
        'default',
        'acceptEdits',
        'plan',
        'bypassPermissions',
        'dontAsk',
      ])
      expect(await t.secretary.setMode(id, 'plan', ben)).toBe('plan')
      expect(await t.secretary.setMode(id, 'acceptEdits', ben)).toBe('acceptEdits')
      expect(await refusal(t.secretary.setMode(id, 'auto' as never, ben))).toBe('invalid')
      expect((await t.secretary.find(id, ben)).mode).toBe('acceptEdits')
    })

    test('secretary 2: several messages are one conversation', { script: SCRIPT }, async (t) => {
      const id = await t.start('one')
      await t.idle(id)
      expect(await t.secretary.sendAndWait(id, { text: 'second' }, ben)).toBe('the second')
      const { entries } = await t.agent.entries(id, {}, ben)
      const turns = entries.flatMap((entry) => (entry.kind === 'begun' ? [entry.turn] : []))
      expect([entries[0]?.kind, ...turns]).toEqual(['opened', 't1', 't2'])
      expect((await t.secretary.progress(id, ben)).used.turns).toBe(2)
    })

    test('secretary 3: has an id, a folder, an owner and a mode; the chat may come later', {
      script: SCRIPT,
    }, async (t) => {
      const { session } = await t.secretary.start({ folder: 'web' }, ben)
      expect(session).toMatchObject({
        owner: 'ben',
        agent: 'coder',
        folder: `${t.folder}/web`,
        mode: 'default',
      })
      expect(session.state).toBe('asleep')
      await t.secretary.send(session.id, { text: 'one', origin: CHAT }, ben)
      await until(() => t.told.length === 1)
      expect(t.told[0]).toMatchObject({ to: 'ben', owner: 'ben' })
      expect((await t.secretary.find(session.id, ben)).title).toBe('one')
    })

    test('P6: a session is its owner’s before anybody speaks, and to others it isn’t there', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start()
      for (const verb of [
        () => t.secretary.find(id, eve),
        () => t.secretary.send(id, { text: 'mine' }, eve),
        () => t.secretary.progress(id, eve),
        () => t.secretary.interrupt(id, { kind: 'hard' }, eve),
        () => t.secretary.setMode(id, 'plan', eve),
        () => t.secretary.close(id, eve),
      ])
        expect(await refusal(verb())).toBe('unknown_id')
      expect(await t.secretary.list({ closed: true }, eve)).toEqual([])
      expect(await refusal(t.secretary.list({ all: true }, eve))).toBe('forbidden')
      // Also by the way that all conversations have.
      expect(await refusal(t.agent.say({ session: id, text: 'mine' }, eve))).toBe('unknown_id')
      expect((await t.secretary.list({ all: true }, ana)).map((each) => each.id)).toEqual([id])
      await t.secretary.send(id, { text: 'from ana' }, ana)
      await t.idle(id)
      expect((await t.secretary.progress(id, ben)).turn).toMatchObject({ by: 'ana' })
    })

    test('P11: an agent’s credential can use none of it', { script: SCRIPT }, async (t) => {
      const id = await t.start()
      for (const verb of [
        () => t.secretary.start({ folder: 'shop' }, agent),
        () => t.secretary.list({}, agent),
        () => t.secretary.send(id, { text: 'x' }, agent),
        () => t.secretary.setMode(id, 'plan', agent),
        () => t.secretary.close(id, agent),
      ])
        expect(await refusal(verb())).toBe('forbidden')
    })

    test('P11: works in a folder that is configured, and nowhere else', { script: SCRIPT }, async (t) => {
      for (const folder of ['/', '..', `${t.folder}/../data`, 'nothing', ''])
        expect(await refusal(t.secretary.start({ folder }, ben))).toBe('invalid')
      expect(await t.secretary.list({ closed: true }, ben)).toEqual([])
    })

    test('P11: a folder that leads elsewhere by now: nothing is done there, and the turn says why', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start(undefined, { folder: 'web' })
      t.link('web', '..', 'data')
      await t.secretary.send(id, { text: 'quiet' }, ben)
      expect(await t.ended(id)).toBe('failed')
      const { turn } = await t.secretary.progress(id, ben)
      expect([turn?.calls, turn?.ended?.reason?.includes('may work in')]).toEqual([0, true])
    })

    test('secretary 5: begins to work with the first message, and nothing of it runs before that or when it is closed', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start()
      expect([(await t.secretary.find(id, ben)).state, t.programs() ?? 0]).toEqual(['asleep', 0])
      await t.secretary.send(id, { text: 'slow' }, ben)
      await until(async () => (await t.secretary.progress(id, ben)).turn?.recent[0]?.state === 'running')
      expect(t.programs() ?? 1).toBe(1)
      expect((await t.journal('session.begun')).map(({ session, by }) => [session, by])).toEqual([
        [id, 'ben'],
      ])
      await t.go('one')
      await t.idle(id)
      await t.secretary.close(id, ben)
      expect(t.programs() ?? 0).toBe(0)
    })

    test('secretary 7: send returns at once, with what was said on the record', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start()
      const said = await t.secretary.send(id, { text: 'slow' }, ben)
      expect(said).toMatchObject({ turn: 't1', kind: 'begun' })
      const { entries } = await t.agent.entries(id, {}, ben)
      expect(entries[1]).toMatchObject({ kind: 'begun', text: 'slow', by: 'ben' })
      expect((await t.secretary.progress(id, ben)).state).toBe('running')
      await t.go('one')
      await t.idle(id)
    })

    test('secretary 8: a message from another chat moves notices there, and cards stay', {
      script: [
        ...SCRIPT.slice(0, 3),
        { steps: [{ calls: [{ tool: 'Bash', arguments: { command: 'touch x' } }] }, { say: 'done' }] },
      ],
    }, async (t) => {
      const id = await t.start()
      await t.secretary.send(id, { text: 'touch', origin: OTHER_CHAT }, ben)
      const [request] = await t.pending()
      expect(request).toMatchObject({ origin: CHAT })
      await t.approve(request!)
      await until(() => t.told.length === 1)
      expect(t.told[0]).toMatchObject({ to: 'group', sign: '✅' })
    })

    test('secretary 9, N9: a message interrupts what runs, and is answered by a turn of its own', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start('slow')
      await until(async () => (await t.secretary.progress(id, ben)).turn?.recent[0]?.state === 'running')
      expect(await t.secretary.sendAndWait(id, { text: 'second' }, ben)).toBe('the second')
      expect(await t.ended(id, 't1')).toBe('interrupted')
      expect((await t.secretary.progress(id, ben)).turn).toMatchObject({ id: 't2', said: ['the second'] })
      await until(() => t.told.length > 0)
      expect(t.told.map(({ sign, quoted }) => [sign, quoted])).toEqual([['✅', 'the second']])
    })

    test('secretary 11: sendAndWait gives the last words, else the error, else that there is nothing', {
      script: [
        ...SCRIPT,
        { when: 'broken', steps: [{ fail: { message: 'the model is away', mayRetry: false } }] },
      ],
    }, async (t) => {
      const id = await t.start()
      expect(await t.secretary.sendAndWait(id, { text: 'second' }, ben)).toBe('the second')
      expect((await t.secretary.sendAndWait(id, { text: 'broken' }, ben)).includes('the model is away')).toBe(
        true,
      )
      expect(await t.secretary.sendAndWait(id, { text: 'quiet' }, ben)).toBe('(no output)')
    })

    test('secretary 46: an interrupt stops what runs, and says so if nothing does', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start()
      expect(await t.secretary.interrupt(id, { kind: 'hard' }, ben)).toBe(false)
      await t.secretary.send(id, { text: 'slow' }, ben)
      await until(async () => (await t.secretary.progress(id, ben)).turn?.recent.length === 1)
      expect(await t.secretary.interrupt(id, { kind: 'hard' }, ben)).toBe(true)
      expect(await t.ended(id)).toBe('interrupted')
      expect(t.told).toEqual([])
    })

    test('secretary 48, 49: a closed session is no longer listed, nobody is told, and a message opens it again', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start('slow')
      await until(async () => (await t.secretary.progress(id, ben)).turn?.recent[0]?.state === 'running')
      await t.secretary.close(id, ben)
      expect(await t.ended(id)).toBe('interrupted')
      expect(await t.agent.isAwake(id)).toBe(false)
      expect(await t.secretary.list({}, ben)).toEqual([])
      expect((await t.secretary.list({ closed: true }, ben)).map(({ state }) => state)).toEqual(['closed'])
      expect(t.told).toEqual([])
      expect(await t.secretary.sendAndWait(id, { text: 'second' }, ben)).toBe('the second')
      expect((await t.secretary.list({}, ben)).map((each) => each.id)).toEqual([id])
      // Closing twice changes nothing.
      await t.secretary.close(id, ben)
      await t.secretary.close(id, ben)
      // By the way that all conversations have, too.
      await t.agent.say({ session: id, text: 'second' }, ben)
      expect((await t.secretary.list({}, ben)).map((each) => each.id)).toEqual([id])
    })

    test('a closed session is forgotten after a long time, and one that is open isn’t', {
      script: SCRIPT,
    }, async (t) => {
      const [open, closed, woken] = [await t.start(), await t.start(), await t.start()]
      for (const id of [closed!, woken!]) await t.secretary.close(id, ben)
      expect(await t.secretary.sendAndWait(woken!, { text: 'second' }, ben)).toBe('the second')
      const record = async (id: string) => (await t.setup.store.records.get('coding_session', id))?.expiresAt
      expect([await record(open!), await record(woken!)]).toEqual([undefined, undefined])
      expect(typeof (await record(closed!))).toBe('number')
    })

    test('secretary N10: after an error the next message works', {
      script: [
        ...SCRIPT,
        { when: 'broken', steps: [{ fail: { message: 'the model is away', mayRetry: false } }] },
      ],
    }, async (t) => {
      const id = await t.start('broken')
      expect(await t.ended(id)).toBe('failed')
      expect(await t.secretary.sendAndWait(id, { text: 'second' }, ben)).toBe('the second')
    })

    test('secretary N16: close while somebody waits for the answer: they are told', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start()
      const waiting = t.secretary.sendAndWait(id, { text: 'slow' }, ben)
      await until(async () => (await t.secretary.progress(id, ben)).turn?.recent.length === 1)
      await t.secretary.close(id, ben)
      expect(await waiting).toBe('(no output)')
    })
  })
}
