/** What the tests of the secretary work with: a real gateway on a file, a session host, the secretary, and a chat that notes what it is told. */
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CODER } from '../../src/agents/secretary/agent-names.ts'
import {
  type ConnectedSecretary,
  composeCodingSessions,
} from '../../src/agents/secretary/compose-coding-sessions.ts'
import type { NotifyChannel } from '../../src/agents/secretary/notices/notice-queue.ts'
import type { NoticeText } from '../../src/agents/secretary/notices/notice-words.ts'
import type { SecretarySettings } from '../../src/agents/secretary/secretary-settings.ts'
import { type Agent, createSessionHost } from '../../src/agents/sessions/session-host.ts'
import type { Origin } from '../../src/core/call.ts'
import type { Request } from '../../src/core/request.ts'
import type { Secretary, StartSession } from '../../src/core/secretary.ts'
import type { Actor, Mode } from '../../src/core/session.ts'
import {
  ana,
  ben,
  journalEntriesOf,
  openTestGateway,
  type TestGateway,
} from '../../src/gateway/fixtures/test-gateway.ts'
import type { Channel, Presentation } from '../../src/people/channel.ts'
import { createInboxChannel } from '../../src/people/inbox/channel.ts'
import { compilePolicy } from '../../src/policy/index.ts'
import { createFactsGatherer } from '../../src/server/facts/gather-facts.ts'
import { createFakeClock, type FakeClock } from '../../src/testing/fake-clock.ts'
import { until } from '../fixtures/until.ts'
import type { DrivenEngine, SecretaryDriver } from './secretary-driver.ts'

/** Where the tests start sessions from: ben's own chat. */
export const CHAT: Origin = { channel: 'chat', conversation: 'ben' }
export const OTHER_CHAT: Origin = { channel: 'chat', conversation: 'group' }

export interface WorldOptions {
  script: unknown
  settings?: Partial<SecretarySettings & { idleMs: number }>
  policy?: object
  /** In place of a chat that takes everything. */
  notify?: NotifyChannel
  /** Whether people can be asked in the chat. */
  reachable?: () => boolean
}

export interface Told extends NoticeText {
  to: string
  owner: string
}

export interface SecretaryWorld {
  secretary: Secretary
  agent: Agent
  setup: TestGateway
  folder: string
  /** What the chat was told, in Chinese. */
  told: Told[]
  /** The cards that the chat was given, each time it was given them. */
  cards: Pick<Presentation, 'request'>[]
  faults: unknown[]
  start(text?: string, more?: Partial<StartSession>, by?: Actor): Promise<string>
  /** Once there are so many requests that wait. */
  pending(count?: number): Promise<Request[]>
  approve(request: Request, by?: Actor): Promise<unknown>
  reject(request: Request, reason?: string, by?: Actor): Promise<unknown>
  /** Until no turn runs. */
  idle(session: string): Promise<void>
  ended(session: string, turn?: string): Promise<string | undefined>
  /** Ends `cat one` or `cat two`, which waits for it. */
  go(name: 'one' | 'two'): Promise<void>
  exists(file: string): boolean
  /** How many programs run for the engine, where it has any. */
  programs(): number | undefined
  /** Puts a link in the place of a folder. */
  link(folder: string, ...to: string[]): void
  /** Lets the time pass in which nobody answers. */
  pass(ms: number): Promise<void>
  /** As kill -9, and a new start. */
  restart(changes?: Partial<WorldOptions> & { downMs?: number }): Promise<SecretaryWorld>
  journal(type: string): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

export const POLICY = {
  allow: ['Read', 'Glob', 'Grep', 'WebSearch', 'WebFetch', 'spawn', 'Agent', 'Bash(cat *)'],
}

export function timeoutOf({ time }: SecretaryDriver): number {
  return time === 'moved' ? 120_000 : 3000
}

export async function openWorld(driver: SecretaryDriver, options: WorldOptions): Promise<SecretaryWorld> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-secretary-')))
  for (const name of ['shop/web', 'data', 'engine']) mkdirSync(join(top, name), { recursive: true })
  // Reading one takes until the test writes to it.
  for (const name of ['one', 'two']) execFileSync('mkfifo', [join(top, 'shop', name)])
  writeFileSync(join(top, 'shop/readme.md'), 'a shop\n')
  writeFileSync(join(top, 'shop/notes.md'), 'nothing yet\n')
  const clock = driver.time === 'moved' ? createFakeClock() : realClock()
  const told: Told[] = []
  const cards: SecretaryWorld['cards'] = []
  const kept = { top, clock, told, cards, run: 0 }
  return furnish(driver, options, kept, await openTestGateway(gatewayOptions(options, kept)))
}

interface Kept {
  top: string
  clock: FakeClock
  told: Told[]
  cards: SecretaryWorld['cards']
  run: number
}

function gatewayOptions({ policy: rules = POLICY, reachable }: WorldOptions, { clock, cards, top }: Kept) {
  const policy = compilePolicy(rules, { roots: [join(top, 'shop')], home: top })
  const gatherFacts = createFactsGatherer({ lookups: policy.lookups, now: clock.now, home: top })
  const channels = [createInboxChannel(), cardChannel(cards, reachable ?? (() => true))]
  return { policy, gatherFacts, clock, channels, path: join(top, 'data', 'test.db') }
}

