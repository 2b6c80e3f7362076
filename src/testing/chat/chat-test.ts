/** What the chat suite works with: a service's driver, a stand-in of the service, and gateways on one store. */
import type { ToolCall } from '../../core/call.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { Request } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import type { QuietHours } from '../../core/time/quiet-hours.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { Channel } from '../../people/channel.ts'
import type { ChatLimits, ChatService } from '../../people/chats/contract.ts'
import type { ChatOptions } from '../../people/chats/create-chat.ts'
import type { Door } from '../../people/door.ts'
import type { ChatDesk, SecretaryTalk, TalkMessage } from '../../people/driver.ts'
import type { Store } from '../../stores/store.ts'
import { gate, until } from '../engine/engine-test.ts'
import { createFakeClock, type FakeClock } from '../fake-clock.ts'
import type { Runner } from '../runner.ts'
import { createListener } from './listener.ts'

export { until }

/** A real server on loopback that keeps to the service's limits. Tests are the people in it. */
export interface ChatStandIn {
  /** The service's name. */
  readonly service: string
  /** The tenant of its accounts. */
  readonly tenant: string
  /** Accounts of people: they can be written to. `stranger` is nobody's. */
  readonly accounts: Readonly<Record<'ana' | 'ben' | 'eve' | 'stranger', string>>
  /** A group with all of them in it. */
  readonly group: string
  /** What the service calls our bot. */
  readonly bot: string
  /** Secrets that must not appear anywhere. */
  readonly secrets: readonly string[]
  /** The private chat of an account. */
  privateChat(account: string): string
  /** What the bot has sent there, as people see it now. */
  messages(chat: string): SeenMessage[]
  /** Resolves with what the person who clicked was told, alone. `event`: the service sends it again under the same id. */
  click(click: StandInClick): Promise<string>
  /** The same, and nobody waits for it. */
  send(click: StandInClick): void
  write(message: StandInMessage): Promise<void>
  /** The next calls of this kind go wrong. */
  fail(what: 'describe' | 'send' | 'update' | 'acknowledge', how: StandInFailure, times?: number): void
  /** The service sends a click again that it sent under this id. Resolves with what the person is told now; empty: nothing. */
  replay(event: string): Promise<string>
  /** Everything that came in was confirmed. */
  isIdle(): boolean
  /** How many messages and changes the bot has sent. */
  written(): number
  /** How many of them it has refused because they were too many. */
  refused(): number
  close(): Promise<void>
}

export interface StandInClick {
  account: string
  chat: string
  message: string
  handle: string
  event?: string
}

export interface StandInMessage {
  account: string
  chat: string
  text: string
  replyTo?: string
  isForwarded?: boolean
  isEdited?: boolean
  isBot?: boolean
}

/** `lost`: it is done, and the answer doesn't arrive. `later`: too many, with the time to wait. */
export type StandInFailure = 'down' | 'error' | 'garbage' | 'lost' | 'later' | 'gone'

export interface SeenMessage {
  message: string
  /** What is seen, without markup. */
  text: string
  buttons: readonly { label: string; handle?: string; url?: string }[]
  /** Who is mentioned, and what has become a link: by account or address. */
  mentions: readonly string[]
  links: readonly string[]
  /** What is shown strong, and what is drawn as somebody's words. Of a notice; a card has more of its own. */
  strong: readonly string[]
  quoted: readonly string[]
  isSilent: boolean
}

export interface ChatUnderTest {
  start(now: () => number): Promise<ChatStandIn>
  service(standIn: ChatStandIn): ChatService
  /** Opens a gateway with this chat on the file. */
  openNode(options: ChatNodeOptions): Promise<ChatNode>
  /** A path for a new store, and its removal. */
  makePath(): { path: string; remove(): void }
}

export interface ChatNodeOptions {
  service: ChatService
  clock: FakeClock
  path: string
  people: Record<string, { groups: string[]; account?: string; quietHours?: QuietHours }>
  policy: object
  chat?: Partial<ChatOptions>
  wrap: (store: Store) => Store
  /** Absent: another node than all others. */
  node?: string
  /** Who hears what is no answer to a card. */
  secretary?: SecretaryTalk
}

export interface ChatNode {
  gateway: Gateway
  store: Store
  doors: readonly Door[]
  /** For people's settings. */
  chat: ChatDesk
  notify: NonNullable<Channel['notify']>
  faults(): { doing: string; error: unknown }[]
  /** This person has left. */
  forget(name: string): void
  /** As kill -9 would. */
  kill(): Promise<void>
  close(): Promise<void>
}

