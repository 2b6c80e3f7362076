/** Groups 8, 10, 11 and 13: ids, sessions, what fails, and tools that can't be gated. */
import { z } from 'zod'
import { type AdapterSuite, newSession, oneCall, refusalOf, type Scenario, toldOf } from './adapter-test.ts'

export function describeIdentifying({ runner, test, needing, driver }: AdapterSuite): void {
  const { describe, expect } = runner
  describe('ids and sessions', () => {
    const reading = (guard: Scenario['guard'], more: Partial<Scenario> = {}) => {
      const runs: unknown[] = []
      const schema = z.object({ n: z.number() })
      const run = ({ n }: { n: number }) => {
        runs.push(n)
        return `read ${n}`
      }
      const tools = [{ name: 'read', schema, run }]
      const scenario: Scenario = {
        guard,
        session: newSession(),
        tools,
        turns: oneCall('read', { n: 1 }),
        ...more,
      }
      return { runs, scenario }
    }
    const POLICY_NAME = 'read_page'
    const named = (tools: Scenario['tools']) => tools.map((tool) => ({ ...tool, name: POLICY_NAME }))

    needing('reuseIds')(
      'P4: an id that is used again for another call is refused, and the model is told',
      async ({ guard }) => {
        const { runs, scenario } = reading(guard)
        const call = (n: number) => [{ id: 'call_0', tool: POLICY_NAME, args: { n } }]
        const turns = [call(1), call(2), 'done']
        const run = await driver.start({ ...scenario, tools: named(scenario.tools), turns })
        expect(run.ended).toBe('finished')
        const last = run.told.at(-1)!
        expect(last.isError).toBe(true)
        expect(JSON.parse(last.text)).toMatchObject({ ran: false, state: 'error' })
        expect(runs).toEqual([1])
      },
    )

    needing('reuseIds')('ids of your own take their place', async ({ guard }) => {
      const { runs, scenario } = reading(guard)
      let count = 0
      const call = (n: number) => [{ id: 'call_0', tool: POLICY_NAME, args: { n } }]
      const callId = (id: string) => `${id}-${++count}`
      await driver.start({
        ...scenario,
        tools: named(scenario.tools),
        turns: [call(1), call(2), 'done'],
        callId,
      })
      expect(runs).toEqual([1, 2])
    })

    needing('anyId')('P5: an id with a space in it, and an empty one, run nothing', async ({ guard }) => {
      for (const id of ['a b', '']) {
        const { runs, scenario } = reading(guard)
        const turns = oneCall(POLICY_NAME, { n: 1 }, id)
        const run = await driver.start({ ...scenario, tools: named(scenario.tools), turns })
        if (run.ended === 'finished' && run.told.length > 0)
          expect(refusalOf(run, id)).toMatchObject({ ran: false, state: 'error' })
        expect(runs).toEqual([])
      }
    })

    needing('session')('P5: without a session nothing runs', async ({ guard }) => {
      const { runs, scenario } = reading(guard, { session: undefined })
      const turns = oneCall(POLICY_NAME, { n: 1 })
      const run = await driver.start({ ...scenario, tools: named(scenario.tools), turns })
      expect(run.ended).toBe('failed')
      expect(String(run.error).includes('session')).toBe(true)
      expect(runs).toEqual([])
    })

    needing('ungated')(
      'tools that can not be gated stay as they are, and one warning names them',
      async ({ guard }) => {
        const { scenario } = reading(guard)
        const warnings: string[] = []
        const client = ['show_map', 'web_search'].map((name) => ({ name, schema: z.object({}) }))
        await driver.start({
          ...scenario,
          tools: [...named(scenario.tools), ...client],
          turns: oneCall(POLICY_NAME, { n: 1 }),
          pause: true,
          warn: (text) => warnings.push(text),
        })
        expect(warnings.length).toBe(1)
        for (const name of ['show_map', 'web_search']) expect(warnings[0]!.includes(name)).toBe(true)
        expect(warnings[0]!.includes(POLICY_NAME)).toBe(false)
      },
    )
  })

  describe('what fails', () => {
    test('P5: a guard that can not go on runs nothing, and the model is told the truth', async () => {
      const because = 'the store is away'
      const refused = {
        kind: 'refused',
        state: 'error',
        code: 'store_unavailable',
        because,
        mayRetry: true,
      } as const
      const guard: Scenario['guard'] = {
        judge: async () => Promise.reject(new Error(because)),
        hold: async () => refused,
        guard: async () => refused,
      }
      const run = () => expect('it').toBe('not run')
      for (const pause of [false, true]) {
        const tools = [{ name: 'read_mail', schema: z.object({}), run }]
        const given = { guard, session: newSession(), tools, turns: oneCall('read_mail'), pause }
        expect(refusalOf(await driver.start(given), 'c1')).toMatchObject({
          state: 'error',
          because,
          tryAgain: true,
        })
      }
    })

    test('P5: a guard that throws runs nothing', async () => {
      const away = async () => Promise.reject(new Error('the store is away'))
      const guard: Scenario['guard'] = { judge: away, hold: away, guard: away }
      let runs = 0
      for (const pause of [false, true]) {
        const tools = [{ name: 'read_mail', schema: z.object({}), run: () => ++runs }]
        const given = { guard, session: newSession(), tools, turns: oneCall('read_mail'), pause }
        const run = await driver.start(given)
        if (run.ended === 'finished') expect(toldOf(run, 'c1').isError).toBe(true)
        expect(runs).toBe(0)
      }
    })

    test('a tool that throws is told in the same words as without Banksman', async ({ guard }) => {
      const run = () => {
        throw new Error('no such mailbox')
      }
      const tools = [{ name: 'read_mail', schema: z.object({}), run }]
      const scenario: Scenario = { guard, session: newSession(), tools, turns: oneCall('read_mail') }
      const bare = await driver.start({ ...scenario, bare: true })
      const guarded = await driver.start(scenario)
      expect(guarded.told).toEqual(bare.told)
      expect(guarded.ended).toBe(bare.ended)
    })

    needing('remember')('P10: the model is told the error, and the outcome is on record', async (under) => {
      const schema = z.object({})
      const run = () => {
        throw new TypeError('no such mailbox')
      }
      const scenario: Scenario = {
        guard: under.guard,
        session: newSession(),
        tools: [{ name: 'read_mail', schema, run }],
        turns: oneCall('read_mail'),
        remember: true,
      }
      const first = await driver.start(scenario)
      expect(first.ended).toBe('finished')
      expect(toldOf(first, 'c1').isError).toBe(true)
      expect(toldOf(first, 'c1').text.includes('no such mailbox')).toBe(true)
      expect(toldOf(await driver.start({ ...scenario, guard: under.another }), 'c1').text).toBe(
        toldOf(first, 'c1').text,
      )
    })
  })
}
