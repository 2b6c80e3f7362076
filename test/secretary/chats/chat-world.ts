/** The secretary with a chat in front of it, as a server puts them together: a person writes, clicks and reads. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHookChain } from '../../../src/agents/hooks/chain/create-hook-chain.ts'
import { createLoopEngine } from '../../../src/agents/loop/create-loop-engine.ts'
import { createMemoryMediaStore } from '../../../src/agents/media/memory-media-store.ts'
import { CODER, SECRETARY } from '../../../src/agents/secretary/agent-names.ts'
import { composeCodingSessions } from '../../../src/agents/secretary/compose-coding-sessions.ts'
import { type Act, actingModel } from '../../../src/agents/secretary/fixtures/acting-model.ts'
import { createSecretaryTalk } from '../../../src/agents/secretary/talk/create-secretary-talk.ts'
import { SECRETARY_INSTRUCTIONS } from '../../../src/agents/secretary/tools/instructions.ts'
import { createSecretaryTools } from '../../../src/agents/secretary/tools/secretary-tools.ts'
import type { Engine } from '../../../src/agents/sessions/engine.ts'
import { createSessionHost } from '../../../src/agents/sessions/session-host.ts'
import { createToolRegistry } from '../../../src/agents/tools/registry/tool-registry.ts'
import type { Secretary } from '../../../src/core/secretary.ts'
import { LAX_MODES, type Mode } from '../../../src/core/session.ts'
import {
  ana as admin,
  journalEntriesOf,
  openTestGateway,
  type TestGateway,
} from '../../../src/gateway/fixtures/test-gateway.ts'
import { createChat } from '../../../src/people/chats/create-chat.ts'
import { createInboxChannel } from '../../../src/people/inbox/channel.ts'
import { createChannelPorts } from '../../../src/server/channels/channel-ports.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/store.ts'
import type { ChatStandIn, SeenMessage } from '../../../src/testing/chat/chat-test.ts'
import { createFakeClock, type FakeClock } from '../../../src/testing/fake-clock.ts'
import { until } from '../../fixtures/until.ts'
import type { SecretaryDriver } from '../secretary-driver.ts'
import { POLICY, realClock, timeoutOf } from '../secretary-world.ts'
import type { ChatDriver } from './chat-drivers.ts'

export interface ChatWorldOptions {
  /** What the coding agent's model does. */
  script: unknown
  /** What the secretary's own model does. Absent: it has none. */
  secretary?: Act
}

export type Person = 'ana' | 'ben' | 'eve' | 'stranger'

export interface ChatWorld {
  readonly standIn: ChatStandIn
  readonly secretary: Secretary
  readonly setup: TestGateway
  /** Writes to the bot, in private unless a chat is named. */
  write(text: string, more?: { by?: Person; chat?: string; replyTo?: string }): Promise<void>
  /** What the bot has sent to somebody in private, or to a chat. */
  messages(where?: Person | { chat: string }): SeenMessage[]
  /** The cards of requests among them. */
  cards(where?: Person | { chat: string }): SeenMessage[]
  /** Waits, while time goes on, and gives the newest message for which it is so. */
  see(
    what: string,
    matches: (message: SeenMessage) => boolean,
    where?: Person | { chat: string },
  ): Promise<SeenMessage>
  /** The newest card that mentions this and can be answered. */
  card(mention: string, where?: Person | { chat: string }): Promise<SeenMessage>
  click(card: SeenMessage, label: string, by?: Person): Promise<string>
  /** Until something is so, while time goes on. */
  until(condition: () => boolean | Promise<boolean>, what: string): Promise<void>
  exists(file: string): boolean
  /** Lets the time pass in which nobody answers. */
  timeOut(): Promise<void>
  journal(): Promise<{ type: string; body: Record<string, unknown> }[]>
  /** As kill -9, and a new start. */
  restart(): Promise<ChatWorld>
  close(): Promise<void>
}

const TICK_MS = 20

interface Kept {
  top: string
  clock: FakeClock
  standIn: ChatStandIn
  run: number
}

