/** A turn of allowed calls in a Claude session, through our engine and with the SDK alone. Both keep one child for all turns. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { childEnvironment } from '../../src/agents/claude/child/child-environment.ts'
import type { ClaudeQuery, ClaudeQueryOptions, ClaudeSdk } from '../../src/agents/claude/claude-sdk.ts'
import { createClaudeEngine } from '../../src/agents/claude/create-claude-engine.ts'
import { createSessionHost } from '../../src/agents/sessions/session-host.ts'
import type { Actor } from '../../src/core/session.ts'
import { composeEmbedded } from '../../src/server/composition/compose-embedded.ts'
import { hostClock } from '../../src/server/host/host.ts'
import { startModelServer } from '../../src/testing/model-server/model-server.ts'

export const CALLS = 30
const IDLE_SESSIONS = 5
const ana: Actor = { subject: 'ana', role: 'admin', via: 'bench' }

export interface ClaudeBench {
  /** Milliseconds a call. */
  gated(): Promise<number>
  alone(): Promise<number>
  /** Of each round, the time that our hooks took for each call. */
  inHooks: number[][]
  /** In megabytes. */
  idleHeap(): Promise<number>
  close(): Promise<void>
}

export async function createClaudeBench(
  sdk: ClaudeSdk,
  folder: string,
  rounds: number,
): Promise<ClaudeBench> {
  const model = await startModelServer(scenes(rounds))
  const environment = {
    PATH: process.env.PATH,
    HOME: join(folder, 'home'),
    ANTHROPIC_BASE_URL: model.baseUrl.replace(/\/v1$/, ''),
    ANTHROPIC_API_KEY: 'none',
  }
  mkdirSync(environment.HOME)
  const inHooks: number[][] = []
  const gateway = await composeEmbedded({
    store: `sqlite:${join(folder, 'bench.db')}`,
    policy: { allow: ['Bash(echo *)'] },
    owner: 'ana',
  })
  const host = createSessionHost({
    gateway,
    agents: new Map([
      [
        'coder',
        createClaudeEngine({
          placeOf: async () => ({ folder: join(folder, 'gated'), settings: 'none' }),
          modeOf: async () => 'default',
          home: join(folder, 'claude'),
          environment,
          maxTurns: 2 * CALLS,
          loadSdk: async () => timedSdk(sdk, (ms) => inHooks.at(-1)?.push(ms)),
          clock: hostClock,
          report: ({ doing, error }) => console.error(doing, error),
        }),
      ],
    ]),
    defaultAgent: 'coder',
    clock: hostClock,
    report: ({ doing, error }) => console.error(doing, error),
  })

  async function turn(session: string, text: string): Promise<number> {
    const { turn: id, after } = await host.say({ session, text }, ana)
    let began: number | undefined
    for await (const event of host.events(session, { after }, ana)) {
      if (event.kind === 'model_answered') began ??= event.at
      if (event.kind !== 'turn_ended' || event.turn !== id) continue
      if (event.status !== 'completed') throw new Error(`the turn ended as ${event.status}: ${event.reason}`)
      return (event.at - (began ?? event.at)) / CALLS
    }
    throw new Error('the turn did not end')
  }

  const bare = startAlone(
    sdk,
    join(folder, 'alone'),
    childEnvironment(environment, join(folder, 'alone-home')),
  )
  let round = 0
  let other = 0
  await turn('first', 'warm-gated')
  await bare.turn('warm-alone')
  return {
    inHooks,
    gated: () => {
      inHooks.push([])
      return turn('first', `gated-${round++}.`)
    },
    alone: () => bare.turn(`alone-${other++}.`),
    async idleHeap() {
      const before = heap()
      for (let index = 0; index < IDLE_SESSIONS; index++) await turn(`idle-${index}`, `idle-${index}.`)
      return (heap() - before) / IDLE_SESSIONS / 1024 / 1024
    },
    async close() {
      bare.close()
      await host.close()
      await gateway.close()
      await model.close()
    },
  }
}

/** Each with ids of its own, as a model's server has them. */
function scenes(rounds: number) {
  const names = [
    'warm-gated',
    'warm-alone',
    ...Array.from({ length: rounds }, (_, index) => [`gated-${index}.`, `alone-${index}.`]).flat(),
    ...Array.from({ length: IDLE_SESSIONS }, (_, index) => `idle-${index}.`),
  ]
  return names.map((when) => ({
    when,
    steps: [
      ...Array.from({ length: CALLS }, (_, index) => ({
        say: 'So.',
        calls: [
          {
            tool: 'Bash',
            arguments: { command: `echo ${index}`, description: 'say a number' },
            id: `toolu_${when.replaceAll(/\W/g, '_')}_${index}`,
          },
        ],
      })),
      { say: 'Done.' },
    ],
  }))
}

type Hook = (...parameters: unknown[]) => Promise<unknown>

/** What the hooks before and after each call take together. */
function timedSdk({ query }: ClaudeSdk, note: (ms: number) => void): ClaudeSdk {
  let spent = 0
  const timed =
    (hook: Hook, isLast: boolean): Hook =>
    async (...parameters) => {
      const at = performance.now()
      try {
        return await hook(...parameters)
      } finally {
        spent += performance.now() - at
        if (isLast) {
          note(spent)
          spent = 0
        }
      }
    }
  return {
    query({ prompt, options }) {
      const hooks = Object.fromEntries(
        Object.entries(options.hooks as Record<string, { hooks: Hook[] }[]>).map(([event, matchers]) => [
          event,
          matchers.map((matcher, place) => ({
            ...matcher,
            hooks: matcher.hooks.map((hook) =>
              timed(hook, event === 'PostToolBatch' && place === matchers.length - 1),
            ),
          })),
        ]),
      )
      return query({ prompt, options: { ...options, hooks } })
    },
  }
}

function startAlone({ query }: ClaudeSdk, cwd: string, env: Record<string, string>) {
  const waiting: ((message: unknown) => void)[] = []
  const messages: unknown[] = []
  async function* prompt() {
    for (;;) yield messages.shift() ?? (await new Promise<unknown>((resolve) => waiting.push(resolve)))
  }
  const options = {
    cwd,
    env,
    permissionMode: 'default',
    settingSources: [],
    maxTurns: 2 * CALLS,
    allowedTools: ['Bash'],
    includePartialMessages: true,
  } as unknown as ClaudeQueryOptions
  const running: ClaudeQuery = query({ prompt: prompt(), options })
  const stream = running[Symbol.asyncIterator]()
  return {
    async turn(text: string): Promise<number> {
      const message = {
        type: 'user',
        message: { role: 'user', content: text },
        parent_tool_use_id: null,
        session_id: '',
      }
      const wake = waiting.shift()
      if (wake === undefined) messages.push(message)
      else wake(message)
      let began: number | undefined
      for (;;) {
        const { value, done } = await stream.next()
        if (done) throw new Error('Claude Code has ended')
        const { type, subtype } = value as { type?: string; subtype?: string }
        if (type === 'assistant') began ??= Date.now()
        if (type !== 'result') continue
        if (subtype !== 'success') throw new Error(`the turn ended as ${subtype}`)
        return (Date.now() - (began ?? Date.now())) / CALLS
      }
    },
    close: () => running.close(),
  }
}

const collect = exposeGc()

function exposeGc(): () => void {
  setFlagsFromString('--expose_gc')
  return runInNewContext('gc')
}

function heap(): number {
  collect()
  return process.memoryUsage().heapUsed
}
