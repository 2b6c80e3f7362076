/**
 * kill -9 at ten moments of a coding session that was started in a chat: with the real SDK and its program, in a server of the packed
 * package, with a stand-in of Telegram. After each the server starts again, people answer what is asked, and the session comes to its
 * end. Nothing runs twice, nothing runs that nobody approved, and the chat tells what became of it.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  startTelegramServer,
  type TelegramMessage,
  type TelegramServer,
} from '../../src/people/chats/telegram/fixtures/telegram-server.ts'
import { type ClaudeServer, openClaudeServer } from './claude-server.ts'

/** Each moment has a person of its own: a chat gets a summary after five cards in a minute. */
const FIRST_ACCOUNT = 101
const accountOf = (name: string) => FIRST_ACCOUNT + MOMENTS.findIndex((moment) => moment.name === name)
const POLL = { timeout: 60_000 }
const RESTARTED = 'the server was restarted'
/** The tool that runs when the server is killed goes on until it is ended. */
const LONG = 'running'

interface Moment {
  name: string
  /** Of the model's first answer, and of the one after the call, in milliseconds. */
  slow?: { first?: number; second?: number }
  /** Up to the kill, and what people do while nobody is there. */
  before(session: string): Promise<void>
  while?(): void
  /** What ran, and how the turn ended. */
  runs: 0 | 1
  /** Or it was claimed and had not begun: then nobody can tell, and it isn't run again by itself. */
  mayBeUnknown?: true
  ends: 'completed' | 'interrupted'
}

const MOMENTS: Moment[] = [
  {
    name: 'thinking',
    slow: { first: 3000 },
    before: async () => {
      await expect.poll(() => asked('thinking'), POLL).toBeGreaterThan(0)
    },
    runs: 1,
    ends: 'completed',
  },
  {
    name: 'answered',
    before: async (session) => {
      await expect.poll(() => entry(session, 'answered'), POLL).toBe(true)
    },
    runs: 1,
    ends: 'completed',
  },
  { name: 'waiting', before: async () => void (await card('waiting')), runs: 1, ends: 'completed' },
  {
    name: 'clicked',
    before: async () => void (await card('clicked')),
    while: () => click('clicked', 'Approve'),
    runs: 1,
    ends: 'completed',
  },
  {
    name: 'approved',
    before: async () => {
      await card('approved')
      click('approved', 'Approve')
      await expect.poll(() => stateOf('approved'), POLL).not.toBe('pending')
    },
    runs: 1,
    mayBeUnknown: true,
    ends: 'completed',
  },
  {
    name: LONG,
    before: async () => {
      await card(LONG)
      click(LONG, 'Approve')
      await expect.poll(() => effects(LONG), POLL).toBe(1)
    },
    runs: 1,
    ends: 'completed',
  },
  {
    name: 'reported',
    slow: { second: 3000 },
    before: async (session) => {
      await card('reported')
      click('reported', 'Approve')
      await expect.poll(() => entry(session, 'result'), POLL).toBe(true)
    },
    runs: 1,
    ends: 'completed',
  },
  {
    name: 'ended',
    before: async (session) => {
      await card('ended')
      // From here on Telegram is away: what is to be told is told after the restart.
      const isDown = { kind: 'status', code: 500, description: 'Internal Server Error' } as const
      telegram.fail('sendMessage', ...Array.from({ length: 200 }, () => isDown))
      click('ended', 'Approve')
      await expect.poll(() => entry(session, 'ended'), POLL).toBe(true)
    },
    while: () => telegram.mend('sendMessage'),
    runs: 1,
    ends: 'completed',
  },
  {
    name: 'rejected',
    before: async () => {
      await card('rejected')
      click('rejected', 'Reject')
      await expect.poll(() => stateOf('rejected'), POLL).toBe('rejected')
    },
    runs: 0,
    ends: 'completed',
  },
  {
    name: 'stopped',
    before: async (session) => {
      await card('stopped')
      await server.client().stopSession(session)
    },
    runs: 0,
    ends: 'interrupted',
  },
]

const commandOf = (name: string) =>
  `echo ran-${name} >> effects${name === LONG ? '; sleep 60; echo ran-again >> effects' : ''}`

/** What the model says: the same to the same words, also after a restart. */
const scenes = () => [
  ...MOMENTS.flatMap(({ name, slow }) => {
    const call = () => ({
      tool: 'Bash',
      arguments: { command: commandOf(name), description: `note ${name}` },
      id: `toolu_${randomUUID()}`,
    })
    const done = { say: `Task ${name} is done.` }
    const first = slow?.first === undefined ? {} : { delayMs: slow.first }
    const second = slow?.second === undefined ? {} : { delayMs: slow.second }
    return [
      { when: [RESTARTED, `ran-${name} `, 'may have run'], steps: [done] },
      { when: [RESTARTED, `ran-${name} `, 'did not run:'], steps: [done] },
      { when: [RESTARTED, `ran-${name} `], steps: [{ say: 'Once more.', calls: [call()] }, done] },
      {
        when: `task ${name}.`,
        steps: [
          { say: 'So.', calls: [call()], ...first },
          { ...done, ...second },
        ],
      },
    ]
  }),
  { steps: [{ say: 'Here.' }], repeat: true },
]

