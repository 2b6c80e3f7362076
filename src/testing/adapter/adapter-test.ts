/** What the parts of the adapters' suite share: a framework behind a driver, tools that count, and a person. */
import type { z } from 'zod'
import type { AgentLineage } from '../../core/call.ts'
import type { Guard } from '../../guard/contract.ts'
import { createGuardSuite, type GuardUnderTest } from '../guard/guard-test.ts'
import type { Runner } from '../runner.ts'

/** A framework with its adapter. The model follows a script: the turn that it is at is the number of answers in the history. */
export interface AdapterDriver {
  start(scenario: Scenario): Promise<AgentRun>
  /** Goes on from what a run that paused has saved, in the way that a program would. */
  resume(scenario: Scenario, saved: unknown): Promise<AgentRun>
  /** Goes on with the framework's own yes for every call, without asking Banksman. */
  forge(scenario: Scenario, saved: unknown): Promise<AgentRun>
  /** The same saved run with other arguments for a call. */
  tamper?(saved: unknown, callId: string, args: object): unknown
  /** What a tool calls to pause the run by itself; `tool` is what the driver's framework gave to the tool. Comes back after the resume. */
  pauseInTool?(tool: unknown): unknown
  /** What the framework or its adapter can't do, each with the reason. Tests that need it are skipped, and say why. */
  cannot: Partial<Record<Ability, string>>
}

export type Ability =
  /** Has a pause of its own. */
  | 'pause'
  /** Runs the decided calls of a step while others still wait. */
  | 'goOnInPart'
  /** Keeps the result of a call that nobody was asked about, over the pause. */
  | 'keepSiblings'
  /** What a pause saves can be written by others. */
  | 'tamper'
  /** A tool may pause the run by itself. */
  | 'pauseInTool'
  /** Asks about all calls of a step at once. */
  | 'askTogether'
  /** Knows the tool's schema: people see its defaults, and nobody is asked about what doesn't fit. */
  | 'parse'
  /** Takes a schema that gives something else than it was given. */
  | 'transform'
  /** Takes an id of a call a second time. */
  | 'reuseIds'
  /** Tells a run that was stopped from one that finished. */
  | 'stop'
  /** Tells a running tool to stop. */
  | 'stopTool'
  /** Results before the last one. */
  | 'stream'
  /** Limits how long a tool may take, and counts from the call. */
  | 'limitTools'
  /** Keeps results for a repeated call. */
  | 'remember'
  /** Tools that it can't gate. */
  | 'ungated'
  /** The ids of calls are the model's own words. */
  | 'anyId'
  /** Needs a session to be given. */
  | 'session'
  /** Names the agent that calls. */
  | 'lineage'

export interface Scenario {
  guard: Guard
  session: string | undefined
  tools: ScriptedTool[]
  turns: Turn[]
  pause?: boolean
  stream?: boolean
  signal?: AbortSignal
  /** The framework's own limit for each tool. */
  limitMs?: number
  callId?: (id: string) => string
  agent?: AgentLineage
  parentSession?: string
  remember?: boolean
  /** The tools as they are, without the adapter. */
  bare?: boolean
  warn?: (text: string) => void
}

export interface ScriptedTool {
  name: string
  schema: z.ZodType
  /** Absent: a tool that the adapter can't gate. */
  // biome-ignore lint/suspicious/noExplicitAny: what the schema gives.
  run?(args: any, signal: AbortSignal | undefined, tool?: unknown): unknown
}

/** The model's answer: its words, or the calls that it makes. */
export type Turn = string | ScriptedCall[]

export interface ScriptedCall {
  id: string
  tool: string
  args: object
}

export interface AgentRun {
  ended: 'finished' | 'paused' | 'failed'
  /** What it failed with. */
  error?: unknown
  modelCalls: number
  /** What the model was told of its calls when it was last called, in the order of the history. */
  told: Told[]
  /** Results that came before the last one. */
  preliminary: unknown[]
  saved: unknown
}

export interface Told {
  callId: string
  text: string
  isError: boolean
}

export interface AdapterSuite {
  runner: Runner
  driver: AdapterDriver
  /** A test with a guard of its own. */
  test: AdapterTest
  /** One that is skipped where the framework lacks what it needs. */
  needing(...needs: Ability[]): AdapterTest
  /** One that has to move the time, of a framework that pauses. */
  timed(name: string, body: (under: Required<GuardUnderTest>) => Promise<void>): void
}

type AdapterTest = (name: string, body: (under: GuardUnderTest) => Promise<void>) => void

export function createAdapterSuite(
  runner: Runner,
  driver: AdapterDriver,
  open: () => Promise<GuardUnderTest>,
): AdapterSuite {
  const { test, timed } = createGuardSuite(runner, open)
  const skips = (name: string, needs: Ability[]): boolean => {
    const reason = needs.map((need) => driver.cannot[need]).find((one) => one !== undefined)
    if (reason !== undefined) runner.it.skip(`${name} (${reason})`, async () => {})
    return reason !== undefined
  }
  return {
    runner,
    driver,
    test,
    needing:
      (...needs) =>
      (name, body) => {
        if (!skips(name, needs)) test(name, body)
      },
    timed(name, body) {
      if (!skips(name, ['pause'])) timed(name, body)
    },
  }
}

let sessions = 0

export function newSession(): string {
  return `chat-${++sessions}`
}

/** The ids of the calls of a session that a person is asked about now. One server may serve many tests. */
export async function pendingIn(under: GuardUnderTest, session: string): Promise<string[]> {
  return (await under.pending()).filter((one) => one.session === session).map(({ callId }) => callId)
}

/** One call for each tool, then a last word. */
export function oneCall(tool: string, args: object = {}, id = 'c1'): Turn[] {
  return [[{ id, tool, args }], 'done']
}

export function toldOf(run: AgentRun, callId: string): Told {
  const found = run.told.find((told) => told.callId === callId)
  if (found === undefined) throw new Error(`the model was told nothing of ${callId}: ${JSON.stringify(run)}`)
  return found
}

/** The members of a refusal that the model is told. Throws where the text is none. */
export function refusalOf(run: AgentRun, callId: string): Record<string, unknown> {
  const { text, isError } = toldOf(run, callId)
  if (!isError) throw new Error(`${callId} was no error: ${text}`)
  return JSON.parse(text)
}
