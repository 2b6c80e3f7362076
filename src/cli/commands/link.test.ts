/** `banksman link`, as a person uses it at a terminal, with a stand-in of Telegram. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import {
  startTelegramServer,
  type TelegramServer,
} from '../../people/chats/telegram/fixtures/telegram-server.ts'
import { makeCliFolder } from '../fixtures/program.ts'
import { openSession, type Session, WITHOUT_TERMINAL } from '../fixtures/pseudo-terminal.ts'
import { runInProcess } from '../fixtures/recording-terminal.ts'

const ANA = 101
const OTHER = 999
const place = makeCliFolder()
let telegram: TelegramServer

beforeAll(async () => {
  telegram = await startTelegramServer(() => Date.now())
  for (const account of [ANA, OTHER]) telegram.started.add(account)
  writeFileSync(join(place.folder, 'banksman.yaml'), `telegram: { api: "${telegram.url}" }\n`)
  expect((await place.run(['trust', '--yes'])).code).toBe(0)
  await place.start([], { environment: { TELEGRAM_BOT_TOKEN: telegram.token } })
})
afterAll(async () => {
  await place.remove()
  await telegram.close()
})

const run = (...args: string[]) => runInProcess(['link', ...args], place.folder, place.environment)
const write = (text: string, from = ANA, chat = from) => telegram.write({ from, chat, text })
const said = (chat = ANA) => telegram.sent(chat).map(({ text }) => text.replaceAll('\u2060', ''))

async function begin(): Promise<{ session: Session; code: string }> {
  const session = openSession(place, ['link', 'telegram'])
  await session.see('Waiting for 10 minutes')
  return { session, code: session.screen().match(/[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}/)![0] }
}

describe.skipIf(WITHOUT_TERMINAL !== undefined)('link, at a terminal', () => {
  it('P5: anything but yes links nothing, and neither does Ctrl-C; the code is worthless then', async () => {
    const first = await begin()
    write(first.code, OTHER)
    await first.session.see('account 999 sent the code')
    await first.session.typeUntil('\r', 'nothing was linked')
    expect(await first.session.end()).toBe(1)
    const second = await begin()
    second.session.type('\u0003')
    await second.session.see('nothing was linked')
    expect(await second.session.end()).toBe(1)
    write(second.code)
    await until(() => said().some((text) => text.startsWith('This code is not valid here')))
    expect((await run('--list')).stdout).toContain('not linked')
  })

  it('shows code and address, then the account, and links it after a yes', async () => {
    const { session, code } = await begin()
    expect(session.screen()).toContain(`https://t.me/standin_bot?start=${code}`)
    write(`/start ${code}`)
    await session.see('account 101 sent the code')
    await session.see('somebody (@ana), a name that its owner chose')
    await session.typeUntil('y\r', 'account 101 is linked to you')
    expect(await session.end()).toBe(0)
    await until(() => said().some((text) => text.includes('linked to ana now')))
    expect((await run('--list')).stdout).toMatch(/telegram {2}@standin_bot\n.*101.*linked/)
    const again = await place.run(['link', 'telegram'])
    expect([again.code, again.stderr.includes('needs a terminal')]).toEqual([1, true])
  })

  it('removes it, and says what there is to remove', async () => {
    const all = JSON.parse((await run('--list', '--all', '--json')).stdout)
    expect(all.items[0].accounts).toMatchObject([{ account: '101', subject: 'ana', from: 'link' }])
    expect((await run('--remove', '--account', '7')).stderr).toContain('account "7" is linked to nobody')
    expect((await run('--remove', 'telegram')).stdout).toBe('Telegram account 101 is unlinked\n')
    expect((await run('--remove', 'telegram')).stderr).toContain('no account is linked to you')
  })
})

it.each([
  [['--all'], /--all needs --list/],
  [['--list', '--remove'], /give one of them/],
  [['--account', '1'], /--account needs --remove/],
  [['--remove', 'slack'], /no chat "slack" on this server; there is telegram/],
])('%j is refused, with what would be right', async (args, says) => {
  const { code, stderr } = await run(...args)
  expect([code, stderr]).toEqual([2, expect.stringMatching(says)])
})
