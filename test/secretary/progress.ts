/** "How far is it?": what is known of a turn while it runs and when it is over. */
import { callLine, waitingLine } from '../../src/display/sessions/call-lines.ts'
import { ana, ben } from '../../src/gateway/fixtures/test-gateway.ts'
import { until } from '../fixtures/until.ts'
import type { SecretarySuite } from './describe-secretary.ts'

const read = (file: string) => ({ tool: 'Read', arguments: { file_path: file } })
const bash = (command: string) => ({ tool: 'Bash', arguments: { command } })
const README = read('readme.md')
const many = (count: number, step: (n: number) => object) =>
  Array.from({ length: count }, (_, n) => step(n + 1))

const SCRIPT = [
  { when: 'texts', steps: [...many(25, (n) => ({ say: `text ${n}`, calls: [README] })), { say: 'the end' }] },
  { when: 'calls', steps: [...many(3, () => ({ calls: many(20, () => README) })), { say: 'the end' }] },
  {
    when: 'slow',
    steps: [
      { say: 'I wait', calls: [bash('cat one')] },
      { say: 'I ask', calls: [bash('touch x')] },
      { say: 'done' },
    ],
  },
  { when: 'long', steps: [{ say: 'y'.repeat(1500) }] },
  { steps: [{ say: 'hello' }] },
]

export function describeProgress({ describe, it, expect, test, driver }: SecretarySuite): void {
  describe('progress', () => {
    test('secretary 10: a message begins with nothing said, done or gone wrong', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start('one')
      await t.idle(id)
      expect((await t.secretary.progress(id, ben)).turn).toMatchObject({ said: ['hello'], text: 'one' })
      await t.secretary.send(id, { text: 'slow' }, ben)
      const { turn, state } = await t.secretary.progress(id, ben)
      expect([state, turn?.id, turn?.text, turn?.ended]).toEqual(['running', 't2', 'slow', undefined])
      expect(turn?.said.includes('hello')).toBe(false)
      await t.go('one')
      await t.approve((await t.pending())[0]!)
      await t.idle(id)
    })

    test('secretary 13, 19: of many texts the newest five are told, the oldest go first', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start('texts')
      await t.idle(id)
      const { turn } = await t.secretary.progress(id, ben)
      expect(turn?.said).toEqual(['text 22', 'text 23', 'text 24', 'text 25', 'the end'])
      // Nothing of it is lost: the log has them all.
      const { entries } = await t.agent.entries(id, { limit: 500 }, ben)
      expect(entries.filter((entry) => entry.kind === 'answered' && entry.text !== '').length).toBe(26)
    })

    test('secretary 14, 19, N13: of many calls the newest ten are told, and all are counted', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start('calls')
      await t.idle(id)
      const { turn } = await t.secretary.progress(id, ben)
      expect([turn?.calls, turn?.recent.length]).toEqual([60, 10])
      expect(turn?.recent.map(({ state }) => state)).toEqual(many(10, () => 'done' as never))
      await until(() => t.told.length === 1)
      expect(t.told[0]?.detail?.endsWith('60 tool calls)')).toBe(true)
    })

    test('secretary 18, 21, 31, 37: says what it does, since when, and what it waits for', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start('slow')
      await until(async () => (await t.secretary.progress(id, ben)).turn?.recent[0]?.state === 'running')
      await t.pass(7500)
      const running = await t.secretary.progress(id, ben)
      expect(running).toMatchObject({ state: 'running', folder: t.folder, mode: 'default', session: id })
      expect(running.turn).toMatchObject({ text: 'slow', by: 'ben', said: ['I wait'], calls: 1, waiting: [] })
      expect(callLine('Bash', running.turn!.recent[0]!.arguments)).toBe('Bash(cat one)')
      if (driver.time === 'moved') expect(Math.floor(running.elapsedMs / 1000)).toBe(7)
      expect((await t.secretary.find(id, ben)).state).toBe('running')
      await t.go('one')
      await t.pending()
      const waiting = await t.secretary.progress(id, ben)
      expect(waiting.state).toBe('waiting')
      const [asked] = waiting.turn!.waiting
      expect(waitingLine(asked!.tool, asked!.arguments, 'zh')).toBe('Bash: `touch x`')
      expect((await t.secretary.find(id, ben)).state).toBe('waiting')
      await t.approve((await t.pending())[0]!)
      await t.idle(id)
      const done = await t.secretary.progress(id, ana)
      expect(done).toMatchObject({ state: 'idle', elapsedMs: 0 })
      expect(done.turn).toMatchObject({ waiting: [], ended: { status: 'completed', text: 'done' } })
    })

    test('secretary 20: of the result a thousand characters', { script: SCRIPT }, async (t) => {
      const id = await t.start('long')
      await t.idle(id)
      const text = (await t.secretary.progress(id, ben)).turn?.ended?.text ?? ''
      expect([text.length, text.slice(-2)]).toEqual([1001, 'y…'])
    })

    test('secretary 22: is a snapshot, which nothing that happens later changes', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start('slow')
      await until(async () => (await t.secretary.progress(id, ben)).turn?.recent[0]?.state === 'running')
      const taken = await t.secretary.progress(id, ben)
      const before = JSON.stringify(taken)
      await t.go('one')
      await t.approve((await t.pending())[0]!)
      await t.idle(id)
      expect(JSON.stringify(taken)).toBe(before)
    })

    const { task } = driver
    if (task === undefined) it.skip('secretary 32: it has no agents below it', async () => {})
    else {
      const script = [
        { when: 'have it dug', steps: [{ calls: [task('dig deep')] }, { say: 'all dug' }] },
        { when: 'dig deep', steps: [{ calls: [README] }, { calls: [README] }, { say: 'dug' }] },
      ]
      test('secretary 32: calls of agents below it count as its own', { script }, async (t) => {
        const id = await t.start('have it dug')
        await t.idle(id)
        expect((await t.secretary.progress(id, ben)).turn).toMatchObject({ calls: 3, said: ['all dug'] })
        await until(() => t.told.length === 1)
        expect(t.told[0]?.detail?.endsWith('3 tool calls)')).toBe(true)
      })
    }
  })
}
