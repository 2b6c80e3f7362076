// An agent of the Vercel AI SDK behind Banksman: it waits for a person, and it pauses over a restart. The model follows a script.
//
//   npm install banksman ai zod
//   node ai-sdk.js               exits non-zero if something is wrong
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateText, isStepCount, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { openGateway } from 'banksman'
import { guardTools, pausing, sessionEnded } from 'banksman/ai-sdk'
import { z } from 'zod'
import { answerRequests, checkRun, MAILS } from './story.js'

const folder = mkdtempSync(join(tmpdir(), 'banksman-ai-sdk-'))
const policy = { allow: ['read_*'], ask: ['send_*'] }
const open = () => openGateway({ store: `sqlite:${join(folder, 'banksman.db')}`, policy, owner: 'me' })
let gateway = await open()

// 1. Your tools, as they are.
const sent = []
const tools = {
  read_inbox: tool({
    inputSchema: z.object({}),
    execute: () => ['Ana: lunch?', 'Ben: invoice', 'Cleo: when?'],
  }),
  send_mail: tool({
    description: 'Sends a mail.',
    inputSchema: z.object({ to: z.string(), text: z.string(), copies: z.number().default(1) }),
    execute: ({ to, text }) => {
      sent.push({ to, text })
      return `sent to ${to}`
    },
  }),
}

// 2. Waiting: each call waits inside of the tool until a person has answered.
const run = generateText({
  model: createScriptedModel(),
  prompt: 'Answer my mail.',
  tools: guardTools(gateway, tools, { session: 'chat-1' }),
  stopWhen: [isStepCount(5), sessionEnded],
})
const [waited] = await Promise.all([run, answerRequests(gateway)])
checkRun('waiting', sent, waited.text)

// 3. Pausing: the run ends with approval requests. The messages are all there is to save.
const file = join(folder, 'messages.json')
const messages = [{ role: 'user', content: 'Answer my mail.' }]
const first = await generateText({ ...createAgent().options, messages })
writeFileSync(file, JSON.stringify([...messages, ...first.responseMessages]))
await gateway.close()
console.log('paused')

// 4. Later, in another process: the run goes on once a person has answered.
gateway = await open()
const saved = JSON.parse(readFileSync(file, 'utf8'))
const { options, responses } = createAgent()
assert.equal(await responses(saved), undefined, 'it went on before a person had answered')
await answerRequests(gateway)
const last = await generateText({ ...options, messages: [...saved, await responses(saved)] })
checkRun('resumed', sent, last.text)

await gateway.close()
rmSync(folder, { recursive: true })
console.log('ai-sdk: as it should be')

function createAgent() {
  const { responses, ...asking } = pausing(gateway, tools, { session: 'chat-2' })
  return { responses, options: { ...asking, model: createScriptedModel(), stopWhen: isStepCount(5) } }
}

/** A model that reads the inbox, sends the mails in one step, and says what it was told. */
function createScriptedModel() {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  }
  const toCall = (toolName, input, index) => ({
    type: 'tool-call',
    toolCallId: `${toolName}_${index}`,
    toolName,
    input: JSON.stringify(input),
  })
  return new MockLanguageModelV4({
    async doGenerate({ prompt }) {
      const results = prompt.filter(({ role }) => role === 'tool').flatMap(({ content }) => content)
      const turns = prompt.filter(({ role }) => role === 'assistant').length
      const content = [
        [toCall('read_inbox', {}, 0)],
        MAILS.map((mail, index) => toCall('send_mail', mail, index)),
        [{ type: 'text', text: JSON.stringify(results) }],
      ][turns]
      const finishReason = { unified: turns < 2 ? 'tool-calls' : 'stop', raw: undefined }
      return { content, finishReason, usage, warnings: [] }
    },
  })
}
