/** What people are asked, where, and what comes of their answers. */
import { ben, eve } from '../../src/gateway/fixtures/test-gateway.ts'
import { until } from '../fixtures/until.ts'
import type { SecretarySuite } from './describe-secretary.ts'
import { refusal } from './refusal.ts'
import { CHAT, timeoutOf } from './secretary-world.ts'

const bash = (command: string) => ({ tool: 'Bash', arguments: { command } })
const write = (file: string) => ({ tool: 'Write', arguments: { file_path: file, content: 'x' } })
const read = (file: string) => ({ tool: 'Read', arguments: { file_path: file } })
const result = { oneOf: [{ when: { result: 'ran' }, say: 'ran' }, { say: 'not: {{result}}' }] }
const SCRIPT = [
  { when: 'two', steps: [{ calls: [read('readme.md'), read('notes.md')] }, { say: 'both' }] },
  { when: 'write', steps: [{ calls: [write('made')] }, result] },
  { when: 'read', steps: [{ calls: [read('readme.md')] }, result] },
  { when: 'again', steps: [{ calls: [bash('touch x')] }, { calls: [bash('touch x')] }, result] },
  { steps: [{ calls: [bash('touch x')] }, result] },
]

export function describeAsking({ describe, expect, test, driver }: SecretarySuite): void {
  const timeoutMs = timeoutOf(driver)

  describe('asking', () => {
    test('secretary 33, 35, 38, N3: the request is there before its card, which has what is to be decided', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start('go')
      await until(() => t.cards.length === 1)
      const { request } = t.cards[0]!
      // What the chat is shown can be decided at once.
      expect(await t.setup.store.get(request.id)).toMatchObject({
        state: 'pending',
        version: request.version,
      })
      expect(request).toMatchObject({ session: id, tool: 'Bash', origin: CHAT })
      expect([request.expiresInMs, request.deadline! - request.createdAt]).toEqual([timeoutMs, timeoutMs])
      await t.approve(request)
      await t.idle(id)
      expect(t.exists('x')).toBe(true)
      expect((await t.secretary.progress(id, ben)).turn).toMatchObject({ said: ['ran'], waiting: [] })
      // The card shows what became of it (N6).
      await until(() => t.cards.at(-1)?.request.state === 'done')
    })

    test('secretary 34: reading is allowed, and nobody is asked', { script: SCRIPT }, async (t) => {
      const id = await t.start('read')
      await t.idle(id)
      expect((await t.secretary.progress(id, ben)).turn).toMatchObject({ said: ['ran'] })
      expect(t.cards).toEqual([])
    })

    test('secretary 36: nobody answers: denied after the time, and the chat is told', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start('go')
      await until(() => t.cards.length === 1)
      await t.pass(timeoutMs + 1000)
      await t.idle(id)
      expect(t.exists('x')).toBe(false)
      const [said = ''] = (await t.secretary.progress(id, ben)).turn?.said ?? []
      expect([said.startsWith('not:'), said.includes('审批超时')]).toEqual([true, true])
      await until(() => t.told.length === 2)
      expect(t.told[0]).toEqual({ to: 'ben', owner: 'ben', sign: '⏰', title: '审批超时,已自动拒绝。' })
    })

    test('secretary 39: a no is told to the model, with the reason where there is one', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start('go')
      await t.reject((await t.pending())[0]!)
      await t.idle(id)
      const first = (await t.secretary.progress(id, ben)).turn?.said.at(-1) ?? ''
      expect(first.includes('用户拒绝了此操作')).toBe(true)
      expect(first.includes('用户拒绝了此操作:')).toBe(false)
      await t.secretary.send(id, { text: 'write' }, ben)
      await t.reject((await t.pending())[0]!, '先写测试')
      await t.idle(id)
      const second = (await t.secretary.progress(id, ben)).turn?.said.at(-1) ?? ''
      expect(second.includes('用户拒绝了此操作:先写测试')).toBe(true)
      expect([t.exists('x'), t.exists('made')]).toEqual([false, false])
    })

    test('secretary 41, N5: an answer that comes twice or too late decides nothing', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start('again')
      const [first] = await t.pending()
      await t.approve(first!)
      await until(async () => (await t.pending())[0]!.id !== first!.id)
      const [second] = await t.pending()
      // The same again is the same answer; another one is too late.
      await t.approve(first!)
      expect(await refusal(t.reject(first!))).toBe('already_decided')
      expect((await t.setup.store.get(second!.id))?.state).toBe('pending')
      await t.reject(second!)
      await t.idle(id)
      expect((await t.secretary.progress(id, ben)).turn?.said.at(-1)?.startsWith('not:')).toBe(true)
    })

    test('secretary 45, N7: the journal says who decided what, when, and what nobody did', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start('go')
      await t.reject((await t.pending())[0]!, 'no need')
      await t.idle(id)
      const [decided] = await t.journal('request.decided')
      expect(decided).toMatchObject({ by: 'ben', decision: 'reject', reason: 'no need' })
      const [opened] = await t.journal('request.opened')
      expect(opened).toMatchObject({ session: id, tool: 'Bash', arguments: { command: 'touch x' } })
      await t.secretary.send(id, { text: 'write' }, ben)
      await t.pending()
      await t.pass(timeoutMs + 1000)
      await t.idle(id)
      expect((await t.journal('request.expired')).length).toBe(1)
    })

    test('secretary 47: a mode holds from the next call on, and can be set before the first message', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start()
      await t.secretary.setMode(id, 'acceptEdits', ben)
      await t.secretary.send(id, { text: 'write' }, ben)
      await t.idle(id)
      expect([t.exists('made'), t.cards.length]).toEqual([true, 0])
      expect((await t.secretary.progress(id, ben)).mode).toBe('acceptEdits')
      // Plan lets nothing be written, also in a turn that runs.
      await t.secretary.send(id, { text: 'again' }, ben)
      const [request] = await t.pending()
      await t.secretary.setMode(id, 'plan', ben)
      await t.reject(request!)
      await t.idle(id)
      expect((await t.secretary.progress(id, ben)).mode).toBe('plan')
      expect(t.exists('x')).toBe(false)
    })

    test('secretary N1: commands and edits are asked about', { script: SCRIPT }, async (t) => {
      const id = await t.start('write')
      const [request] = await t.pending()
      expect(request).toMatchObject({ tool: 'Write' })
      expect(t.exists('made')).toBe(false)
      await t.approve(request!)
      await t.idle(id)
      expect(t.exists('made')).toBe(true)
    })

    test('secretary N2: without a chat the inbox is asked', { script: SCRIPT }, async (t) => {
      const { session } = await t.secretary.start({ folder: 'shop', text: 'go' }, ben)
      const [request] = await t.pending()
      expect([request?.session, t.exists('x'), t.cards.length]).toEqual([session.id, false, 0])
      await t.approve(request!)
      await t.idle(session.id)
      expect(t.exists('x')).toBe(true)
    })

    test('secretary N4: two requests at once, answered crosswise: each call has its own answer', {
      script: SCRIPT,
      policy: {},
    }, async (t) => {
      const id = await t.start('two')
      const requests = await t.pending(2)
      const [first, second] = ['readme.md', 'notes.md'].map(
        (file) => requests.find((each) => each.bytes.includes(file))!,
      )
      await t.reject(second!)
      await t.approve(first!)
      await t.idle(id)
      const states = await Promise.all(
        [first!, second!].map(async (each) => (await t.setup.store.get(each.id))?.state),
      )
      expect(states).toEqual(['done', 'rejected'])
      const { entries } = await t.agent.entries(id, {}, ben)
      const results = entries.flatMap((entry) =>
        entry.kind === 'result' ? [[entry.outcome, entry.text.includes('a shop')]] : [],
      )
      expect(results.toSorted()).toEqual([
        ['ran', true],
        ['refused', false],
      ])
    })

    test('secretary N6: only its owner may answer, or whom the policy names', {
      script: SCRIPT,
    }, async (t) => {
      const id = await t.start('go')
      const [request] = await t.pending()
      expect(await refusal(t.approve(request!, eve))).toBe('not_yours')
      expect((await t.setup.store.get(request!.id))?.state).toBe('pending')
      await t.reject(request!)
      await t.idle(id)
    })

    test('secretary N8: an interrupt and a close withdraw what waits', { script: SCRIPT }, async (t) => {
      const id = await t.start('go')
      const [first] = await t.pending()
      await t.secretary.interrupt(id, { kind: 'hard' }, ben)
      await t.idle(id)
      expect((await t.setup.store.get(first!.id))?.state).toBe('cancelled')
      expect(await refusal(t.approve(first!))).toBe('cancelled')
      await t.secretary.send(id, { text: 'write' }, ben)
      const [second] = await t.pending()
      await t.secretary.close(id, ben)
      expect((await t.setup.store.get(second!.id))?.state).toBe('cancelled')
      await until(() => t.cards.at(-1)?.request.state === 'cancelled')
      expect([t.exists('x'), t.exists('made')]).toEqual([false, false])
    })

    let isAway = false
    test('secretary N12: a card that can’t be sent: the call is denied in the end, and nothing waits', {
      script: SCRIPT,
      reachable: () => !isAway,
    }, async (t) => {
      isAway = true
      try {
        const id = await t.start('go')
        await t.pending()
        await t.pass(timeoutMs + 1000)
        await t.idle(id)
        const { turn } = await t.secretary.progress(id, ben)
        expect([turn?.waiting, t.exists('x'), t.cards.length]).toEqual([[], false, 0])
        expect(turn?.said.at(-1)?.startsWith('not:')).toBe(true)
      } finally {
        isAway = false
      }
    })
  })
}
