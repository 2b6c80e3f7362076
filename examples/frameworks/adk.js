// An agent of Google's Agent Development Kit behind Banksman: it waits for a person, and it pauses over a restart. The model follows a
// script.
//
//   npm install banksman @google/adk zod
//   node adk.js                  exits non-zero if something is wrong
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BaseLlm, FunctionTool, InMemorySessionService, LlmAgent, Runner } from '@google/adk'
import { openGateway } from 'banksman'
import { guardTools, pausing } from 'banksman/adk'
import { z } from 'zod'
import { answerRequests, checkRun, MAILS } from './story.js'

const folder = mkdtempSync(join(tmpdir(), 'banksman-adk-'))
const policy = { allow: ['read_*'], ask: ['send_*'] }
const open = () => openGateway({ store: `sqlite:${join(folder, 'banksman.db')}`, policy, owner: 'me' })
let gateway = await open()

// 1. Your tools, as they are.
const sent = []
const tools = [
  new FunctionTool({
    name: 'read_inbox',
    description: 'Reads the inbox.',
    parameters: z.object({}),
    execute: () => 'Ana: lunch? Ben: invoice. Cleo: when?',
  }),
  new FunctionTool({
    name: 'send_mail',
    description: 'Sends a mail.',
    parameters: z.object({ to: z.string(), text: z.string(), copies: z.number().default(1) }),
    execute: ({ to, text }) => {
      sent.push({ to, text })
      return `sent to ${to}`
    },
  }),
]
const prompt = { role: 'user', parts: [{ text: 'Answer my mail.' }] }
// Use one that writes to a database, such as DatabaseSessionService; this one doesn't.
const sessionService = new InMemorySessionService()
const place = { appName: 'mailer', userId: 'me' }

// 2. Waiting: each call waits inside of the tool until a person has answered. The kit's session is the session.
await sessionService.createSession({ ...place, sessionId: 'chat-1' })
const running = run('chat-1', guardTools(gateway, tools), prompt)
const [waited] = await Promise.all([running, answerRequests(gateway)])
checkRun('waiting', sent, waited)

// 3. Pausing: the kit asks for a confirmation of each call, and the run ends. The kit's session keeps everything.
await sessionService.createSession({ ...place, sessionId: 'chat-2' })
await run('chat-2', pausing(gateway, tools).tools, prompt)
assert.deepEqual(sent, [])
await gateway.close()
console.log('paused')

// 4. Later, in another process: the run goes on once a person has answered.
gateway = await open()
const { tools: asking, confirmations } = pausing(gateway, tools)
const read = () => sessionService.getSession({ ...place, sessionId: 'chat-2' })
assert.equal(await confirmations(await read()), undefined, 'it went on before a person had answered')
await answerRequests(gateway)
const resumed = await run('chat-2', asking, await confirmations(await read()))
checkRun('resumed', sent, resumed)
assert.equal(await confirmations(await read()), undefined, 'it would go on a second time')

await gateway.close()
rmSync(folder, { recursive: true })
console.log('adk: as it should be')

/** Resolves with the last text of the model. */
async function run(sessionId, guarded, newMessage) {
  const agent = new LlmAgent({ name: 'mailer', model: createScriptedModel(), tools: guarded })
  const runner = new Runner({ appName: place.appName, agent, sessionService })
  let text
  for await (const { content } of runner.runAsync({ userId: place.userId, sessionId, newMessage }))
    text = content?.parts?.[0]?.text ?? text
  return text
}

/** A model that reads the inbox, sends the mails in one step, and says what it was told. */
function createScriptedModel() {
  const toCall = (name, args, index) => ({ functionCall: { id: `${name}_${index}`, name, args } })
  return new (class extends BaseLlm {
    async *generateContentAsync({ contents }) {
      const parts = contents.flatMap((content) => content.parts ?? [])
      const results = parts.filter(({ functionResponse }) => functionResponse !== undefined)
      const turns = [
        [toCall('read_inbox', {}, 0)],
        MAILS.map((mail, index) => toCall('send_mail', mail, index)),
        [{ text: JSON.stringify(results) }],
      ]
      yield { content: { role: 'model', parts: turns[Math.min(results.length, 2)] } }
    }
  })({ model: 'scripted' })
}
