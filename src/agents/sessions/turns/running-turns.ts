/** A turn under way: started, held up by a store that can't be reached, lost to another process, and over. */
import type { SessionEnder } from '../../../core/conversation.ts'
import { defined } from '../../../core/defined.ts'
import { BanksmanError, isBanksmanError } from '../../../core/errors.ts'
import type { EngineCloseReason } from '../engine.ts'
import type { SessionHostParts } from '../host-parts.ts'
import type { HostedSession, RunningTurn, TurnStart } from '../hosted-session.ts'
import { SessionLost } from '../log/turn-log.ts'
import type { SessionTable } from '../session-table.ts'
import { type TurnOutcome, TurnOver } from '../turn-over.ts'
import type { ChildSessions } from './child-sessions.ts'
import { runToEnd } from './end-turn.ts'
import { createEngineTurn } from './engine-turn.ts'
import type { OpenEngines } from './open-engines.ts'
import type { RequestWithdrawal } from './withdraw-requests.ts'

export interface RunningTurnsParts {
  sessions: SessionTable
  engines: OpenEngines
  withdrawal: RequestWithdrawal
  children: () => ChildSessions
}

export type StartTurn = (hosted: HostedSession, start: TurnStart) => RunningTurn

const FIRST_RETRY_MS = 1000
const MAX_RETRY_MS = 60_000

export function createRunningTurns(
  parts: SessionHostParts,
  { sessions, engines, withdrawal, children }: RunningTurnsParts,
): StartTurn {
  const { gateway, clock, report } = parts

  /** A store that can't be reached holds a turn up; it does not end it. */
  async function keepRunning(
    hosted: HostedSession,
    running: RunningTurn,
    start: TurnStart,
  ): Promise<TurnOutcome | undefined> {
    const { signal } = running.controller
    let { isResumed } = start
    for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(delayMs * 2, MAX_RETRY_MS)) {
      try {
        return await runOnce(hosted, running, { ...start, isResumed })
      } catch (error) {
        if (signal.aborted && !(signal.reason instanceof TurnOver)) return undefined
        report({ doing: `running a turn of session ${hosted.session}`, error })
        if (error instanceof SessionLost) {
          running.controller.abort(error)
          return undefined
        }
        if (!isBanksmanError(error) || !error.code.startsWith('store_')) throw error
        await new Promise<void>((resolve) => {
          clock.after(delayMs, resolve)
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
        running.ending = false
        isResumed = true
      }
    }
  }

  async function readEnder({ session, actor }: HostedSession): Promise<SessionEnder | undefined> {
    const { ended } = await gateway.session(session, actor)
    return ended === undefined ? undefined : { by: ended.by, ...defined({ reason: ended.reason }) }
  }

  async function runOnce(
    hosted: HostedSession,
    running: RunningTurn,
    start: TurnStart,
  ): Promise<TurnOutcome> {
    await hosted.log.reconcile()
    const takeBack = (id: string) => void withdrawal.one(id, 'the turn was interrupted', hosted.actor)
    const made = createEngineTurn({ gateway, clock, children: children(), takeBack }, hosted, running, start)
    const { turn, revoke } = made
    try {
      return await runToEnd({
        clock,
        hosted,
        running,
        start,
        turn,
        runTurn: async () => (await engines.open(hosted)).runTurn(turn),
        readEnder: () => readEnder(hosted),
        async withdraw(reason) {
          await withdrawal.ofTurn(hosted, running, reason)
          if (start.isResumed) await withdrawal.left(hosted, start.turn, reason)
        },
      })
    } finally {
      revoke()
    }
  }

  return (hosted, start) => {
    const running: RunningTurn = {
      turn: start.turn,
      controller: new AbortController(),
      windUp: new AbortController(),
      waiting: new Map(),
      listeners: new Set(),
      ending: false,
      isLetGo: false,
      steering: new Set(),
      step: 0,
      done: Promise.resolve(undefined),
    }
    hosted.running = running
    function leave(): void {
      if (hosted.running === running) hosted.running = undefined
    }
    async function runAndLetGo(): Promise<TurnOutcome | undefined> {
      let end: TurnOutcome | undefined
      let isDropped = false
      try {
        end = await keepRunning(hosted, running, start)
        return end
      } catch (error) {
        // What is held here is no longer true. Nothing begins in it, nor in what is held anew, before its engine has ended.
        isDropped = true
        running.ending = true
        throw error
      } finally {
        if (!isDropped) leave()
        await engines.afterTurn(hosted, start.lease, whatNext(running, end))
        if (isDropped) {
          leave()
          sessions.drop(hosted)
        }
      }
    }
    running.done = runAndLetGo()
    // Those who want to know listen; nobody has to.
    running.done.catch(() => {})
    return running
  }
}

/** Whether the engine can go on with the next turn; and why it is closed where it can't, or is opened for one turn only. */
function whatNext(
  { isLetGo, controller }: RunningTurn,
  end: TurnOutcome | undefined,
): { keep: boolean; reason: EngineCloseReason } {
  const { reason } = controller.signal
  if (isLetGo || end?.status === 'failed') return { keep: false, reason: 'failed' }
  if (end !== undefined) return { keep: end.status !== 'terminated', reason: 'ended' }
  if (reason instanceof SessionLost) return { keep: false, reason: 'lost' }
  return { keep: false, reason: reason instanceof BanksmanError ? 'closing' : 'failed' }
}
