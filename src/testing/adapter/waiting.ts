/** Group 9: stopping while it waits and while it runs, limits of time, and results before the last one. */
import { z } from 'zod'
import { approve, asked } from '../guard/guard-test.ts'
import { type AdapterSuite, newSession, oneCall, type Scenario, toldOf } from './adapter-test.ts'

export function describeWaiting({ runner, needing, driver }: AdapterSuite): void {
  const { describe, expect } = runner
  describe('waiting', () => {
    const mailing = (guard: Scenario['guard'], run: (signal: AbortSignal | undefined) => unknown) => {
      const session = newSession()
      const scenario: Scenario = {
        guard,
        session,
        tools: [{ name: 'send_mail', schema: z.object({}), run: (_, signal) => run(signal) }],
        turns: oneCall('send_mail'),
      }
      return { scenario, call: { session, callId: 'c1' } as never }
    }

    needing('stop')('P7: who stops the run ends the waiting; the request goes on', async (under) => {
      let runs = 0
      const { scenario, call } = mailing(under.guard, () => `sent ${++runs}`)
      const stop = new AbortController()
      const guarding: Promise<unknown>[] = []
      const guard: Scenario['guard'] = {
        ...under.guard,
        guard(...given) {
          const result = under.guard.guard(...given)
          guarding.push(result)
          return result as never
        },
      }
      const running = driver.start({ ...scenario, guard, signal: stop.signal })
      await asked(under, call)
      stop.abort(new Error('the user left'))
      const stopped = await running
      // A framework may give up sooner than the guard.
      expect(await guarding[0]).toMatchObject({ kind: 'pending', because: 'aborted' })
      expect(stopped.ended).toBe('failed')
      expect(stopped.modelCalls).toBe(1)
      expect(runs).toBe(0)
      const again = driver.start({ ...scenario, guard: under.another })
      await approve(under, call)
      expect(toldOf(await again, 'c1').text).toBe('sent 1')
    })

    needing('stopTool')('who stops the run stops the tool', async (under) => {
      const { scenario, call } = mailing(under.guard, (signal) => {
        const stopped = new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
        })
        stop.abort(new Error('the user left'))
        return stopped
      })
      const stop = new AbortController()
      const running = driver.start({ ...scenario, signal: stop.signal })
      await approve(under, call)
      expect((await running).ended).toBe('failed')
    })

    needing('limitTools')('P12: the time that a person takes does not count as the tool’s', async (under) => {
      const limit: { over?: Promise<unknown> } = {}
      const { scenario, call } = mailing(under.guard, (signal) => `sent, ${signal?.aborted}`)
      const guard: Scenario['guard'] = {
        ...under.guard,
        guard(given, run, options) {
          // Begins after the framework's own, so it ends after it.
          const signal = AbortSignal.timeout(20)
          limit.over = new Promise((resolve) => signal.addEventListener('abort', resolve))
          return under.guard.guard(given, run, options)
        },
      }
      const running = driver.start({ ...scenario, guard, limitMs: 20 })
      await asked(under, call)
      await limit.over
      await approve(under, call)
      expect(toldOf(await running, 'c1')).toEqual({ callId: 'c1', text: 'sent, false', isError: false })
    })

    needing('stream')('results before the last one come while the claim is held', async (under) => {
      const states: unknown[] = []
      const ids: string[] = []
      const { scenario: plain, call } = mailing(under.guard, () => {})
      const run = async function* () {
        yield 'one'
        states.push((await under.request(ids[0]!)).state)
        yield 'two'
      }
      const scenario = { ...plain, stream: true, tools: [{ ...plain.tools[0]!, run }] }
      const running = driver.start(scenario)
      ids.push((await approve(under, call)).id)
      const ran = await running
      expect(ran.preliminary).toEqual(['one', 'two'])
      expect(states).toEqual(['running'])
      expect(toldOf(ran, 'c1').text).toBe('two')
      expect((await under.request(ids[0]!)).state).toBe('done')
      const again = await driver.start({ ...scenario, guard: under.another })
      expect(toldOf(again, 'c1').text).toBe('two')
    })
  })
}
