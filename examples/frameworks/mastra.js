// A Mastra agent behind Banksman: it waits for a person, and it pauses over a restart. The model follows a script.
//
//   npm install banksman @mastra/core zod
//   node mastra.js               exits non-zero if something is wrong
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Mastra } from '@mastra/core'
import { Agent } from '@mastra/core/agent'
import { InMemoryStore } from '@mastra/core/storage'
import { createTool } from '@mastra/core/tools'
import { openGateway } from 'banksman'
import { guardTools, resumeRun } from 'banksman/mastra'
import { z } from 'zod'
import { answerRequests, checkRun, MAILS } from './story.js'

const folder = mkdtempSync(join(tmpdir(), 'banksman-mastra-'))
const policy = { allow: ['read_*'], ask: ['send_*'] }
const open = () => openGateway({ store: `sqlite:${join(folder, 'banksman.db')}`, policy, owner: 'me' })
let gateway = await open()

// 1. Your tools, as they are.
const sent = []
const tools = {
  read_inbox: createTool({
    id: 'read_inbox',
    description: 'Reads the inbox.',
    inputSchema: z.object({}),
    execute: async () => 'Ana: lunch? Ben: invoice. Cleo: when?',
  }),
  send_mail: createTool({
    id: 'send_mail',
    description: 'Sends a mail.',
    inputSchema: z.object({ to: z.string(), text: z.string(), copies: z.number().default(1) }),
    execute: async ({ to, text }) => {
      sent.push({ to, text })
      return `sent to ${to}`
    },
  }),
}
// Use one that other processes can read, such as LibSQLStore or PostgresStore; this one can't be.
const storage = new InMemoryStore()

// 2. Waiting: each call waits inside of the tool until a person has answered.
const run = createAgent({ session: 'chat-1' }).generate('Answer my mail.')
const [waited] = await Promise.all([run, answerRequests(gateway)])
checkRun('waiting', sent, waited.text)

// 3. Pausing: the run is suspended, and its storage keeps everything. Save the run's id.
const pausing = { session: 'chat-2', pause: true }
const { finishReason, runId } = await createAgent(pausing).generate('Answer my mail.')
assert.equal(finishReason, 'suspended')
await gateway.close()
console.log('paused')

// 4. Later, in another process: the run goes on once a person has answered.
gateway = await open()
const early = await resumeRun(createAgent(pausing), runId)
assert.equal(early, undefined, 'it went on before a person had answered')
await answerRequests(gateway)
const resumed = await resumeRun(createAgent(pausing), runId)
checkRun('resumed', sent, resumed.text)

await gateway.close()
rmSync(folder, { recursive: true })
console.log('mastra: as it should be')

function createAgent(options) {
  const main = new Agent({
    id: 'main',
    name: 'main',
    instructions: 'You answer mail.',
    model: createScriptedModel(),
    tools: guardTools(gateway, tools, options),
  })
  return new Mastra({ agents: { main }, storage, logger: false }).getAgent('main')
}

/** A model that reads the inbox, sends the mails in one step, and says what it was told. */
function createScriptedModel() {
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
  const toCall = (toolName, input, index) => ({
    type: 'tool-call',
    toolCallId: `${toolName}_${index}`,
    toolName,
    input: JSON.stringify(input),
  })
  return {
    specificationVersion: 'v2',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate({ prompt }) {
      const results = prompt.filter(({ role }) => role === 'tool').flatMap(({ content }) => content)
      const turns = Math.min(results.length, 2)
      const content = [
        [toCall('read_inbox', {}, 0)],
        MAILS.map((mail, index) => toCall('send_mail', mail, index)),
        [{ type: 'text', text: JSON.stringify(results) }],
      ][turns]
      return { content, finishReason: turns < 2 ? 'tool-calls' : 'stop', usage, warnings: [] }
    },
  }
}
