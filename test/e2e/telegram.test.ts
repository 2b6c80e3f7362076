/** The server as a process, killed while people answer in Telegram. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { createClient } from '../../src/client/index.ts'
import {
  startTelegramServer,
  type TelegramServer,
} from '../../src/people/chats/telegram/fixtures/telegram-server.ts'
import { trustFolder, writeTrusted } from '../../src/server/configuration/trust.ts'
import { until } from '../fixtures/until.ts'
import { createServerHome, type RunningServer } from './running-server.ts'

const ANA = 101
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function open(): Promise<{ service: TelegramServer; start(): Promise<RunningServer> }> {
  const service = await startTelegramServer(() => Date.now())
  closing.push(() => service.close())
  service.started.add(ANA)
  const home = await createServerHome({ BOT_TOKEN: service.token })
  closing.push(home.remove)
  const file = join(home.folder, 'banksman.yaml')
  const text = `owner: ana
people: { ana: { telegram: ${ANA} } }
telegram: { api: "${service.url}", tokenEnv: BOT_TOKEN }
`
  writeFileSync(file, text)
  writeTrusted(trustFolder({ BANKSMAN_HOME: join(home.folder, 'home') }), file, text, 'ana', 1)
  return {
    service,
    async start() {
      const server = await home.start()
      closing.push(() => server.stop())
      return server
    },
  }
}

const clientOf = ({ url, agentToken }: RunningServer) => createClient({ url, token: agentToken })

async function ask(server: RunningServer, service: TelegramServer): Promise<string> {
  const call = { tool: 'deploy', arguments: { to: 'staging' }, callId: 'c1', session: 's1' }
  const { request } = await clientOf(server).submit(call)
  await until(() => service.sent(ANA).length === 1)
  return request!.id
}

function approve(service: TelegramServer): void {
  const [card] = service.sent(ANA)
  service.click({ from: ANA, chat: ANA, message: card!.id, data: card!.buttons.flat()[0]!.callback_data! })
}

it('P1: kill -9 between card and click: after the restart the same card works', async () => {
  const { service, start } = await open()
  const first = await start()
  const id = await ask(first, service)
  await first.stop('SIGKILL')
  approve(service)
  const second = await start()
  await until(async () => (await clientOf(second).get(id)).state === 'approved')
  expect(`${first.output()}${second.output()}`).not.toContain(service.token)
})

it('P1: kill -9 between click and update: after the restart the card shows the truth', async () => {
  const { service, start } = await open()
  const first = await start()
  const id = await ask(first, service)
  const isDown = { kind: 'status', code: 500, description: 'Internal Server Error' } as const
  service.fail('editMessageText', ...Array.from({ length: 100 }, () => isDown))
  approve(service)
  await until(async () => (await clientOf(first).get(id)).state === 'approved')
  await first.stop('SIGKILL')
  expect(service.sent(ANA)[0]!.text).not.toContain('ana approved')
  service.mend('editMessageText')
  const second = await start()
  // What the process before was about to show is another's after half a minute.
  await until(() => service.sent(ANA)[0]!.text.includes('ana approved'))
  expect(
    service
      .sent(ANA)[0]!
      .buttons.flat()
      .filter(({ callback_data }) => callback_data),
  ).toEqual([])
  expect(`${first.output()}${second.output()}`).not.toContain(service.token)
})
