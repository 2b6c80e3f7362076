// A LangChain agent behind Banksman. The model follows a script, so it needs no key.
//
//   node langchain.js            asks you (y/n) before a mail is sent
//   node langchain.js --check    runs without a person and exits non-zero if something is wrong
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage } from '@langchain/core/messages'
import { Command, MemorySaver } from '@langchain/langgraph'
import { openGateway, renderCall, renderText } from 'banksman'
import { banksman } from 'banksman/langchain'
import { createAgent, tool } from 'langchain'
import { z } from 'zod'

const checking = process.argv.includes('--check')
const folder = mkdtempSync(join(tmpdir(), 'banksman-langchain-'))
const me = { subject: 'me', role: 'approver', via: 'terminal' }
const gateway = await openGateway({
  store: `sqlite:${join(folder, 'banksman.db')}`,
  policy: { allow: ['read_*'], ask: ['send_*'] },
  owner: 'me',
})

// 1. Your tools, as they are.
const sent = []
const tools = [
  tool(() => 'Ana: lunch? Ben: invoice', {
    name: 'read_inbox',
    description: 'Reads.',
    schema: z.object({}),
  }),
  tool(
    ({ to, text }) => {
      sent.push(to)
      return `sent "${text}" to ${to}`
    },
    {
      name: 'send_mail',
      description: 'Sends a mail.',
      schema: z.object({ to: z.string(), text: z.string(), copies: z.number().default(1) }),
    },
  ),
]
const words = { messages: [{ role: 'user', content: 'Answer my mail.' }] }

// 2. Blocking: the run waits inside of the tool until you have answered. The thread is the session.
const waiting = createAgent({ model: scripted('ana'), tools, middleware: [banksman(gateway)] })
const [blocked] = await Promise.all([
  waiting.invoke(words, { configurable: { thread_id: 'chat-1' } }),
  answerRequest(),
])
console.log('blocking:', blocked.messages.at(-1).content, sent)

// 3. Pausing: the graph is interrupted, and its checkpointer keeps everything. Take one that writes to a disk.
const pausing = createAgent({
  model: scripted('ben'),
  tools,
  checkpointer: new MemorySaver(),
  middleware: [banksman(gateway, { pause: true })],
})
const thread = { configurable: { thread_id: 'chat-2' } }
const paused = await pausing.invoke(words, thread)

// 4. Later: you have answered, and the graph goes on. What it is resumed with doesn't matter; your answer does.
const early = await pausing.invoke(new Command({ resume: 'look' }), thread)
await answerRequest()
const resumed = await pausing.invoke(new Command({ resume: 'look' }), thread)
console.log('pausing: ', resumed.messages.at(-1).content, sent)
await gateway.close()
rmSync(folder, { recursive: true })

if (checking) {
  assert.equal(blocked.messages.at(-1).content, 'All done.')
  assert.equal(paused.__interrupt__[0].value.tool, 'send_mail')
  assert.equal(early.__interrupt__.length, 1)
  assert.equal(resumed.messages.at(-1).content, 'All done.')
  assert.deepEqual(sent, ['ana', 'ben'])
  console.log('langchain: as it should be')
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
  const calls = [
    { id: 'call_1', name: 'read_inbox', args: {}, type: 'tool_call' },
    { id: 'call_2', name: 'send_mail', args: { to, text: 'Gladly.' }, type: 'tool_call' },
  ]
  return new (class extends BaseChatModel {
    _llmType() {
      return 'scripted'
    }
    bindTools() {
      return this
    }
    async _generate(messages) {
      const isFirst = !messages.some((message) => AIMessage.isInstance(message))
      const text = isFirst ? '' : 'All done.'
      const message = new AIMessage({ content: text, tool_calls: isFirst ? calls : [] })
      return { generations: [{ message, text }] }
    }
  })({})
}
