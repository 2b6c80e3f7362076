/** A tool that wants a person to be asked, whatever the policy says. */
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { approve, ben } from '../../gateway/fixtures/test-gateway.ts'
import { find, openTestAgent, type TestAgent, waiting } from '../fixtures/test-agent.ts'
import { type AsksContext, defineTool } from '../tools/tool.ts'

let test: TestAgent
const runs: string[] = []
const heard: (readonly string[])[] = []

async function open(asks: (args: { text: string }, context: AsksContext) => string | undefined) {
  runs.length = 0
  heard.length = 0
  const tool = defineTool({
    name: 'post',
    description: 'Posts a text.',
    schema: z.strictObject({ text: z.string() }),
    asks(args, context) {
      heard.push(context.said)
      return asks(args, context)
    },
    async run({ text }, { owner }) {
      runs.push(`${owner.subject}: ${text}`)
      return { text: 'posted' }
    },
  })
  const post = { tool: 'post', arguments: { text: 'hello' } }
  const script = [
    { when: 'task', steps: [{ calls: [post] }, { say: 'the task is done' }] },
    {
      when: 'delegate',
      steps: [{ calls: [{ tool: 'spawn', arguments: { task: 'task: say hello' } }] }, { say: 'ok' }],
    },
    { steps: [{ calls: [post] }, { say: 'done' }] },
  ]
  test = await openTestAgent({ tools: [tool], script, policy: { allow: ['post', 'spawn'] } })
}
afterEach(() => test.close())

describe('a tool that asks', () => {
  it('runs as the policy says where it has no reason, as the owner of the session', async () => {
    await open(() => undefined)
    await test.say('say hello')
    expect([runs, heard]).toEqual([['ana: hello'], [['say hello']]])
  })

  it('P11: has a person asked where it has one, though the policy allows it', async () => {
    await open(() => 'these are not your words')
    const said = test.say('say hi')
    const [request] = await waiting(test)
    expect([request!.because.includes('these are not your words'), runs]).toEqual([true, []])
    await approve(test.setup, request!)
    expect(find(await said, 'turn_ended').status).toBe('completed')
    expect(runs).toEqual(['ana: hello'])
  })

  it('P5: has a person asked where it throws', async () => {
    await open(() => {
      throw new Error('broken')
    })
    const said = test.say('say hi')
    const [request] = await waiting(test)
    await test.setup.gateway.decide(request!.id, { decision: 'reject', digest: request!.digest }, ben)
    await said
    expect(runs).toEqual([])
  })

  it('P11: what another agent gave as a task is nobody’s word', async () => {
    await open(() => undefined)
    await test.say('delegate it')
    expect([runs.length, heard]).toEqual([1, [[]]])
  })
})
