/** Runs a turn to its end with its engine, and writes the end. */

import type { SessionEnder, TurnEntry, Usage } from '../../../core/conversation.ts'
import { defined } from '../../../core/defined.ts'
import { isBanksmanError } from '../../../core/errors.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { EngineTurn } from '../engine.ts'
import { emit, type HostedSession, type RunningTurn, type TurnStart } from '../hosted-session.ts'
import { SessionLost } from '../log/turn-log.ts'
import { type TurnOutcome, TurnOver } from '../turn-over.ts'

export interface TurnRun {
  clock: Clock
  hosted: HostedSession
  running: RunningTurn
  start: TurnStart
  turn: EngineTurn
  /** One call of the engine. */
  runTurn(): Promise<HeardOutcome>
  /** Of a session that a person has ended. */
  readEnder(): Promise<SessionEnder | undefined>
  /** A turn that is over leaves no question behind. */
  withdraw(reason: string): Promise<void>
}

type HeardOutcome = TurnOutcome & { heard: number }

/** Longer than an engine is given to stop. */
const LET_GO_MS = 15_000

/** How the turn ended; throws only what leaves it unfinished. */
export async function runToEnd(run: TurnRun): Promise<TurnOutcome> {
  const { clock, hosted, running, start, turn } = run
  const { log } = hosted
  let heardBefore = -1
  for (;;) {
    // An engine that has been told is taken at its word if it says that the turn is completed all the same.
    const wasWindingUp = turn.windUp.aborted
    const end = await untilLetGo(run).catch((error) => outcomeOf(run, error))
    await Promise.allSettled(running.steering)
    const hasHeardAll = () =>
      turn.messages().length <= end.heard && (wasWindingUp || !turn.windUp.aborted) && !turn.stop.aborted
    if (end.status === 'completed' && !hasHeardAll()) {
      if (turn.stop.aborted || end.heard > heardBefore || turn.windUp.aborted !== wasWindingUp) {
        heardBefore = end.heard
        continue
      }
      Object.assign(end, deaf())
    }
    running.ending = true
    await run.withdraw(end.reason ?? 'the turn is over')
    const entries = log.of(turn.id)
    const begunAt = entries[0]?.kind === 'begun' ? entries[0].at : clock.now()
    const { status, text, reason, costUsd } = end
    const endedBy = status === 'terminated' ? await run.readEnder() : undefined
    const about = { status, text, ...defined({ reason, endedBy }), ...totalsOf(entries, costUsd) }
    const ended = { kind: 'ended', turn: turn.id, at: clock.now(), ...about } as const
    // Somebody may have said something at another process: the last words were said without hearing that.
    if (await log.append(ended, () => status !== 'completed' || hasHeardAll())) {
      emit(run, hosted, start, { kind: 'turn_ended', ...about, durationMs: clock.now() - begunAt })
      return { status, text, ...defined({ reason }) }
    }
    running.ending = false
  }
}

/** An engine that doesn't stop holds nobody up. */
function untilLetGo({ clock, running, turn, runTurn }: TurnRun): Promise<HeardOutcome> {
  const { stop } = turn
  if (stop.aborted) return Promise.reject(stop.reason)
  return new Promise((resolve, reject) => {
    let timer: { cancel(): void } | undefined
    const letGo = () => {
      timer = clock.after(LET_GO_MS, () => {
        running.isLetGo = true
        reject(stop.reason)
      })
    }
    stop.addEventListener('abort', letGo, { once: true })
    runTurn()
      .then(resolve, reject)
      .finally(() => {
        stop.removeEventListener('abort', letGo)
        timer?.cancel()
      })
  })
}

function outcomeOf({ clock, hosted, start, turn }: TurnRun, error: unknown): HeardOutcome {
  const { stop } = turn
  const ended = (outcome: Omit<TurnOutcome, 'text'>) => ({ ...outcome, text: '', heard: 0 })
  const cause: unknown = error instanceof TurnOver ? error : stop.aborted ? stop.reason : error
  if (cause instanceof TurnOver) return ended({ status: cause.status, reason: cause.message })
  // This process is closing, or has lost the lease: the turn goes on elsewhere, or after a restart.
  if (stop.aborted) throw cause
  if (isBanksmanError(error, 'session_ended')) return ended({ status: 'terminated', reason: error.message })
  if (error instanceof SessionLost || isHeldUp(error)) throw error
  const message = error instanceof Error ? error.message : String(error)
  emit({ clock }, hosted, start, { kind: 'failed', stage: 'turn', message })
  return ended({ status: 'failed', reason: message })
}

/** The store can't be reached, or the gateway is closed: the turn is not over. */
function isHeldUp(error: unknown): boolean {
  return isBanksmanError(error) && (error.code.startsWith('store_') || error.code === 'closed')
}

function deaf(): Omit<TurnOutcome, 'text'> {
  return { status: 'failed', reason: 'the engine was given a message twice, and has not heard it' }
}

function totalsOf(
  entries: readonly TurnEntry[],
  costUsd: number | undefined,
): { usage: Usage; steps: number } {
  const usage: Usage = { inputTokens: 0, outputTokens: 0, ...defined({ costUsd }) }
  let steps = 0
  for (const entry of entries) {
    if (entry.kind !== 'answered') continue
    usage.inputTokens += entry.usage.inputTokens
    usage.outputTokens += entry.usage.outputTokens
    if (entry.usage.costUsd !== undefined) usage.costUsd = (usage.costUsd ?? 0) + entry.usage.costUsd
    steps = entry.step
  }
  return { usage, steps }
}
