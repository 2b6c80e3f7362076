// A LangChain agent behind Banksman: it waits for a person, and it pauses over a restart. The model follows a script.
//
//   npm install banksman langchain @langchain/core @langchain/langgraph zod
//   node langchain.js            exits non-zero if something is wrong
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, ToolMessage } from '@langchain/core/messages'
import { Command, MemorySaver } from '@langchain/langgraph'
import { openGateway } from 'banksman'
import { banksman } from 'banksman/langchain'
import { createAgent, tool } from 'langchain'
import { z } from 'zod'
import { answerRequests, checkRun, MAILS } from './story.js'

const folder = mkdtempSync(join(tmpdir(), 'banksman-langchain-'))
const policy = { allow: ['read_*'], ask: ['send_*'] }
const open = () => openGateway({ store: `sqlite:${join(folder, 'banksman.db')}`, policy, owner: 'me' })
let gateway = await open()

// 1. Your tools, as they are.
const sent = []
const readInbox = tool(() => 'Ana: lunch? Ben: invoice. Cleo: when?', {
  name: 'read_inbox',
  description: 'Reads the inbox.',
  schema: z.object({}),
})
const sendMail = tool(
  ({ to, text }) => {
    sent.push({ to, text })
    return `sent to ${to}`
  },
  {
    name: 'send_mail',
    description: 'Sends a mail.',
    schema: z.object({ to: z.string(), text: z.string(), copies: z.number().default(1) }),
  },
)
const tools = [readInbox, sendMail]
const prompt = { messages: [{ role: 'user', content: 'Answer my mail.' }] }

// 2. Waiting: each call waits inside of the tool until a person has answered. The thread is the session.
const waiting = createAgent({ model: createScriptedModel(), tools, middleware: [banksman(gateway)] })
const run = waiting.invoke(prompt, { configurable: { thread_id: 'chat-1' } })
const [waited] = await Promise.all([run, answerRequests(gateway)])
checkRun('waiting', sent, waited.messages.at(-1).text)

// 3. Pausing: the graph is interrupted, and its checkpointer keeps everything. Use one that writes to a disk; this one doesn't.
const checkpointer = new MemorySaver()
const thread = { configurable: { thread_id: 'chat-2' } }
const paused = await createPausing().invoke(prompt, thread)
assert.equal(paused.__interrupt__.length, MAILS.length)
await gateway.close()
console.log('paused')

// 4. Later, in another process. What the graph is resumed with doesn't matter: what the person decided does.
gateway = await open()
const early = await createPausing().invoke(new Command({ resume: 'look' }), thread)
assert.equal(early.__interrupt__.length, MAILS.length, 'it went on before a person had answered')
await answerRequests(gateway)
const resumed = await createPausing().invoke(new Command({ resume: 'look' }), thread)
checkRun('resumed', sent, resumed.messages.at(-1).text)

await gateway.close()
rmSync(folder, { recursive: true })
console.log('langchain: as it should be')

function createPausing() {
  const middleware = [banksman(gateway, { pause: true })]
  return createAgent({ model: createScriptedModel(), tools, checkpointer, middleware })
}

/** A model that reads the inbox, sends the mails in one step, and says what it was told. */
function createScriptedModel() {
  const toCall = (name, args, index) => ({ id: `${name}_${index}`, name, args, type: 'tool_call' })
  return new (class extends BaseChatModel {
    _llmType() {
      return 'scripted'
    }
    bindTools() {
      return this
    }
    async _generate(messages) {
      const results = messages.filter((message) => ToolMessage.isInstance(message))
      const turns = messages.filter((message) => AIMessage.isInstance(message)).length
      const message = [
        new AIMessage({ content: '', tool_calls: [toCall('read_inbox', {}, 0)] }),
        new AIMessage({
          content: '',
          tool_calls: MAILS.map((mail, index) => toCall('send_mail', mail, index)),
        }),
        new AIMessage(JSON.stringify(results.map(({ content }) => content))),
      ][turns]
      return { generations: [{ message, text: message.text }] }
    }
  })({})
}