export interface ChatTestOptions {
  chat?: Partial<ChatOptions>
  policy?: object
  people?: ChatNodeOptions['people']
  /** The chat that sessions say they come from. */
  conversation?: string
  /** There is a secretary. It hears everything, and in groups what begins with `//` or names the bot. */
  secretary?: { isDirect: boolean }
}

export interface ChatTest {
  standIn: ChatStandIn
  clock: FakeClock
  /** The newest. */
  readonly node: ChatNode
  readonly limits: ChatLimits
  /** The driver alone, which receives nothing. */
  readonly service: ChatService
  /** Who asks. */
  readonly agent: Actor
  ask(call?: Partial<ToolCall>): Promise<Request>
  get(request: Request): Promise<Request>
  /** The cards in the private chat of this person. */
  cards(who?: Who): SeenMessage[]
  card(who?: Who): Promise<SeenMessage>
  /** Everything that the bot has sent to ana. */
  all(): SeenMessage[]
  /** Clicks the button with this label on the newest card of this person, as somebody. */
  click(label: string, as?: Who, more?: Partial<StandInClick>): Promise<string>
  say(text: string, more?: Partial<StandInMessage>, as?: Who): Promise<void>
  /** What the bot last said to this person that is no card. */
  said(who?: Who): string
  handle(message: SeenMessage, label: string): string
  /** Resolves when everybody was shown the request as it is now. */
  shown(request: Request): Promise<void>
  /** The service sends the event again: what the person is told then. */
  replay(event: string): Promise<string>
  /** As kill -9 would, without and with another process after it. */
  stop(): Promise<void>
  start(): Promise<void>
  restart(): Promise<void>
  beside(): Promise<ChatNode>
  /** Changes of requests fail, as if the store were away. */
  breakStore(isBroken: boolean): void
  /** Changes of requests wait until they are released. */
  holdStore(): () => void
  /** Somebody waits for the store that is held. */
  reached(): Promise<void>
  entries(type: string): Promise<Record<string, unknown>[]>
  /** What the secretary was told. */
  readonly heard: readonly TalkMessage[]
}

export type Who = keyof ChatStandIn['accounts']

const BOT: Actor = { subject: 'bot', role: 'agent', via: 'test' }

const POLICY = {}

type OptionsFor = ChatTestOptions | ((standIn: ChatStandIn) => ChatTestOptions)

const withBen = ({ accounts }: ChatStandIn): ChatNodeOptions['people'] => ({
  ana: { groups: [], account: accounts.ana },
  ben: { groups: ['approvers'], account: accounts.ben },
})

/** Sessions come from a group that the configuration names. */
export const GROUP_CHAT: OptionsFor = (standIn) => ({
  chat: { chats: [standIn.group] },
  people: withBen(standIn),
  conversation: standIn.group,
})

/** Both of them must approve. */
export const QUORUM: OptionsFor = (standIn) => ({
  people: withBen(standIn),
  policy: {
    rules: [{ name: 'both', when: { tool: '*' }, then: 'ask', approvers: ['ana', 'ben'], quorum: 2 }],
  },
})

export interface ChatSuite extends Pick<Runner, 'describe' | 'expect'> {
  it(name: string, body: (test: ChatTest) => Promise<void>, options?: OptionsFor): void
}

export function createChatSuite(runner: Runner, under: ChatUnderTest): ChatSuite {
  return {
    describe: runner.describe,
    expect: runner.expect,
    it: (name, body, options = {}) => runner.it(name, () => runTest(under, body, options)),
  }
}

