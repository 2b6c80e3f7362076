/** What a session may use, and who is asked before it uses more. */
import { ben, eve } from '../../src/gateway/fixtures/test-gateway.ts'
import { until } from '../fixtures/until.ts'
import type { SecretarySuite } from './describe-secretary.ts'
import { refusal } from './refusal.ts'

const slow = { tool: 'Bash', arguments: { command: 'cat one' } }
const read = { tool: 'Read', arguments: { file_path: 'readme.md' } }
const SCRIPT = [
  { when: 'work', steps: [{ calls: [slow] }, { calls: [read] }, { say: 'worked' }] },
  { steps: [{ say: 'hello' }] },
]

export function describeLimits({ describe, it, expect, test, driver }: SecretarySuite): void {
  describe('limits', () => {
    test('so many sessions of a person may be open; closed ones don’t count', {
      script: SCRIPT,
      settings: { sessionsPerPerson: 2 },
    }, async (t) => {
      const [first] = [await t.start(), await t.start()]
      expect(await refusal(t.start())).toBe('rate_limited')
      await t.start(undefined, {}, eve)
      await t.secretary.close(first!, ben)
      await t.start()
      expect(await refusal(t.secretary.send(first!, { text: 'hi' }, ben))).toBe('rate_limited')
      const both = await Promise.all([
        refusal(t.start(undefined, {}, eve)),
        refusal(t.start(undefined, {}, eve)),
      ])
      expect(both.toSorted()).toEqual(['rate_limited', undefined])
    })

    test('P5: after its turns are used up its owner is asked, and a no ends the turn', {
      script: SCRIPT,
      settings: { budget: { turns: 1 } },
    }, async (t) => {
      const id = await t.start('one')
      await t.idle(id)
      expect((await t.secretary.progress(id, ben)).limits).toEqual({ turns: 1 })
      await t.secretary.send(id, { text: 'two' }, ben)
      const [request] = await t.pending()
      expect(request).toMatchObject({ tool: 'continue_session', session: id })
      await t.reject(request!)
      expect(await t.ended(id)).toBe('limit')
      expect((await t.secretary.progress(id, ben)).turn?.said).toEqual([])
      await until(() => t.told.length === 2)
      expect(t.told[1]).toMatchObject({ sign: '❌' })
      expect(t.told[1]?.quoted?.includes('its limit is 1 turns')).toBe(true)
    })

    test('P5: nobody answers: the turn ends, and nothing was done', {
      script: SCRIPT,
      settings: { budget: { turns: 1 } },
    }, async (t) => {
      const id = await t.start('one')
      await t.idle(id)
      await t.secretary.send(id, { text: 'work' }, ben)
      await t.pending()
      await t.pass(200_000)
      expect(await t.ended(id)).toBe('limit')
      expect((await t.secretary.progress(id, ben)).turn?.calls).toBe(0)
    })

    test('a yes lets it use as much again, over restarts', {
      script: SCRIPT,
      settings: { budget: { turns: 1 } },
    }, async (first) => {
      const id = await first.start('one')
      await first.idle(id)
      await first.secretary.send(id, { text: 'two' }, ben)
      await first.approve((await first.pending())[0]!)
      await first.idle(id)
      const t = await first.restart()
      const { used, limits, turn } = await t.secretary.progress(id, ben)
      expect([used.turns, limits.turns, turn?.said]).toEqual([2, 2, ['hello']])
      await t.secretary.send(id, { text: 'three' }, ben)
      const [request] = await t.pending()
      expect(request).toMatchObject({ tool: 'continue_session' })
      await t.approve(request!)
      await t.idle(id)
      expect((await t.secretary.progress(id, ben)).limits).toEqual({ turns: 3 })
    })

    if (driver.time === 'real')
      it.skip('the time that it works is counted: time is not moved here', async () => {})
    else
      test('P12: the time that it works is counted, without the time in which it waits for people', {
        script: SCRIPT,
        settings: { budget: { workedMs: 60_000 }, approvalTimeoutMs: 900_000 },
      }, async (t) => {
        const id = await t.start('work')
        await until(async () => (await t.secretary.progress(id, ben)).turn?.recent[0]?.state === 'running')
        await t.pass(70_000)
        await t.go('one')
        const [request] = await t.pending()
        expect(request).toMatchObject({ tool: 'continue_session' })
        await t.pass(600_000)
        await t.approve(request!)
        await t.idle(id)
        const { used } = await t.secretary.progress(id, ben)
        expect([used.workedMs >= 70_000, used.workedMs < 90_000]).toEqual([true, true])
      })
  })
}