let server: ClaudeServer
let telegram: TelegramServer

beforeAll(async () => {
  telegram = await startTelegramServer(() => Date.now())
  for (const { name } of MOMENTS) telegram.started.add(accountOf(name))
  server = await openClaudeServer(
    scenes,
    {
      owner: 'ana',
      people: Object.fromEntries(MOMENTS.map(({ name }) => [name, { telegram: accountOf(name) }])),
      telegram: { api: telegram.url, tokenEnv: 'BOT_TOKEN' },
      secretary: { folders: ['./shop'], approvalTimeout: 'none' },
    },
    { BOT_TOKEN: telegram.token },
  )
  await server.start()
})
afterAll(async () => {
  await server?.close()
  await telegram?.close()
})

function effects(name: string): number {
  const file = join(server.shop, 'effects')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  return lines.filter((line) => line === `ran-${name}`).length
}

const sent = (name: string) => telegram.sent(accountOf(name))
const cardsOf = (name: string) => sent(name).filter(({ text }) => text.includes(`ran-${name} `))
const isOpen = ({ buttons }: TelegramMessage) => buttons.flat().some(({ callback_data }) => callback_data)
const asked = (name: string) =>
  server.model.requests.filter(({ body }) => JSON.stringify(body).includes(`task ${name}.`)).length

async function card(name: string): Promise<void> {
  await expect.poll(() => cardsOf(name).some(isOpen), POLL).toBe(true)
}

function click(name: string, label: string): void {
  const found = cardsOf(name).findLast(isOpen)
  const button = found?.buttons.flat().find(({ text }) => text.includes(label))
  if (found === undefined || button?.callback_data === undefined)
    throw new Error(`no card of ${name} has a button ${label}`)
  const account = accountOf(name)
  telegram.click({ from: account, chat: account, message: found.id, data: button.callback_data })
}

async function requestsOf(name: string) {
  const all = await Promise.all(
    (['pending', 'approved', 'running', 'done', 'rejected', 'cancelled', 'unknown'] as const).map(
      async (state) => (await server.client().list({ state, limit: 200 })).items,
    ),
  )
  return all.flat().filter((request) => JSON.stringify(request).includes(`ran-${name} `))
}

async function stateOf(name: string): Promise<string | undefined> {
  return (await requestsOf(name))[0]?.state
}

async function entry(session: string, kind: string): Promise<boolean> {
  const { items } = await server.client().turns(session, { limit: 200 })
  return items.some((each) => each.kind === kind)
}

async function endOf(session: string) {
  const { items } = await server.client().turns(session, { limit: 200 })
  return items.find((each) => each.kind === 'ended')
}

/** Started in the chat, as its owner does. */
async function start(name: string): Promise<string> {
  const all = async () => (await server.client().sessions({ coding: true, limit: 100 })).items
  const before = new Set((await all()).map(({ id }) => id))
  const account = accountOf(name)
  telegram.write({ from: account, chat: account, text: `//new shop task ${name}.` })
  let found: string | undefined
  await expect
    .poll(async () => {
      found = (await all()).find(({ id }) => !before.has(id))?.id
      return found !== undefined
    }, POLL)
    .toBe(true)
  return found!
}

describe('P4 P5 P7: kill -9 of the server', () => {
  it.each(MOMENTS)('secretary N17: while a session is at "$name"', async (moment) => {
    const { name, runs, ends } = moment
    const session = await start(name)
    await moment.before(session)
    const children = server.children()
    await server.stop('SIGKILL')
    moment.while?.()
    await server.start()

    // People answer what is asked, until the turn has ended.
    await expect
      .poll(async () => {
        if (cardsOf(name).some(isOpen) && (await stateOf(name)) === 'pending') click(name, 'Approve')
        return (await endOf(session))?.kind
      }, POLL)
      .toBe('ended')
    expect(await endOf(session)).toMatchObject({ status: ends })
    if (moment.mayBeUnknown && effects(name) === 0)
      await expect.poll(() => stateOf(name), POLL).toBe('unknown')
    else expect(effects(name)).toBe(runs)
    expect(effects('again')).toBe(0)
    await expect.poll(() => children.filter(isAlive), POLL).toEqual([])
    const ran = async () =>
      (await requestsOf(name)).filter(({ state }) => state === 'done' || state === 'unknown').length
    await expect.poll(ran, POLL).toBe(runs)

    // No card can be clicked any more, and the end is told once it is one.
    await expect.poll(() => cardsOf(name).filter(isOpen).length, POLL).toBe(0)
    const told = () => sent(name).filter(({ text }) => text.startsWith('✅'))
    if (ends === 'completed') await expect.poll(() => told().length, POLL).toBeGreaterThan(0)
    else expect(told()).toEqual([])
  })
})

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
