/** A server with the secretary and Telegram, as people configure it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import {
  startTelegramServer,
  type TelegramServer,
} from '../../people/chats/telegram/fixtures/telegram-server.ts'
import { makePolicyServer, type PolicyServer } from '../policy/fixtures/policy-server.ts'

let setup: PolicyServer | undefined
let service: TelegramServer | undefined
afterEach(async () => {
  await setup?.close()
  await service?.close()
  setup = undefined
  service = undefined
})

const CODER = {
  name: 'coder',
  scenes: [
    {
      when: 'note',
      steps: [
        { calls: [{ tool: 'write_file', arguments: { path: 'note.txt', content: 'hello' } }] },
        { say: 'I wrote it.' },
      ],
    },
  ],
}
const TALKER = {
  name: 'secretary',
  scenes: [
    {
      when: 'how far',
      steps: [{ calls: [{ tool: 'list_coding_sessions', arguments: {} }] }, { say: 'It is done.' }],
    },
  ],
}

async function start(agent = ''): Promise<void> {
  setup = makePolicyServer()
  service = await startTelegramServer(() => Date.now())
  service.started.add(101)
  mkdirSync(join(setup.folder, 'shop'))
  writeFileSync(join(setup.folder, 'coder.json'), JSON.stringify(CODER))
  writeFileSync(join(setup.folder, 'secretary.json'), JSON.stringify(TALKER))
  setup.trust(`
people: { ben: { groups: [approvers], telegram: 101 } }
telegram: { api: "${service.url}", tokenEnv: BOT_TOKEN }
policy: { extends: banksman:starter }
secretary:
  engine: loop
  model: { provider: scripted, script: coder.json }
  folders: [shop]
${agent}`)
  await setup.start({ environment: { ...setup.environment, BOT_TOKEN: service.token }, report: () => {} })
}

const texts = () => service!.sent(101).map(({ text }) => text.replaceAll('\u2060', ''))
const write = (text: string) => service!.write({ from: 101, chat: 101, text })
const says = (part: string) => until(() => texts().some((text) => text.includes(part)), part)

describe('the secretary in banksman.yaml', () => {
  it('is talked to in Telegram: a session starts, asks by a card, and its end is told', async () => {
    await start()
    write('//new shop write a note')
    await says('⏳ Started')
    await says('There is no model for the secretary here')
    await says('wants to write a file')
    const card = service!.sent(101).find(({ buttons }) => buttons.length > 0)!
    service!.click({ from: 101, chat: 101, message: card.id, data: card.buttons.flat()[0]!.callback_data! })
    await says('✅ Done')
    await says('I wrote it.')
  })

  it('answers in its own words where there is a model for it', async () => {
    await start('  agent: { model: { provider: scripted, script: secretary.json } }\n')
    write('how far is it?')
    await says('💬 Secretary')
    expect(texts().some((text) => text.includes('It is done.'))).toBe(true)
    // No other agent has a model here: it is whom people talk to in the inbox, too.
    const { name, agents, tools } = setup!.server.agent!.agent.describe()
    expect([name, agents, tools.every((tool) => tool.name.includes('coding_session'))]).toEqual([
      'secretary',
      undefined,
      true,
    ])
  })
})