export async function openChatWorld(
  driver: SecretaryDriver,
  chat: ChatDriver,
  options: ChatWorldOptions,
): Promise<ChatWorld> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-chats-')))
  for (const name of ['shop', 'docs', 'data', 'engine']) mkdirSync(join(top, name))
  for (const name of ['one', 'two']) execFileSync('mkfifo', [join(top, 'shop', name)])
  const clock = driver.time === 'moved' ? createFakeClock() : realClock()
  const standIn = await chat.start(() => clock.now())
  return furnish(driver, chat, options, { top, clock, standIn, run: 0 })
}

async function furnish(
  driver: SecretaryDriver,
  chat: ChatDriver,
  options: ChatWorldOptions,
  kept: Kept,
): Promise<ChatWorld> {
  const { top, clock, standIn } = kept
  const path = join(top, 'data', 'test.db')
  const { service: name, accounts } = standIn
  const people = new Map([
    ['ana', { groups: [], accounts: new Map([[name, accounts.ana]]) }],
    ['ben', { groups: [], accounts: new Map([[name, accounts.ben]]) }],
  ])
  const faults: { doing: string; error: unknown }[] = []
  const report = (fault: { doing: string; error: unknown }) => void faults.push(fault)
  const run = `run-${kept.run}`
  const store = openSqliteStore({ path, now: () => clock.now() })
  const chatDriver = createChat({
    service: chat.service(standIn, () => clock.now()),
    options: { locale: 'en', chats: [standIn.group], textAnswers: true },
    store,
    directory: () => ({ owner: 'admin', people }),
    node: 'node',
    inboxUrl: () => undefined,
    report,
  })
  const tools = ['list', 'look_into', 'start', 'send_to', 'interrupt', 'close']
  const setup = await openTestGateway({
    path,
    clock,
    open: () => store,
    people,
    policy: { allow: [...POLICY.allow, ...tools.map((tool) => `${tool}_coding_session*`)] },
    channels: [createInboxChannel(), chatDriver.channel],
    modes: () => LAX_MODES,
  })
  const { gateway } = setup
  const notify: Parameters<typeof createSecretaryTalk>[0]['notify'] = async (channel, notice) =>
    channel === name ? chatDriver.channel.notify!(notice) : 'gone'
  let sessions = 0
  const coding = composeCodingSessions({
    gateway,
    records: store.records,
    folders: {
      allowed: () => ['shop', 'docs'].map((folder) => ({ path: join(top, folder) })),
      own: [join(top, 'data')],
      home: top,
    },
    settings: {
      language: 'en',
      approvalTimeoutMs: timeoutOf(driver),
      sessionsPerPerson: 10,
      budget: {},
      idleMs: 60_000,
    },
    notify,
    self: admin,
    clock,
    newSessionId: () => `${run}-session${++sessions}`,
    report,
  })
  const driven = await driver.open({
    script: options.script,
    placeOf: coding.placeOf,
    modeOf: async (id) => ((await gateway.session(id, admin)).mode ?? 'default') as Mode,
    gateway,
    clock,
    home: join(top, 'engine'),
    report,
  })
  let secretary: Secretary | undefined
  const own =
    options.secretary && openOwnEngine(options.secretary, () => secretary!, { gateway, clock, report })
  const host = createSessionHost({
    gateway,
    agents: new Map([
      [CODER, coding.supervise(driven.engine)],
      ...(own === undefined ? [] : ([[SECRETARY, own]] as const)),
    ]),
    defaultAgent: 'main',
    clock,
    report,
    place: { name: run, hasEnded: (other) => other !== run },
  })
  const connected = coding.connect(host, [CODER])
  secretary = connected.secretary
  const talk = createSecretaryTalk({
    secretary,
    findPerson: gateway.findPerson,
    guard: gateway.guard,
    settableModes: async (id, actor) => gateway.settableModes(await gateway.session(id, actor), actor),
    records: store.records,
    notify,
    smart: own && { agent: SECRETARY, conversations: connected.agent },
    prefix: '//',
    clock,
    report,
  })
  const ports = createChannelPorts({
    gateway,
    conversations: undefined,
    secretary: talk,
    clock,
    randomId: () => `id-${Math.random()}`,
    report,
  })
  const connection = chatDriver.connect(ports)
  await host.resume()
  await connected.resume()
  await talk.resume()

  const chatOf = (where: Person | { chat: string }) =>
    typeof where === 'string' ? standIn.privateChat(accounts[where]) : where.chat
  const tick = () => clock.advance(TICK_MS)

  async function stop(): Promise<void> {
    talk.close()
    connected.close()
    await connection.close?.()
    const closing = host.close()
    await clock.advance(20_000)
    await closing
    await driven.close()
  }

  const world: ChatWorld = {
    standIn,
    secretary,
    setup,
    async write(text, { by = 'ana', chat: where, replyTo } = {}) {
      const account = accounts[by]
      const place = where ?? standIn.privateChat(account)
      await standIn.write({ account, chat: place, text, ...(replyTo === undefined ? {} : { replyTo }) })
      await world.until(() => standIn.isIdle(), `the bot takes ${text}`)
    },
    messages: (where = 'ana') => standIn.messages(chatOf(where)),
    cards: (where = 'ana') => world.messages(where).filter(({ text }) => /Request req_/.test(text)),
    async see(what, matches, where = 'ana') {
      const found = () => world.messages(where).findLast(matches)
      await world.until(() => found() !== undefined, what)
      return found()!
    },
    async card(mention, where = 'ana') {
      const isOpen = ({ text, buttons }: SeenMessage) => text.includes(mention) && buttons.length > 0
      const card = await world.see(`a card with ${mention}`, isOpen, where)
      // The service has named the message, and we have noted it.
      await world.until(async () => {
        const { items } = await store.records.list({ kind: 'chat_card' })
        return items.every(({ value }) => (value as { message?: unknown }).message !== undefined)
      }, 'the name of the card')
      return card
    },
    click(card, label, by = 'ana') {
      const handle = card.buttons.find((button) => button.label === label)?.handle
      if (handle === undefined) throw new Error(`the card has no button ${label}: ${JSON.stringify(card)}`)
      const place = [chatOf('ana'), chatOf('ben'), standIn.group].find((one) =>
        standIn.messages(one).some(({ message }) => message === card.message),
      )
      return standIn.click({ account: accounts[by], chat: place!, message: card.message, handle })
    },
    async until(condition, what) {
      await until(async () => {
        if (await condition()) return true
        await tick()
        return condition()
      }, what)
    },
    exists: (file) => existsSync(join(top, 'shop', file)),
    async timeOut() {
      await clock.advance(timeoutOf(driver) + 1000)
    },
    async journal() {
      const entries = await journalEntriesOf(setup)
      return entries.map(({ type, body }) => ({ type, body: JSON.parse(body) as Record<string, unknown> }))
    },
    async restart() {
      kept.run++
      await store.close()
      await stop().catch(() => {})
      return furnish(driver, chat, options, kept)
    },
    async close() {
      await stop()
      await setup.close()
      await standIn.close()
      rmSync(top, { recursive: true, force: true })
    },
  }
  return world
}

function openOwnEngine(
  act: Act,
  secretary: () => Secretary,
  {
    gateway,
    clock,
    report,
  }: Pick<TestGateway, 'gateway' | 'clock'> & Pick<Parameters<SecretaryDriver['open']>[0], 'report'>,
): Engine {
  const media = createMemoryMediaStore()
  return createLoopEngine({
    gateway,
    model: actingModel(act),
    tools: createToolRegistry(createSecretaryTools(secretary)),
    hooks: createHookChain([], { clock, media, report: () => {} }),
    media,
    workspace: '/',
    clock,
    random: () => 0.5,
    report,
    settings: { instructions: SECRETARY_INSTRUCTIONS, maxSteps: 10, subAgents: {}, maxDepth: 3 },
  })
}
