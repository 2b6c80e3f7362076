/** What owners are told in chats, and what they are not. */
import { ana, ben } from '../../src/gateway/fixtures/test-gateway.ts'
import { until } from '../fixtures/until.ts'
import type { SecretarySuite } from './describe-secretary.ts'
import { OTHER_CHAT } from './secretary-world.ts'

const read = { tool: 'Read', arguments: { file_path: 'readme.md' } }
const slow = { tool: 'Bash', arguments: { command: 'cat one' } }
const SCRIPT = [
  { when: 'short', steps: [{ say: 'looking', calls: [read, read] }, { say: 'all is well' }] },
  { when: 'exact', steps: [{ say: 'z'.repeat(800) }] },
  { when: 'longer', steps: [{ say: 'z'.repeat(801) }] },
  { when: 'broken', steps: [{ fail: { message: `the model is away ${'e'.repeat(600)}`, mayRetry: false } }] },
  { when: 'slow', steps: [{ calls: [slow] }, { say: 'waited' }] },
  { steps: [{ say: 'hello' }] },
]

export function describeNotices({ describe, expect, test, driver }: SecretarySuite): void {
  describe('notices', () => {
    test('secretary 16, 17, 23, 24: only the end is told, when it is on the record', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start('short')
      await until(() => t.told.length === 1)
      expect((await t.secretary.progress(id, ben)).state).toBe('idle')
      const { detail, label, ...rest } = t.told[0]!
      expect(label).toBe('shop 的会话输出（未经核实）：')
      expect(rest).toEqual({ to: 'ben', owner: 'ben', sign: '✅', title: '任务完成', quoted: 'all is well' })
      expect(/^\(\d+s, 2 tool calls\)$/.test(detail ?? '')).toBe(true)
      await t.idle(id)
      expect(t.told.length).toBe(1)
    })

    test('secretary 24: with the whole seconds that it took', { script: SCRIPT }, async (t) => {
      const id = await t.start('slow')
      await until(async () => (await t.secretary.progress(id, ben)).turn?.recent[0]?.state === 'running')
      await t.pass(12_900)
      await t.go('one')
      await until(() => t.told.length === 1)
      const seconds = driver.time === 'moved' ? '12' : t.told[0]?.detail?.match(/\d+/)?.[0]
      expect(t.told[0]?.detail).toBe(`(${seconds}s, 1 tool calls)`)
    })

    test('secretary 25: a result of more than 800 characters is cut, and says so', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start('exact')
      await until(() => t.told.length === 1)
      expect(t.told[0]?.quoted).toBe('z'.repeat(800))
      await t.secretary.send(id, { text: 'longer' }, ben)
      await until(() => t.told.length === 2)
      expect(t.told[1]?.quoted).toBe(`${'z'.repeat(800)}\n...[truncated]`)
    })

    test('secretary 26: without a chat nobody is told, and all else is the same', {
      script: SCRIPT,
    }, async (t) => {
      const { session } = await t.secretary.start({ folder: 'shop', text: 'short' }, ben)
      await t.idle(session.id)
      await until(async () => (await t.journal('session.turn_ended')).length === 1)
      expect(t.told).toEqual([])
      expect((await t.secretary.progress(session.id, ben)).turn).toMatchObject({
        said: ['looking', 'all is well'],
      })
    })

    test('secretary 27: the journal has who said what, where, and what came of it', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start('short')
      await until(async () => (await t.journal('session.turn_ended')).length === 1)
      const [noted] = await t.journal('session.turn_ended')
      const about = { session: id, turn: 't1', by: 'ben', cwd: t.folder, status: 'completed' }
      expect(noted).toMatchObject({ ...about, prompt: 'short', response: 'all is well' })
    })

    test('secretary 28, 29, N11: an error is told as one, cut to 500 characters', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start('broken')
      expect(await t.ended(id)).toBe('failed')
      await until(() => t.told.length === 1)
      const { sign, title, quoted = '' } = t.told[0]!
      expect([sign, title, quoted.includes('the model is away')]).toEqual(['❌', '任务出错', true])
      expect(quoted.length <= 500).toBe(true)
      const { turn, state } = await t.secretary.progress(id, ben)
      expect([state, turn?.ended?.status]).toEqual(['idle', 'failed'])
    })

    const calls: string[] = []
    let fails = 0
    test('secretary 30: a chat that can’t be written to stops nothing, and is tried again', {
      script: SCRIPT,
      async notify(_, { words }) {
        if (fails-- > 0) throw new Error('the chat is away')
        calls.push(words('en').title)
        return 'told'
      },
    }, async (t) => {
      fails = 2
      const id = await t.start('short')
      await t.idle(id)
      await until(() => t.faults.length > 0)
      expect(await t.secretary.sendAndWait(id, { text: 'hi' }, ben)).toBe('hello')
      await until(async () => {
        await t.pass(5000)
        return calls.length === 2
      })
      expect(calls).toEqual(['Done', 'Done'])
    })

    test('secretary N14: a chat that never answers holds nothing up', {
      script: SCRIPT,
      notify: () => new Promise(() => {}),
    }, async (t) => {
      const id = await t.start('short')
      await t.idle(id)
      for (const text of ['one', 'two', 'three'])
        expect(await t.secretary.sendAndWait(id, { text }, ben)).toBe('hello')
    })

    test('an administrator who talks to it from a chat of theirs does not move its notices there', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start('short')
      await until(() => t.told.length === 1)
      await t.secretary.send(id, { text: 'hi', origin: OTHER_CHAT }, ana)
      await until(() => t.told.length === 2)
      await t.secretary.send(id, { text: 'hi', origin: OTHER_CHAT }, ben)
      await until(() => t.told.length === 3)
      expect(t.told.map(({ to }) => to)).toEqual(['ben', 'ben', 'group'])
    })

    test('who else stops it is told to its owner', { script: SCRIPT }, async (t) => {
      const id = await t.start('slow')
      await until(async () => (await t.secretary.progress(id, ben)).turn?.recent[0]?.state === 'running')
      await t.secretary.interrupt(id, { kind: 'hard' }, ana)
      await until(() => t.told.length === 1)
      expect(t.told[0]).toMatchObject({ sign: '⏹️', title: '任务已停止', detail: '由 ana 停止' })
    })
  })
}
