// Banksman inside an ordinary Node program: one tool, one policy, one person at the terminal.
//
//   node embed.js            asks you (y/n) before anything is sent
//   node embed.js --check    runs without a person and exits non-zero if something is wrong
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { openGateway, renderCall, renderText } from 'banksman'

const checking = process.argv.includes('--check')
const folder = mkdtempSync(join(tmpdir(), 'banksman-embed-'))
const me = { subject: 'me', role: 'approver', via: 'terminal' }

// 1. A gateway: where to keep things, and what needs approval.
const gateway = await openGateway({
  store: `sqlite:${join(folder, 'banksman.db')}`,
  policy: { allow: ['read_*'], deny: ['*_delete'], ask: ['send_*'] },
  owner: 'me',
  channels: [terminal()],
})

// 2. The tool. It is only ever called with arguments that were allowed or approved.
const sent = []
function sendMail({ to, subject }) {
  sent.push(to)
  return `sent "${subject}" to ${to}`
}

// 3. Every call goes through guard().
const call = (tool, args) => ({
  tool,
  arguments: args,
  callId: `${tool}-${Date.now()}-${Math.random()}`,
  session: 'demo',
})

const read = await gateway.guard(call('read_inbox', { limit: 3 }), () => ['one', 'two', 'three'])
const denied = await gateway.guard(call('mailbox_delete', { id: 7 }), () => 'deleted')
const asked = await gateway.guard(call('send_mail', { to: 'ana@example.com', subject: 'Lunch?' }), sendMail)

console.log('read_inbox:    ', read.kind, read.value)
console.log('mailbox_delete:', denied.kind, '-', denied.because)
console.log('send_mail:     ', asked.kind, '-', asked.kind === 'ran' ? asked.value : asked.because)

await gateway.close()
rmSync(folder, { recursive: true })

if (checking) {
  assert.equal(read.kind, 'ran')
  assert.equal(denied.kind, 'refused')
  assert.equal(asked.kind, 'ran')
  assert.deepEqual(sent, ['ana@example.com'])
  console.log('embed: as it should be')
}

/** A channel is where people are asked. This one is the terminal that the program runs in. */
function terminal() {
  return {
    name: 'terminal',
    kind: 'durable',
    serves: () => true,
    async present({ request }) {
      console.log(`\n${renderText(renderCall(JSON.parse(request.bytes)))}`)
      console.log(`(${request.because})`)
      const yes = checking || (await question('Approve? [y/N] ')).toLowerCase() === 'y'
      await gateway.decide(request.id, { decision: yes ? 'approve' : 'reject', digest: request.digest }, me)
    },
  }
}

async function question(text) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(text)
  terminal.close()
  return answer.trim()
}
