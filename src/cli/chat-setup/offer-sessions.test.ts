/** Coding sessions from a chat that is set up, at a terminal and in a script. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import {
  startTelegramServer,
  type TelegramServer,
} from '../../people/chats/telegram/fixtures/telegram-server.ts'
import { type CliFolder, makeCliFolder } from '../fixtures/program.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function open(): Promise<{ place: CliFolder; service: TelegramServer; text(): string }> {
  const place = makeCliFolder()
  closing.push(() => place.remove())
  const service = await startTelegramServer(() => Date.now())
  closing.push(() => service.close())
  mkdirSync(join(place.folder, 'shop'))
  return { place, service, text: () => readFileSync(join(place.folder, 'banksman.yaml'), 'utf8') }
}

function add({ place, service }: Awaited<ReturnType<typeof open>>, ...more: string[]) {
  const words = ['chat', 'add', 'telegram', '--api', service.url, '--yes', ...more]
  return place.run(words, { environment: { TELEGRAM_BOT_TOKEN: service.token } })
}

describe('chat add --sessions', () => {
  it('writes the folder, gives half an hour to answer, and says what else is needed', async () => {
    const world = await open()
    const { code, stdout } = await add(world, '--sessions', 'shop')
    expect(code).toBe(0)
    expect(world.text()).toContain('secretary: { folders: ["./shop"], approvalTimeout: "30m" }')
    expect(stdout).toContain('npm install @anthropic-ai/claude-agent-sdk')
    expect(stdout).toContain('//new shop')
  })

  it('refuses a folder that is not there, and says so', async () => {
    const world = await open()
    const { code, stderr } = await add(world, '--sessions', 'nowhere')
    expect(code).toBe(2)
    expect(stderr).toContain('--sessions must name a folder')
    expect(world.text()).not.toContain('secretary')
  })

  it('leaves what is there, and nothing is written where nobody wants it', async () => {
    const world = await open()
    await add(world)
    expect(world.text()).not.toContain('secretary')
    const mine = 'secretary: { folders: [./shop], approvalTimeout: 5m }\n'
    writeFileSync(join(world.place.folder, 'banksman.yaml'), mine)
    expect((await add(world, '--sessions', 'shop')).code).toBe(0)
    expect(world.text()).toContain(mine)
  })
})
