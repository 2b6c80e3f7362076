/** Our loop on a gateway with a SQLite file: the tool is allowed by the policy, or a person is asked each time. */
import { join } from 'node:path'
import { z } from 'zod'
import { defineTool, type Model, openAgent } from '../../../src/agent.ts'
import { composeEmbedded } from '../../../src/server/composition/compose-embedded.ts'
import { people } from '../../bench-gateway.ts'
import {
  type AgentLoop,
  DESCRIPTION,
  INSTRUCTIONS,
  MAX_STEPS,
  nextMove,
  TOOL,
  wordsFor,
} from './conversation.ts'

const { ana } = people

const model: Model = {
  name: 'bench/adds',
  async *stream({ messages }) {
    const words = messages.find(({ role }) => role === 'user')?.text ?? ''
    const results = messages.filter(({ role }) => role === 'tool').map(({ text }) => text)
    const move = nextMove(words, results)
    yield { kind: 'text', delta: move.said }
    if (move.kind === 'call') {
      const argumentsText = JSON.stringify(move.arguments)
      yield { kind: 'call', id: `call_${results.length}`, tool: TOOL, argumentsText }
    }
    yield {
      kind: 'end',
      finish: move.kind === 'call' ? 'calls' : 'stop',
      usage: { inputTokens: 1, outputTokens: 1 },
    }
  },
}

export async function openBanksman(folder: string, isAsked: boolean): Promise<AgentLoop> {
  const name = isAsked ? 'Banksman, each call approved, claimed and reported' : 'Banksman, allowed'
  const gateway = await composeEmbedded({
    store: `sqlite:${join(folder, `banksman-${isAsked ? 'asked' : 'allowed'}.db`)}`,
    policy: isAsked ? {} : { allow: [TOOL] },
    owner: ana.subject,
  })
  let ran = 0
  const agent = openAgent({
    gateway,
    model,
    workspace: join(folder, 'workspace'),
    builtInTools: [],
    tools: [
      defineTool({
        name: TOOL,
        description: DESCRIPTION,
        schema: z.strictObject({ a: z.number(), b: z.number() }),
        async run({ a, b }) {
          ran++
          return { text: String(a + b) }
        },
      }),
    ],
    instructions: INSTRUCTIONS,
    maxSteps: MAX_STEPS,
  })
  let sessions = 0
  return {
    name,
    async converse(calls) {
      const session = `session-${sessions++}`
      const before = ran
      let asked = 0
      const { turn, after } = await agent.say({ session, text: wordsFor(calls) }, ana)
      for await (const event of agent.events(session, { after }, ana)) {
        if (event.kind === 'call_waiting') {
          asked++
          const { id, digest } = await gateway.get(event.request, ana)
          await gateway.decide(id, { decision: 'approve', digest }, ana)
        }
        if (event.kind === 'turn_ended' && event.turn === turn)
          return { answer: event.text, ran: ran - before, asked }
      }
      throw new Error('the turn did not end')
    },
    settle: () => gateway.flush(),
    async close() {
      await agent.close()
      await gateway.close()
    },
  }
}
