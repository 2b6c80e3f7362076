/** The server is killed, and started again. */
import { ben } from '../../src/gateway/fixtures/test-gateway.ts'
import { until } from '../fixtures/until.ts'
import type { SecretarySuite } from './describe-secretary.ts'
import { timeoutOf } from './secretary-world.ts'

const bash = (command: string) => ({ tool: 'Bash', arguments: { command } })
const SCRIPT = [
  { when: 'ask', steps: [{ calls: [bash('touch x')] }, { say: 'asked' }] },
  { steps: [{ say: 'hello' }] },
]

export function describeRestarts({ describe, it, expect, test, driver }: SecretarySuite): void {
  describe('a restart', () => {
    test('secretary N17: what waits is still there, its card works, and the call runs once', {
      script: SCRIPT,
    }, async (first) => {
      const id = await first.start('ask')
      const [request] = await first.pending()
      const t = await first.restart()
      expect((await t.secretary.list({}, ben)).map((each) => [each.id, each.folder])).toEqual([
        [id, t.folder],
      ])
      const [again] = await t.pending()
      expect(again?.id).toBe(request?.id)
      await t.approve(again!)
      await t.idle(id)
      expect([t.exists('x'), (await t.setup.store.list({ state: 'done' })).items.length]).toEqual([true, 1])
      await until(() => t.told.length === 1)
      expect(t.told[0]).toMatchObject({ sign: '✅', quoted: 'asked' })
    })

    test('a closed session stays closed, and one that was only opened is still its owner’s', {
      script: SCRIPT,
    }, async (first) => {
      const [closed, opened] = [await first.start('hi'), await first.start()]
      await first.idle(closed!)
      await first.secretary.close(closed!, ben)
      const t = await first.restart()
      expect((await t.secretary.list({}, ben)).map((each) => each.id)).toEqual([opened])
      expect(await t.secretary.sendAndWait(closed!, { text: 'hi' }, ben)).toBe('hello')
      expect(await t.secretary.sendAndWait(opened!, { text: 'hi' }, ben)).toBe('hello')
    })

    let isAway = true
    const told: string[] = []
    test('P7: what could not be told before is told after it, once', {
      script: SCRIPT,
      async notify(_, { words }) {
        if (isAway) throw new Error('the chat is away')
        told.push(`${words('zh').sign} ${words('zh').quoted}`)
        return 'told'
      },
    }, async (first) => {
      const id = await first.start('hi')
      await first.idle(id)
      await until(() => first.faults.length > 0)
      isAway = false
      const second = await first.restart()
      await until(() => told.length === 1)
      expect(told).toEqual(['✅ hello'])
      // The record has it by now, so that the next start tells nothing.
      await until(async () => {
        const record = await second.setup.store.records.get('coding_session', id)
        return (record?.value as { toldTurn?: string } | undefined)?.toldTurn === 't1'
      })
      const third = await second.restart()
      expect(await third.secretary.sendAndWait(id, { text: 'again' }, ben)).toBe('hello')
      await until(() => told.length === 2)
      expect(told.length).toBe(2)
    })

    if (driver.time === 'real')
      it.skip('nobody answered while the server was down: time is not moved here', async () => {})
    else
      test('secretary 36: nobody answered while the server was down: the chat is told after it', {
        script: SCRIPT,
      }, async (first) => {
        const id = await first.start('ask')
        await first.pending()
        const t = await first.restart({ downMs: timeoutOf(driver) + 1000 })
        await until(async () => {
          await t.pass(1000)
          return t.told.some(({ sign }) => sign === '⏰')
        })
        // It may be asked anew, since nobody said no.
        await until(async () => {
          const { items } = await t.setup.store.list({ state: 'pending' })
          for (const request of items) await t.reject(request)
          return (await t.secretary.progress(id, ben)).state === 'idle'
        })
        expect([t.exists('x'), t.told.filter(({ sign }) => sign === '⏰').length]).toEqual([false, 1])
      })
  })
}