/** A chat as the gateway sees it. */
function cardChannel(cards: SecretaryWorld['cards'], reachable: () => boolean): Channel {
  const show = async ({ request }: Presentation) => {
    if (!reachable()) throw new Error('the chat is away')
    cards.push({ request })
    return {}
  }
  return {
    name: 'chat',
    kind: 'durable',
    serves: (origin) => origin?.channel === 'chat',
    reaches: () => reachable(),
    present: show,
    update: show,
  }
}

async function furnish(
  driver: SecretaryDriver,
  options: WorldOptions,
  kept: Kept,
  setup: TestGateway,
): Promise<SecretaryWorld> {
  const { top, clock, told, cards } = kept
  const { gateway, store } = setup
  const faults: unknown[] = []
  const report = (fault: { error: unknown }) => void faults.push(fault)
  const settings = {
    language: 'zh' as const,
    approvalTimeoutMs: timeoutOf(driver),
    sessionsPerPerson: 10,
    budget: {},
    idleMs: 60_000,
    ...options.settings,
  }
  const note: NotifyChannel = async (_, { conversation, owner, words }) => {
    told.push({ to: conversation, owner, ...words('zh') })
    return 'told'
  }
  let sessions = 0
  const name = `run-${kept.run}`
  const coding = composeCodingSessions({
    gateway,
    records: store.records,
    folders: { allowed: () => [{ path: join(top, 'shop') }], own: [join(top, 'data')], home: top },
    settings,
    notify: options.notify ?? note,
    self: ana,
    clock,
    newSessionId: () => `${name}-s${++sessions}`,
    report,
  })
  const driven: DrivenEngine = await driver.open({
    script: options.script,
    placeOf: coding.placeOf,
    modeOf: async (id) => ((await gateway.session(id, ana)).mode ?? 'default') as Mode,
    gateway,
    clock,
    home: join(top, 'engine'),
    report,
  })
  const host = createSessionHost({
    gateway,
    agents: new Map([[CODER, coding.supervise(driven.engine)]]),
    defaultAgent: 'main',
    clock,
    report,
    place: { name, hasEnded: (other) => other !== name },
  })
  const connected: ConnectedSecretary = coding.connect(host, [CODER])
  const { secretary } = connected
  await host.resume()
  await connected.resume()

  async function stop(): Promise<void> {
    connected.close()
    const closing = host.close()
    await clock.advance(20_000)
    await closing
    await driven.close()
  }

  const world: SecretaryWorld = {
    secretary,
    agent: connected.agent,
    setup,
    folder: join(top, 'shop'),
    told,
    cards,
    faults,
    async start(text, more = {}, by = ben) {
      const input = { folder: 'shop', origin: CHAT, ...(text === undefined ? {} : { text }), ...more }
      return (await secretary.start(input, by)).session.id
    },
    async pending(count = 1) {
      let items: Request[] = []
      await until(async () => {
        items = (await store.list({ state: 'pending' })).items
        return items.length >= count
      }, `${count} requests`)
      return items.toSorted((one, other) => (one.id < other.id ? -1 : 1))
    },
    approve: (request, by = ben) =>
      gateway.decide(request.id, { decision: 'approve', digest: request.digest }, by),
    reject: (request, reason, by = ben) =>
      gateway.decide(
        request.id,
        { decision: 'reject', digest: request.digest, ...(reason === undefined ? {} : { reason }) },
        by,
      ),
    idle: (session) =>
      until(async () => (await secretary.progress(session, ana)).state === 'idle', `the end in ${session}`),
    async ended(session, turn) {
      let status: string | undefined
      await until(
        async () => {
          status = (await host.progress(session, ana, turn)).turn?.ended?.status
          return status !== undefined
        },
        `the end of ${turn ?? 'the turn'}`,
      )
      return status
    },
    go: (name) =>
      until(() => {
        try {
          const pipe = openSync(join(top, 'shop', name), constants.O_WRONLY | constants.O_NONBLOCK)
          writeSync(pipe, `read ${name}`)
          closeSync(pipe)
          return true
        } catch (error) {
          // Nobody reads it yet.
          if ((error as NodeJS.ErrnoException).code === 'ENXIO') return false
          throw error
        }
      }, `somebody who reads ${name}`),
    link(folder, ...to) {
      rmSync(join(top, 'shop', folder), { recursive: true })
      symlinkSync(join(top, 'shop', ...to), join(top, 'shop', folder))
    },
    programs: () => driven.programs?.(),
    exists: (file) => existsSync(join(top, 'shop', file)),
    async pass(ms) {
      await clock.advance(ms)
    },
    async restart({ downMs = 0, ...changes } = {}) {
      kept.run++
      await setup.store.close()
      await stop()
      clock.jump(downMs)
      return furnish(driver, { ...options, ...changes }, kept, await setup.restart())
    },
    async journal(type) {
      const entries = await journalEntriesOf(setup)
      return entries.filter((entry) => entry.type === type).map(({ body }) => JSON.parse(body))
    },
    async close() {
      await stop()
      await setup.close()
      rmSync(top, { recursive: true, force: true })
    },
  }
  return world
}

/** Real time: moving it does nothing, and what waits for it waits. */
export function realClock(): FakeClock {
  return {
    now: () => Date.now(),
    after(delayMs, callback) {
      const timer = setTimeout(callback, delayMs)
      return { cancel: () => clearTimeout(timer) }
    },
    async advance() {},
    jump() {},
  }
}
