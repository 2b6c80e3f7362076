/**
 * An agent with a tool of your own. The model here follows a script, so it needs no key; `createProviderModel` talks to a
 * real one. Every call goes through the gateway: the policy below asks about `send_invoice`, and this program answers.
 *
 *     node tool.js            talk to it, and decide its calls
 *     node tool.js --check    what the tests run
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { openGateway } from 'banksman'
import { createScriptedModel, defineTool, openAgent, ToolError } from 'banksman/agent'
import { z } from 'zod'

const isCheck = process.argv.includes('--check')
const sent = []

const sendInvoice = defineTool({
  name: 'send_invoice',
  description: 'Sends an invoice to a customer.',
  // No defaults and no coercion: what is checked here is what the person sees and what runs.
  schema: z.strictObject({ customer: z.string().min(1), euros: z.number().positive() }),
  async run({ customer, euros }) {
    if (euros > 10_000) throw new ToolError('invoices over 10,000 euros are sent by hand')
    sent.push(`${customer}: ${euros} euros`)
    return { text: `sent an invoice over ${euros} euros to ${customer}` }
  },
})

const model = createScriptedModel([
  {
    when: 'invoice',
    steps: [
      {
        say: "I'll send the invoice; somebody has to approve it.",
        calls: [{ tool: 'send_invoice', arguments: { customer: 'Ada', euros: 120 } }],
      },
      { oneOf: [{ when: { result: 'refused' }, say: 'Not sent: {reason}' }, { say: 'Done: {result}' }] },
    ],
  },
  { steps: [{ say: 'Ask me to send an invoice.' }] },
])

const folder = mkdtempSync(join(tmpdir(), 'banksman-example-tool-'))
const gateway = await openGateway({
  store: `sqlite:${join(folder, 'banksman.db')}`,
  policy: { ask: ['send_*'] },
  owner: 'you',
})
const agent = openAgent({
  gateway,
  model,
  workspace: join(folder, 'work'),
  tools: [sendInvoice],
  builtInTools: [],
})
const you = { subject: 'you', role: 'admin', via: 'example' }

/** Says something, shows what happens, and answers what is asked. */
async function talk(session, text, answer) {
  const { turn, after } = await agent.say({ session, text }, you)
  for await (const event of agent.events(session, { after }, you)) {
    if (event.kind === 'model_answered' && event.text !== '') console.log(`agent: ${event.text}`)
    if (event.kind === 'call_waiting') {
      const request = await gateway.get(event.request, you)
      const decision = await answer(`${event.tool} ${JSON.stringify(request.arguments)}`)
      await gateway.decide(event.request, { digest: request.digest, ...decision }, you)
    }
    if (event.kind === 'turn_ended' && event.turn === turn) return event
  }
}

try {
  if (isCheck) await check()
  else await converse()
} finally {
  await agent.close()
  await gateway.close()
  rmSync(folder, { recursive: true, force: true })
}

async function converse() {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  for (;;) {
    const text = await terminal.question('you: ').catch(() => '')
    if (text.trim() === '') break
    await talk('terminal', text, async (call) => {
      const reply = await terminal.question(`approve ${call}? (y/n) `)
      return { decision: reply === 'y' ? 'approve' : 'reject' }
    })
  }
  terminal.close()
}

async function check() {
  const no = await talk('one', 'send the invoice', async () => ({ decision: 'reject', reason: 'not yet' }))
  assert.deepEqual(sent, [])
  assert.match(no.text, /not yet/)

  const edited = await talk('two', 'send the invoice', async () => ({
    decision: 'edit',
    arguments: { customer: 'Ada', euros: 99 },
  }))
  assert.deepEqual(sent, ['Ada: 99 euros'])
  assert.match(edited.text, /sent an invoice over 99 euros/)
  console.log('tool: as it should be')
}