async function runTest(
  under: ChatUnderTest,
  body: (test: ChatTest) => Promise<void>,
  optionsFor: OptionsFor,
): Promise<void> {
  const clock = createFakeClock()
  const standIn = await under.start(() => clock.now())
  const options = typeof optionsFor === 'function' ? optionsFor(standIn) : optionsFor
  const weather = createWeather()
  const { path, remove } = under.makePath()
  const { accounts } = standIn
  const people = options.people ?? {
    ana: { groups: [], account: accounts.ana },
    eve: { groups: ['sre'], account: accounts.eve },
  }
  const heard: TalkMessage[] = []
  const open = (node: string) =>
    under.openNode({
      node,
      service: under.service(standIn),
      clock,
      path,
      people,
      policy: options.policy ?? POLICY,
      ...(options.chat === undefined ? {} : { chat: options.chat }),
      ...(options.secretary === undefined
        ? {}
        : { secretary: createListener(standIn.accounts.stranger, options.secretary, heard) }),
      wrap: weather.wrap,
    })
  const service = under.service(standIn)
  const nodes = [await open('one')]
  let calls = 0
  const cards = (who: Who = 'ana') =>
    standIn
      .messages(standIn.privateChat(accounts[who]))
      .filter(({ text }) => /(?:Request|请求编号) req_/.test(text))
  const test: ChatTest = {
    standIn,
    clock,
    get node() {
      return nodes.at(-1)!
    },
    limits: service.limits,
    service,
    agent: BOT,
    async ask(call = {}) {
      const { conversation } = options
      const whole = {
        tool: 'deploy',
        arguments: { environment: 'staging' },
        session: 's1',
        ...(conversation === undefined ? {} : { origin: { channel: service.name, conversation } }),
        ...call,
      }
      return (await test.node.gateway.review({ callId: `c${++calls}`, ...whole }, BOT)).request!
    },
    get: async ({ id }) => (await test.node.store.get(id))!,
    cards,
    all: () => standIn.messages(standIn.privateChat(accounts.ana)),
    async card(who = 'ana') {
      await until(() => cards(who).length > 0)
      // The service has named the message, and we have noted it.
      await until(async () => {
        const { items } = await test.node.store.records.list({ kind: 'chat_card' })
        return items.every(({ value }) => (value as { message?: unknown }).message !== undefined)
      })
      return cards(who).at(-1)!
    },
    async click(label, as = 'ana', more = {}) {
      const card = await test.card()
      return standIn.click({
        account: accounts[as],
        chat: standIn.privateChat(accounts.ana),
        message: card.message,
        handle: test.handle(card, label),
        ...more,
      })
    },
    async say(text, more = {}, as = 'ana') {
      const account = accounts[as]
      await standIn.write({ account, chat: standIn.privateChat(account), text, ...more })
      await until(() => standIn.isIdle())
    },
    said: (who = 'ana') =>
      standIn
        .messages(standIn.privateChat(accounts[who]))
        .filter(({ buttons }) => buttons.length === 0)
        .at(-1)?.text ?? '',
    handle(message, label) {
      const handle = message.buttons.find((button) => button.label === label)?.handle
      if (handle === undefined) throw new Error(`the card has no button ${label}: ${JSON.stringify(message)}`)
      return handle
    },
    shown: ({ id }) =>
      until(async () => {
        await clock.advance(1_000)
        const { version } = (await test.node.store.get(id))!
        return (await test.node.store.deliveries.list(id)).every(
          ({ shownVersion }) => shownVersion === version,
        )
      }),
    replay: (event) => standIn.replay(event),
    async stop() {
      await nodes.pop()!.kill()
    },
    async start() {
      nodes.push(await open('one'))
    },
    async restart() {
      await test.stop()
      await test.start()
    },
    async beside() {
      const node = await open('other')
      nodes.unshift(node)
      return node
    },
    heard,
    breakStore: weather.breakStore,
    holdStore: weather.holdStore,
    reached: weather.reached,
    async entries(type) {
      const { journal } = test.node.store
      const chains = await journal.chains()
      const read = await Promise.all(chains.map(({ chain }) => journal.read(chain, 0, 1000)))
      return read.flat().flatMap((entry) => (entry.type === type ? [JSON.parse(entry.body)] : []))
    },
  }
  try {
    await body(test)
    const told = JSON.stringify(
      nodes.flatMap((node) => node.faults().map(({ doing, error }) => [doing, String(error)])),
    )
    for (const secret of standIn.secrets) {
      if (told.includes(secret)) throw new Error('a secret of the service is in a report')
    }
  } finally {
    for (const node of nodes) await node.close()
    await standIn.close()
    remove()
  }
}

/** Between the gateway and its store: nothing, a store that is away, or one that is slow. */
function createWeather() {
  let isBroken = false
  let held: ReturnType<typeof gate> | undefined
  return {
    wrap: (store: Store): Store => ({
      ...store,
      async transition(change) {
        await held?.pass()
        if (isBroken) throw new BanksmanError('store_unavailable', 'the store is away')
        return store.transition(change)
      },
    }),
    breakStore(broken: boolean) {
      isBroken = broken
    },
    holdStore() {
      held = gate()
      return () => {
        held?.open()
        held = undefined
      }
    },
    reached: () => held?.reached ?? Promise.resolve(),
  }
}
