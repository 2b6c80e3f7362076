/** What the parts of the adapters' suite share: a framework behind a driver, tools that count, and a person. */
import type { z } from 'zod'
import type { AgentLineage } from '../../core/call.ts'
import type { Guard } from '../../guard/contract.ts'
import { createGuardSuite, type GuardSuite, type GuardUnderTest } from '../guard/guard-test.ts'
import type { Runner } from '../runner.ts'

/** A framework with its adapter. The model follows a script: the turn that it is at is the number of answers in the history. */
export interface AdapterDriver {
  start(scenario: Scenario): Promise<AgentRun>
  /** Goes on from what a run that paused has saved, in the way that a program would. */
  resume(scenario: Scenario, saved: unknown): Promise<AgentRun>
  /** Goes on with the framework's own yes for every call, without asking Banksman. */
  forge(scenario: Scenario, saved: unknown): Promise<AgentRun>
  /** The same saved run with other arguments for a call. Absent: nobody but the program itself can write what is saved. */
  tamper?(saved: unknown, callId: string, args: object): unknown
  /** A tool that pauses the run by itself is given this to call. Absent: the framework has no such thing. */
  pauseInTool?(): unknown
  /** The framework itself passes over a call whose id already has a result. */
  skipsKnownIds: boolean
  /** A tool may give results before the last one. */
  streams: boolean
  /** The framework limits how long a tool may take, and counts from the call. */
  limitsTools: boolean
}

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
  warn?: (text: string) => void
}

export interface ScriptedTool {
  name: string
  schema: z.ZodType
  /** Absent: a tool that the adapter can't gate. */
  // biome-ignore lint/suspicious/noExplicitAny: what the schema gives.
  run?(args: any, signal: AbortSignal | undefined): unknown
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

export interface AdapterSuite extends GuardSuite {
  driver: AdapterDriver
}

export function createAdapterSuite(
  runner: Runner,
  driver: AdapterDriver,
  open: () => Promise<GuardUnderTest>,
): AdapterSuite {
  return { ...createGuardSuite(runner, open), driver }
}

let sessions = 0

export function newSession(): string {
  return `chat-${++sessions}`
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
