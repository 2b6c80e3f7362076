/** Groups 5, 6 and 7: the framework's own pause. What it saved, and what it says, is no approval. */
import { z } from 'zod'
import { approve, asked } from '../guard/guard-test.ts'
import { type AdapterSuite, newSession, pendingIn, refusalOf, type Scenario, toldOf } from './adapter-test.ts'

export function describePausing({ runner, needing, timed, driver }: AdapterSuite): void {
  const { describe, expect } = runner
  describe('the pause of the framework', () => {
    const test = needing('pause')
    const paused = async (guard: Scenario['guard'], calls = ['c1', 'c2', 'c3', 'c4']) => {
      const session = newSession()
      const runs: string[] = []
      const run = ({ to }: { to: string }) => {
        runs.push(to)
        return `sent to ${to}`
      }
      const schema = z.object({ to: z.string() })
      const asking = calls.map((id) => ({ id, tool: 'send_mail', args: { to: id } }))
      const scenario: Scenario = {
        guard,
        session,
        pause: true,
        tools: [
          { name: 'read_mail', schema, run },
          { name: 'mail_delete', schema, run },
          { name: 'send_mail', schema, run },
        ],
        turns: [[{ id: 'c0', tool: 'read_mail', args: { to: 'c0' } }, ...asking], 'done'],
      }
      const first = await driver.start(scenario)
      return { session, runs, scenario, first, call: (callId: string) => ({ session, callId }) as never }
    }

    test('P7: allowed calls run, the others are asked about, and another process goes on', async (under) => {
      const { runs, scenario, first, call } = await paused(under.guard)
      expect(first.ended).toBe('paused')
      expect(runs).toEqual(['c0'])
      // A graph may end before the last of them is asked about.
      for (const id of ['c1', 'c2', 'c3', 'c4']) await asked(under, call(id))
      const early = await driver.resume({ ...scenario, guard: under.another }, first.saved)
      expect(early.ended).toBe('paused')
      expect(runs).toEqual(['c0'])
      await approve(under, call('c1'))
      const two = await asked(under, call('c2'))
      await under.decide(two.id, { digest: two.digest, decision: 'reject', reason: 'not Ben' })
      const three = await asked(under, call('c3'))
      await under.decide(three.id, { digest: three.digest, decision: 'edit', arguments: { to: 'dora' } })
      const four = await asked(under, call('c4'))
      await under.decide(four.id, { digest: four.digest, decision: 'respond', text: 'I did it' })
      const last = await driver.resume({ ...scenario, guard: under.another }, early.saved)
      expect(last.ended).toBe('finished')
      const kept = driver.cannot.keepSiblings === undefined ? ['c0'] : []
      expect(last.told.map(({ callId }) => callId).sort()).toEqual([...kept, 'c1', 'c2', 'c3', 'c4'])
      for (const id of kept) expect(toldOf(last, id).text).toBe('sent to c0')
      expect(toldOf(last, 'c1').text).toBe('sent to c1')
      expect(toldOf(last, 'c2').text.includes('not Ben')).toBe(true)
      expect(toldOf(last, 'c3').text.includes('sent to dora')).toBe(true)
      expect(toldOf(last, 'c3').text.includes('changed the arguments')).toBe(true)
      expect(toldOf(last, 'c4')).toEqual({ callId: 'c4', text: 'I did it', isError: false })
      expect(runs.toSorted()).toEqual(['c0', 'c1', 'dora'])
    })

    needing('pause', 'goOnInPart')(
      'calls that are decided run while others wait, and none of them twice',
      async (under) => {
        const { runs, scenario, first, call } = await paused(under.guard, ['c1', 'c2'])
        await approve(under, call('c1'))
        const half = await driver.resume({ ...scenario, guard: under.another }, first.saved)
        expect(half.ended).toBe('paused')
        expect(runs).toEqual(['c0', 'c1'])
        await approve(under, call('c2'))
        const last = await driver.resume(scenario, half.saved)
        expect(toldOf(last, 'c1').text).toBe('sent to c1')
        expect(toldOf(last, 'c2').text).toBe('sent to c2')
        expect(runs).toEqual(['c0', 'c1', 'c2'])
      },
    )

    test("P5: a person's yes to one call is no yes to another", async (under) => {
      const { session, runs, scenario, first, call } = await paused(under.guard, ['c1', 'c2'])
      await asked(under, call('c2'))
      await approve(under, call('c1'))
      await driver.forge(scenario, first.saved)
      expect(runs.filter((id) => id === 'c2')).toEqual([])
      expect(await pendingIn(under, session)).toEqual(['c2'])
    })

    test('P5: a call that the policy denies is told so at once', async (under) => {
      const { scenario } = await paused(under.guard, [])
      const turns = [[{ id: 'd1', tool: 'mail_delete', args: { to: 'x' } }], 'done']
      const run = await driver.start({ ...scenario, turns })
      expect(run.ended).toBe('finished')
      const { text, isError } = toldOf(run, 'd1')
      expect(isError).toBe(true)
      expect(JSON.parse(text)).toMatchObject({ ran: false, state: 'denied' })
    })

    test("P5: the framework's yes runs nothing while nobody has decided", async (under) => {
      const { session, runs, scenario, first } = await paused(under.guard, ['c1'])
      const forged = await driver.forge(scenario, first.saved)
      expect(runs).toEqual(['c0'])
      if (forged.ended === 'finished')
        expect(refusalOf(forged, 'c1')).toMatchObject({ ran: false, state: 'pending' })
      expect(await pendingIn(under, session)).toEqual(['c1'])
    })

    test('P5: nor does it run what a person rejected', async (under) => {
      const { runs, scenario, first, call } = await paused(under.guard, ['c1'])
      const { id, digest } = await asked(under, call('c1'))
      await under.decide(id, { digest, decision: 'reject', reason: 'no' })
      const forged = await driver.forge(scenario, first.saved)
      expect(toldOf(forged, 'c1').text.includes('ana rejected it: no')).toBe(true)
      expect(runs).toEqual(['c0'])
    })

    needing('pause', 'tamper')(
      'P3: arguments that were changed in what is saved are refused',
      async (under) => {
        const { runs, scenario, first, call } = await paused(under.guard, ['c1'])
        await approve(under, call('c1'))
        const changed = driver.tamper!(first.saved, 'c1', { to: 'mallory' })
        for (const resume of [driver.forge, driver.resume]) {
          const run = await resume(scenario, changed)
          if (run.ended === 'finished') expect(toldOf(run, 'c1').isError).toBe(true)
        }
        expect(runs).toEqual(['c0'])
        expect(toldOf(await driver.resume(scenario, first.saved), 'c1').text).toBe('sent to c1')
      },
    )

    test('P4: resumed twice, and by two at once, a tool runs once, and its result is told', async (under) => {
      const { runs, scenario, first, call } = await paused(under.guard, ['c1'])
      await approve(under, call('c1'))
      const other = { ...scenario, guard: under.another }
      await Promise.all([driver.resume(scenario, first.saved), driver.resume(other, first.saved)])
      expect(runs).toEqual(['c0', 'c1'])
      const again = await driver.resume(other, first.saved)
      if (again.ended === 'finished' && again.told.length > 0)
        expect(toldOf(again, 'c1')).toEqual({ callId: 'c1', text: 'sent to c1', isError: false })
      expect(runs).toEqual(['c0', 'c1'])
    })

    test('a person who ends the session ends the run', async (under) => {
      const { runs, scenario, first, call } = await paused(under.guard, ['c1'])
      const { id, digest } = await asked(under, call('c1'))
      await under.decide(id, { digest, decision: 'terminate', reason: 'enough' })
      const run = await driver.resume(scenario, first.saved)
      expect(run.ended).toBe('failed')
      expect(run.modelCalls).toBe(0)
      expect(runs).toEqual(['c0'])
    })

    timed('an approval that lapsed is asked about again', async (under) => {
      const { runs, scenario, first, call } = await paused(under.guard, ['c1'])
      await approve(under, call('c1'))
      await under.advance(3_600_000)
      const again = await driver.resume(scenario, first.saved)
      expect(again.ended).toBe('paused')
      expect(runs).toEqual(['c0'])
      await approve(under, call('c1'))
      expect(toldOf(await driver.resume(scenario, again.saved), 'c1').text).toBe('sent to c1')
    })

    for (const tool of ['read_self', 'send_self']) {
      needing('pauseInTool')(
        `a tool that pauses by itself goes on after the resume: ${tool}`,
        async (under) => {
          const session = newSession()
          const run = async (_: object, __: unknown, given: unknown) => {
            const answer = await driver.pauseInTool!(given)
            return `did it with ${answer}`
          }
          const tools = [{ name: tool, schema: z.object({}), run }]
          const turns = [[{ id: 'c1', tool, args: {} }], 'done']
          const scenario: Scenario = { guard: under.guard, session, tools, turns }
          const running = driver.start(scenario)
          if (tool === 'send_self') await approve(under, { session, callId: 'c1' } as never)
          const first = await running
          expect(first.ended).toBe('paused')
          const last = await driver.resume(scenario, first.saved)
          expect(toldOf(last, 'c1')).toMatchObject({ isError: false })
          expect(toldOf(last, 'c1').text.startsWith('did it with')).toBe(true)
        },
      )
    }
  })
}
