/**
 * A contestant is an agent framework with its own approvals, or the same framework with Banksman. Each runs the same agent: a model
 * that follows a script, and one tool, `send_mail`, that needs approval.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Guard } from 'banksman'
import { z } from 'zod'

export interface ScriptedCall {
  id: string
  to: string
}

/** What the model answers: calls of one step, or a last text. */
export type Turn = ScriptedCall[] | string

export type Answer = 'approve' | 'reject'

export interface RunEnd {
  ended: 'paused' | 'finished' | 'failed'
  error?: string
}

/** One case of one contestant: a folder with everything that is kept between two processes. */
export interface Place {
  folder: string
  session: string
  turns: Turn[]
  /** The tool. Its effect is a line in a file, so what ran is counted outside of any process. */
  send(args: { to: string }): Promise<string>
  /** What the model is given, for each of its calls. */
  modelSaw(results: Record<string, string>): void
}

/**
 * The framework in one process. Nothing is kept in memory from one method to the next. Without a guard these are the framework's
 * own approvals, as its documentation has it.
 */
export interface Contestant {
  /** Runs until a call needs approval, and keeps the state where the documentation says. */
  start(): Promise<RunEnd>
  /** With the framework's own approvals: a person's answers to what is open. */
  answer(answers: Record<string, Answer>): Promise<void>
  /** Goes on with the answers, also after a crash. */
  goOn(): Promise<RunEnd>
  /** Changes the arguments of a call in the state that the framework keeps. */
  tamper(callId: string, to: string): Promise<void>
  /** Makes the state say that a call, about which nobody was asked, was asked about and approved. Goes on with that. */
  forge(call: ScriptedCall): Promise<RunEnd>
}

export type MakeContestant = (place: Place, guard: Guard | undefined) => Contestant | Promise<Contestant>

export const TOOL = 'send_mail'
export const DESCRIPTION = 'Sends a mail.'
export const SCHEMA = z.object({ to: z.string() })

/** The turn that a scripted model is at, by how often it has answered before. */
export function turnAt({ turns }: Place, answersBefore: number): Turn {
  return turns[answersBefore] ?? 'the script is over'
}

export function readState<State>(place: Place, name: string): State | undefined {
  const file = join(place.folder, name)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as State) : undefined
}

export function writeState(place: Place, name: string, state: unknown): void {
  writeFileSync(join(place.folder, name), JSON.stringify(state))
}

export function appendTo(folder: string, name: string, line: string): void {
  appendFileSync(join(folder, name), `${line}\n`)
}

/** Changes every object in some state that a function changes; the others stay. */
export function changeObjects(
  state: unknown,
  change: (members: Record<string, unknown>) => Record<string, unknown>,
): unknown {
  if (Array.isArray(state)) return state.map((one) => changeObjects(one, change))
  if (typeof state !== 'object' || state === null) return state
  const members = Object.entries(state).map(([key, one]) => [key, changeObjects(one, change)])
  return change(Object.fromEntries(members))
}

export async function ending(run: () => Promise<RunEnd['ended']>): Promise<RunEnd> {
  try {
    return { ended: await run() }
  } catch (error) {
    const { cause } = error as { cause?: unknown }
    return { ended: 'failed', error: String(cause ?? error) }
  }
}
