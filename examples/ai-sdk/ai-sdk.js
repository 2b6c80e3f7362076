// An agent of the Vercel AI SDK behind Banksman. The model follows a script, so it needs no key.
//
//   node ai-sdk.js            asks you (y/n) before a mail is sent
//   node ai-sdk.js --check    runs without a person and exits non-zero if something is wrong
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { generateText, isStepCount, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { openGateway, renderCall, renderText } from 'banksman'
import { guardTools, pausing, sessionEnded } from 'banksman/ai-sdk'
import { z } from 'zod'

const checking = process.argv.includes('--check')
const folder = mkdtempSync(join(tmpdir(), 'banksman-ai-sdk-'))
const me = { subject: 'me', role: 'approver', via: 'terminal' }
const open = () =>
  openGateway({
    store: `sqlite:${join(folder, 'banksman.db')}`,
    policy: { allow: ['read_*'], ask: ['send_*'] },
    owner: 'me',
  })
let gateway = await open()

// 1. Your tools, as they are.
const sent = []
const tools = {
  read_inbox: tool({ inputSchema: z.object({}), execute: () => ['Ana: lunch?', 'Ben: invoice'] }),
  send_mail: tool({
    description: 'Sends a mail.',
    inputSchema: z.object({ to: z.string(), text: z.string(), copies: z.number().default(1) }),
    execute: ({ to, text }) => {
      sent.push(to)
      return `sent "${text}" to ${to}`
    },
  }),
}

// 2. Blocking: the run waits inside of the tool until you have answered.
const [waiting] = await Promise.all([
  generateText({
    model: scripted('ana'),
    prompt: 'Answer my mail.',
    tools: guardTools(gateway, tools, { session: 'chat-1' }),
    stopWhen: [isStepCount(5), sessionEnded],
  }),
  answerRequest(),
])
console.log('blocking:', waiting.text, sent)

// 3. Pausing: the run ends with an approval request. Save the messages, and nothing else.
let { responses, ...paused } = pausing(gateway, tools, { session: 'chat-2' })
const messages = [{ role: 'user', content: 'Answer my mail.' }]
const first = await generateText({ model: scripted('ben'), messages, ...paused, stopWhen: isStepCount(5) })
writeFileSync(join(folder, 'messages.json'), JSON.stringify([...messages, ...first.responseMessages]))
const early = await responses([...messages, ...first.responseMessages])
await gateway.close()

// 4. A day later, in another process: you have answered, and the run goes on.
gateway = await open()
await answerRequest()
;({ responses, ...paused } = pausing(gateway, tools, { session: 'chat-2' }))
const saved = JSON.parse(readFileSync(join(folder, 'messages.json'), 'utf8'))
const answer = await responses(saved)
const last = await generateText({ model: scripted('ben'), messages: [...saved, answer], ...paused })
console.log('pausing: ', last.text, sent)
await gateway.close()
rmSync(folder, { recursive: true })

if (checking) {
  assert.equal(waiting.text, 'All done.')
  assert.equal(early, undefined)
  assert.equal(last.text, 'All done.')
  assert.deepEqual(sent, ['ana', 'ben'])
  console.log('ai-sdk: as it should be')
}

/** Asks you about the next request. A real program has people answer in the inbox or a chat. */
async function answerRequest() {
  let request
  while (request === undefined) {
    request = (await gateway.list({ state: 'pending' }, me)).items[0]
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  console.log(`\n${renderText(renderCall(JSON.parse(request.bytes)))}`)
  const yes = checking || (await question('Approve? [y/N] ')).toLowerCase() === 'y'
  await gateway.decide(request.id, { decision: yes ? 'approve' : 'reject', digest: request.digest }, me)
}

async function question(text) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(text)
  terminal.close()
  return answer.trim()
}

/** A model that reads the inbox, answers one mail, and is done. */
function scripted(to) {
  const turns = [
    [call('call_1', 'read_inbox', {}), call('call_2', 'send_mail', { to: to, text: 'Gladly.' })],
    [{ type: 'text', text: 'All done.' }],
  ]
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const content = turns[prompt.filter(({ role }) => role === 'assistant').length]
      const unified = content[0].type === 'text' ? 'stop' : 'tool-calls'
      const usage = {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      }
      return { content, finishReason: { unified, raw: undefined }, usage, warnings: [] }
    },
  })
}

function call(toolCallId, toolName, input) {
  return { type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) }
}
