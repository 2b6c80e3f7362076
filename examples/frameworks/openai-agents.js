// An agent of the OpenAI Agents SDK behind Banksman: it waits for a person, and it pauses over a restart. The model follows a script.
//
//   npm install banksman @openai/agents zod
//   node openai-agents.js        exits non-zero if something is wrong
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, RunState, run, setTracingDisabled, tool, Usage } from '@openai/agents'
import { openGateway } from 'banksman'
import { guardedTool, pausing } from 'banksman/openai-agents'
import { z } from 'zod'
import { answerRequests, checkRun, MAILS } from './story.js'

setTracingDisabled(true) // it would be sent to OpenAI
const folder = mkdtempSync(join(tmpdir(), 'banksman-openai-agents-'))
const policy = { allow: ['read_*'], ask: ['send_*'] }
const open = () => openGateway({ store: `sqlite:${join(folder, 'banksman.db')}`, policy, owner: 'me' })
let gateway = await open()

// 1. Your tools. Make them with `guardedTool` in the place of `tool`.
const sent = []
const createTools = (makeTool) => [
  makeTool({
    name: 'read_inbox',
    description: 'Reads the inbox.',
    parameters: z.object({}),
    execute: () => 'Ana: lunch? Ben: invoice. Cleo: when?',
  }),
  makeTool({
    name: 'send_mail',
    description: 'Sends a mail.',
    parameters: z.object({ to: z.string(), text: z.string(), copies: z.number().default(1) }),
    execute: ({ to, text }) => {
      sent.push({ to, text })
      return `sent to ${to}`
    },
  }),
]

// 2. Waiting: each call waits inside of the tool until a person has answered.
const model = createScriptedModel()
const waiting = createTools(guardedTool(gateway, tool, { session: 'chat-1' }))
const running = run(new Agent({ name: 'mailer', model, tools: waiting }), 'Answer my mail.')
const [waited] = await Promise.all([running, answerRequests(gateway)])
checkRun('waiting', sent, waited.finalOutput)

// 3. Pausing: the run ends with interruptions. Its state is all there is to save.
const file = join(folder, 'state.json')
const paused = await run(createPausing().agent, 'Answer my mail.')
assert.equal(paused.interruptions.length, MAILS.length)
writeFileSync(file, paused.state.toString())
await gateway.close()
console.log('paused')

// 4. Later, in another process: the run goes on with the calls that are decided.
gateway = await open()
const { agent, update } = createPausing()
const early = await RunState.fromString(agent, readFileSync(file, 'utf8'))
assert.equal(await update(early), MAILS.length, 'it went on before a person had answered')
await answerRequests(gateway)
const state = await RunState.fromString(agent, readFileSync(file, 'utf8'))
assert.equal(await update(state), 0)
const resumed = await run(agent, state)
checkRun('resumed', sent, resumed.finalOutput)

await gateway.close()
rmSync(folder, { recursive: true })
console.log('openai-agents: as it should be')

function createPausing() {
  const session = 'chat-2'
  const guarded = createTools(guardedTool(gateway, tool, { session, pause: true }))
  const { tools, update } = pausing(gateway, guarded, { session })
  return { agent: new Agent({ name: 'mailer', model, tools }), update }
}

/** A model that reads the inbox, sends the mails in one step, and says what it was told. */
function createScriptedModel() {
  const toCall = (name, given, index) => ({
    type: 'function_call',
    callId: `${name}_${index}`,
    name,
    status: 'completed',
    arguments: JSON.stringify(given),
  })
  return {
    async getResponse({ input }) {
      const results = [...input].filter(({ type }) => type === 'function_call_result')
      const text = JSON.stringify(results.map(({ output }) => output))
      const output =
        results.length === 0
          ? [toCall('read_inbox', {}, 0)]
          : results.length === 1
            ? MAILS.map((mail, index) => toCall('send_mail', mail, index))
            : [
                {
                  type: 'message',
                  role: 'assistant',
                  status: 'completed',
                  content: [{ type: 'output_text', text }],
                },
              ]
      return { usage: new Usage(), output }
    },
  }
}
