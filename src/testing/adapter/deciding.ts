/** Groups 1, 2 and 3: what a person decides, in the model's words and in the tool's runs. */
import { z } from 'zod'
import { approve, asked } from '../guard/guard-test.ts'
import { type AdapterSuite, newSession, oneCall, refusalOf, type Scenario, toldOf } from './adapter-test.ts'

const MAIL = z.object({ to: z.string() })

export function describeDeciding({ runner, test, needing, driver }: AdapterSuite): void {
  const { describe, expect } = runner
  describe('what is decided', () => {
    const mailing = (guard: Scenario['guard'], more: Partial<Scenario> = {}) => {
      const runs: object[] = []
      const run = (args: { to: string }) => {
        runs.push(args)
        return `sent to ${args.to}`
      }
      const tools = ['read_mail', 'send_mail', 'mail_delete'].map((name) => ({ name, schema: MAIL, run }))
      const session = newSession()
      const scenario: Scenario = {
        guard,
        session,
        tools,
        turns: oneCall('send_mail', { to: 'ana' }),
        ...more,
      }
      return { runs, scenario, call: { session, callId: 'c1' } as never }
    }

    for (const stream of [false, true]) {
      const how = stream ? 'streamed' : 'not streamed'
      test(`P3 P5: allowed, denied, approved, rejected, edited and answered in one step, ${how}`, async (under) => {
        const { runs, scenario } = mailing(under.guard, { stream })
        const ids = ['allow', 'deny', 'approve', 'reject', 'edit', 'respond']
        const tool = (id: string) => ({ allow: 'read_mail', deny: 'mail_delete' })[id] ?? 'send_mail'
        const turns = [ids.map((id) => ({ id, tool: tool(id), args: { to: id } })), 'done']
        const running = driver.start({ ...scenario, turns })
        const decide = async (callId: string, input: object) => {
          const { id, digest } = await asked(under, { session: scenario.session!, callId } as never)
          await under.decide(id, { digest, ...input } as never)
        }
        // A framework may ask about one after another.
        await Promise.all([
          decide('reject', { decision: 'reject', reason: 'not Ben' }),
          decide('approve', { decision: 'approve' }),
          decide('edit', { decision: 'edit', arguments: { to: 'dora' } }),
          decide('respond', { decision: 'respond', text: 'I told her myself' }),
        ])
        const run = await running
        expect(run.ended).toBe('finished')
        expect(run.told.map(({ callId }) => callId)).toEqual(ids)
        expect(toldOf(run, 'allow')).toEqual({ callId: 'allow', text: 'sent to allow', isError: false })
        expect(refusalOf(run, 'deny')).toMatchObject({ ran: false, state: 'denied', tryAgain: false })
        expect(toldOf(run, 'approve')).toEqual({ callId: 'approve', text: 'sent to approve', isError: false })
        expect(refusalOf(run, 'reject')).toMatchObject({
          state: 'rejected',
          by: 'ana',
          because: 'ana rejected it: not Ben',
        })
        const edited = toldOf(run, 'edit')
        expect(edited.isError).toBe(false)
        expect(edited.text.includes('ana changed the arguments')).toBe(true)
        expect(edited.text.includes('{"to":"dora"}') && edited.text.includes('sent to dora')).toBe(true)
        expect(toldOf(run, 'respond')).toEqual({
          callId: 'respond',
          text: 'I told her myself',
          isError: false,
        })
        expect(runs.length).toBe(3)
        for (const args of [{ to: 'allow' }, { to: 'approve' }, { to: 'dora' }])
          expect(runs.some((one) => JSON.stringify(one) === JSON.stringify(args))).toBe(true)
      })
    }

    needing('askTogether')('people see all calls of a step at once', async (under) => {
      const { runs, scenario } = mailing(under.guard)
      const ids = ['c1', 'c2', 'c3']
      const turns = [ids.map((id) => ({ id, tool: 'send_mail', args: { to: id } })), 'done']
      const running = driver.start({ ...scenario, turns })
      const calls = ids.map((callId) => ({ session: scenario.session!, callId }) as never)
      for (const call of calls) await asked(under, call)
      expect(runs).toEqual([])
      for (const call of calls) await approve(under, call)
      expect((await running).told.map(({ text }) => text)).toEqual(ids.map((id) => `sent to ${id}`))
    })

    test('a question is answered, and the tool of that name never runs', async (under) => {
      const { scenario, call } = mailing(under.guard)
      const questions = [{ id: 'db', question: 'Which?', options: [{ label: 'pg' }, { label: 'redis' }] }]
      const run = () => expect('it').toBe('not run')
      const schema = z.object({ questions: z.array(z.any()) })
      const tools = [{ name: 'ask_user_question', schema, run }]
      const running = driver.start({ ...scenario, tools, turns: oneCall('ask_user_question', { questions }) })
      const { id, digest } = await asked(under, call)
      await under.decide(id, { digest, decision: 'answer', answers: { db: { choices: ['pg'] } } } as never)
      const { text, isError } = toldOf(await running, 'c1')
      expect(isError).toBe(false)
      expect(JSON.parse(text)).toEqual({ db: { choices: ['pg'] } })
    })

    test('P5: after terminate nothing runs, and the model is not called again', async (under) => {
      const { runs, scenario, call } = mailing(under.guard)
      const running = driver.start(scenario)
      const { id, digest } = await asked(under, call)
      await under.decide(id, { digest, decision: 'terminate', reason: 'enough' })
      expect((await running).modelCalls).toBe(1)
      const later = await driver.start({ ...scenario, turns: oneCall('read_mail', { to: 'ana' }, 'c2') })
      expect(later.modelCalls).toBe(1)
      expect(runs).toEqual([])
    })

    needing('remember')('P4: the same call again gets its result, and runs no second time', async (under) => {
      const { runs, scenario, call } = mailing(under.guard)
      const running = driver.start(scenario)
      await approve(under, call)
      expect(toldOf(await running, 'c1').text).toBe('sent to ana')
      const again = await driver.start({ ...scenario, guard: under.another })
      expect(toldOf(again, 'c1')).toEqual({ callId: 'c1', text: 'sent to ana', isError: false })
      expect(runs.length).toBe(1)
      const allowed = { ...scenario, remember: true, turns: oneCall('read_mail', { to: 'ben' }, 'c2') }
      await driver.start(allowed)
      expect(toldOf(await driver.start(allowed), 'c2').text).toBe('sent to ben')
      expect(runs.length).toBe(2)
      // By default an allowed call is let through without waiting for the disk, and its result is not kept.
      const forgetful = { ...scenario, turns: oneCall('read_mail', { to: 'cy' }, 'c3') }
      await driver.start(forgetful)
      expect(refusalOf(await driver.start(forgetful), 'c3')).toMatchObject({ ran: false, tryAgain: false })
      expect(runs.length).toBe(3)
    })

    needing('lineage')("a sub-agent's lineage is on its request", async (under) => {
      const { scenario, call } = mailing(under.guard)
      const agent = { name: 'research', parents: ['main'] }
      const seen: unknown[] = []
      const guard = { ...under.guard, guard: spy(under.guard, seen) } as Scenario['guard']
      const running = driver.start({ ...scenario, guard, agent, parentSession: 'main-1' })
      await approve(under, call)
      await running
      expect(seen).toEqual([{ agent, parentSession: 'main-1' }])
    })
  })
}

function spy(guard: Scenario['guard'], seen: unknown[]): Scenario['guard']['guard'] {
  return (call, ...rest) => {
    seen.push({ agent: call.agent, parentSession: call.parentSession })
    return guard.guard(call, ...rest)
  }
}
