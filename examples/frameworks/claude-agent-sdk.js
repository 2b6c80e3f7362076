// An agent of the Claude Agent SDK behind Banksman. The SDK has no pause that keeps all calls of a step, so it waits. Claude Code, which
// the SDK brings, runs as always; the model behind it follows a script, at an address of this machine.
//
//   npm install banksman @anthropic-ai/claude-agent-sdk zod
//   node claude-agent-sdk.js     exits non-zero if something is wrong
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk'
import { openGateway } from 'banksman'
import { banksman } from 'banksman/claude-agent-sdk'
import { startModelServer } from 'banksman/testing'
import { z } from 'zod'
import { answerRequests, checkRun, MAILS } from './story.js'

const folder = mkdtempSync(join(tmpdir(), 'banksman-claude-agent-sdk-'))
const work = join(folder, 'work')
mkdirSync(work)

// 1. Your tools, as they are. The model, and so the policy, knows them as `mcp__mail__…`; Claude Code's own have their own names.
const sent = []
const readInbox = tool('read_inbox', 'Reads the inbox.', {}, async () => toResult('Ana, Ben, Cleo'))
const sendMail = tool('send_mail', 'Sends.', { to: z.string(), text: z.string() }, async ({ to, text }) => {
  sent.push({ to, text })
  return toResult(`sent to ${to}`)
})
const mail = createSdkMcpServer({ name: 'mail', version: '1.0.0', tools: [readInbox, sendMail] })
const gateway = await openGateway({
  store: `sqlite:${join(folder, 'banksman.db')}`,
  policy: { allow: ['mcp__mail__read_*'], ask: ['mcp__mail__send_*'], deny: ['Bash(touch *)'] },
  owner: 'me',
})

// 2. Waiting: each call waits in the hook before the tool until a person has answered.
const model = await startModelServer([
  {
    when: 'Answer my mail.',
    steps: [
      { calls: [toCall('mcp__mail__read_inbox', {}, 0), toCall('Bash', { command: 'touch a' }, 0)] },
      { calls: MAILS.map((one, index) => toCall('mcp__mail__send_mail', one, index)) },
      { say: 'All done.' },
    ],
  },
  { steps: [{ say: 'Mail' }], repeat: true }, // Claude Code asks for a title, too.
])
const options = {
  cwd: work,
  env: createEnvironment(),
  mcpServers: { mail },
  permissionMode: 'default',
  settingSources: [],
  maxTurns: 10,
  ...banksman(gateway, { session: 'chat-1' }),
}
const [result] = await Promise.all([run(), answerRequests(gateway)])
assert.equal(result, 'All done.')
checkRun('waiting', sent, JSON.stringify(model.requests.map(({ body }) => body)))
assert.ok(!existsSync(join(work, 'a')), 'a command that the policy denies ran')

await gateway.close()
await model.close()
rmSync(folder, { recursive: true, maxRetries: 5 })
console.log('claude-agent-sdk: as it should be')

/** Resolves with the last words of the model. */
async function run() {
  let last
  for await (const message of query({ prompt: 'Answer my mail.', options }))
    if (message.type === 'result') last = message.result
  return last
}

/** Claude Code gets a home of its own, no key, and no address but the model's. A real program leaves `env` out. */
function createEnvironment() {
  return {
    PATH: process.env.PATH,
    HOME: folder,
    ANTHROPIC_BASE_URL: model.baseUrl.replace(/\/v1$/, ''),
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    IS_SANDBOX: '1',
  }
}

function toCall(name, given, index) {
  return { id: `toolu_${name}_${index}`, tool: name, arguments: given }
}

function toResult(text) {
  return { content: [{ type: 'text', text }] }
}
