/** What the parts of the engine's suite share. */
import type { Engine } from '../../agents/sessions/engine.ts'
import { type Agent, createSessionHost } from '../../agents/sessions/session-host.ts'
import type { TurnEntry } from '../../core/conversation.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { Request } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { Runner } from '../runner.ts'

export interface EngineUnderTest {
  /** A new engine, as one process has it, whose model follows the script. */
  create(script: EngineScript): Engine
  /** How many programs of engines that were created run now. */
  programs?(): number
  /** A new store, with gateways on it that allow tools named `read_*` and ask about the rest. */
  open(): Promise<EngineStore>
}

export interface EngineScript {
  /** The model's first, second, … answer in the session; the last one is given again. */
  answers: readonly EngineAnswer[]
  /** What every tool does. */
  run(tool: string, args: JsonObject, signal: AbortSignal): Promise<string>
  /** To be awaited whenever the model is asked, with all that people have said to it so far. */
  asked(words: readonly string[]): Promise<void>
}

export type EngineAnswer = { say: string } | { call: { tool: string; arguments: JsonObject } }

export interface EngineStore {
  /** Everybody's time, which moves only by this. */
  advance(ms: number): Promise<void>
  /** One more process on the store. */
  node(): Promise<EngineNode>
  close(): Promise<void>
}

export interface EngineNode {
  gateway: Gateway
  /** Stands still between `pause` and `wake`. */
  clock: Clock
  pause(): void
  wake(): void
  /** As kill -9: nothing that it does reaches the store any more. */
  kill(): Promise<void>
}

/** A node with a host and the engine. */
export interface HostingNode extends EngineNode {
  agent: Agent
  /** The tools that have begun to run here. */
  ran: string[]
  /** What the model was asked with here. */
  asked: string[][]
  say(text: string): Promise<unknown>
}

type TestScript = Partial<EngineScript> & Pick<EngineScript, 'answers'>

export interface EngineTest {
  /** `beforeRun` is awaited between a call's claim and its run. */
  start(script: TestScript, beforeRun?: () => Promise<void>): Promise<HostingNode>
  advance(ms: number): Promise<void>
}

export interface EngineSuite {
  runner: Runner
  under: EngineUnderTest
  /** What the engine says of itself. */
  traits: Pick<Engine, 'lease' | 'idleMs' | 'whenBusy'>
  test(name: string, body: (test: EngineTest) => Promise<void>): void
}

export const SESSION = 's1'
/** An administrator, so that nobody's configuration has to name her. */
export const ana: Actor = { subject: 'ana', role: 'admin', via: 'test' }
/** Longer than a lease lasts and than it takes to be looked for. */
export const LONG_MS = 45_000

export function createEngineSuite(runner: Runner, under: EngineUnderTest): EngineSuite {
  async function within(body: (test: EngineTest) => Promise<void>): Promise<void> {
    const store = await under.open()
    const agents: Agent[] = []
    const { advance } = store
    try {
      await body({
        advance,
        async start(script, beforeRun) {
          const node = await host(under, await store.node(), script, beforeRun)
          agents.push(node.agent)
          return node
        },
      })
    } finally {
      for (const agent of agents) {
        const closing = agent.close()
        // One that can't reach its store any more is waited for until a moment has passed.
        await advance(20_000)
        await closing
      }
      await store.close()
    }
    await until(() => (under.programs?.() ?? 0) === 0)
  }
  const traits = under.create({ answers: [{ say: '' }], run: async () => '', asked: async () => {} })
  return { runner, under, traits, test: (name, body) => runner.it(name, () => within(body)) }
}

async function host(
  under: EngineUnderTest,
  node: EngineNode,
  script: TestScript,
  beforeRun?: () => Promise<void>,
): Promise<HostingNode> {
  const ran: string[] = []
  const asked: string[][] = []
  const engine = under.create({
    answers: script.answers,
    async run(tool, args, signal) {
      ran.push(`${tool} ${JSON.stringify(args)}`)
      return (await script.run?.(tool, args, signal)) ?? `ran ${tool}`
    },
    async asked(words) {
      asked.push([...words])
      await script.asked?.(words)
    },
  })
  const agent = createSessionHost({
    gateway: beforeRun === undefined ? node.gateway : delayed(node.gateway, beforeRun),
    agents: new Map([['main', engine]]),
    defaultAgent: 'main',
    clock: node.clock,
    report: () => {},
  })
  await agent.resume()
  return { ...node, agent, ran, asked, say: (text) => agent.say({ session: SESSION, text }, ana) }
}

function delayed(gateway: Gateway, beforeRun: () => Promise<void>): Gateway {
  return {
    ...gateway,
    async hold(call, options) {
      const held = await gateway.hold(call, options)
      await beforeRun()
      return held
    },
    guard: (call, run, options) =>
      gateway.guard(
        call,
        async (args, context) => {
          await beforeRun()
          return run(args, context)
        },
        options,
      ),
  }
}

/** Without those of which not every engine has as many. */
export async function kindsIn({ agent }: HostingNode): Promise<string[]> {
  return (await entriesIn(agent)).map(({ kind }) => kind).filter((kind) => kind !== 'note')
}

export async function entriesIn(agent: Agent): Promise<TurnEntry[]> {
  const { entries } = await agent.entries(SESSION, {}, ana)
  return entries
}

export async function endOf(node: HostingNode, turn = 't1'): Promise<Extract<TurnEntry, { kind: 'ended' }>> {
  let end: TurnEntry | undefined
  await until(async () => {
    end = (await entriesIn(node.agent)).find((entry) => entry.kind === 'ended' && entry.turn === turn)
    return end !== undefined
  })
  return end as Extract<TurnEntry, { kind: 'ended' }>
}

/** The request that waits, once there is one. */
export async function pendingRequest({ gateway }: HostingNode): Promise<Request> {
  let found: Request | undefined
  await until(async () => {
    found = (await gateway.list({ state: 'pending', limit: 10 }, ana)).items[0]
    return found !== undefined
  })
  return found as Request
}

const LOOK_EVERY_MS = 5
const GIVE_UP_MS = 60_000

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const from = performance.now()
  while (!(await condition())) {
    if (performance.now() - from > GIVE_UP_MS) throw new Error(`not within ${GIVE_UP_MS} ms: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

/** Holds whoever awaits it until it is opened. */
export function gate(): { reached: Promise<void>; pass(): Promise<void>; open(): void } {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  return {
    reached,
    open,
    pass() {
      reach()
      return opened
    },
  }
}
