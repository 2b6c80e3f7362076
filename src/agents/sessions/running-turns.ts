/**
 * A turn under way: started, held up by a store that can't be reached, lost to another process, and over. A turn that is over leaves no question
 * behind, in this process or from the one before.
 */
import { isBanksmanError } from '../../core/errors.ts'
import type { Actor } from '../../core/session.ts'
import { runTurn, type TurnOutcome } from '../loop/run-turn.ts'
import type { AgentParts } from '../loop/turn-state.ts'
import type { RegisteredTool } from '../tools/tool.ts'
import {
  createTurnState,
  type HostedSession,
  isOver,
  type RunningTurn,
  type TurnStart,
} from './hosted-session.ts'
import type { SessionTable } from './session-table.ts'
import { SessionLost } from './turn-log.ts'

export interface RunningTurns {
  start(line: HostedSession, about: TurnStart): RunningTurn
  /** Takes back all that the turn has asked; `by` whom, where it was a person. */
  withdraw(line: HostedSession, running: RunningTurn, reason: string, by?: Actor): Promise<void>
}

const FIRST_RETRY_MS = 1000
const MAX_RETRY_MS = 60_000

export function createRunningTurns(
  parts: AgentParts,
  lines: SessionTable,
  onToolAdded: (tool: RegisteredTool) => void,
): RunningTurns {
  const { gateway, clock } = parts

  function start(line: HostedSession, about: TurnStart): RunningTurn {
    const running: RunningTurn = {
      turn: about.turn,
      controller: new AbortController(),
      waiting: new Map(),
      windingUp: false,
      ending: false,
      steering: new Set(),
      done: Promise.resolve(undefined),
    }
    line.running = running
    running.done = keepRunning(line, running, about).finally(async () => {
      if (line.running === running) line.running = undefined
      await about.tenure.end?.()
    })
    // Whoever wants to know listens; nobody has to.
    running.done.catch(() => {})
    return running
  }

  /** A store that can't be reached holds a turn up; it does not end it. */
  async function keepRunning(
    line: HostedSession,
    running: RunningTurn,
    about: TurnStart,
  ): Promise<TurnOutcome | undefined> {
    const { signal } = running.controller
    let isResumed = about.isResumed
    for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(delayMs * 2, MAX_RETRY_MS)) {
      try {
        await line.log.reconcile()
        const takeBack = (id: string) => void cancel(id, 'the turn was interrupted', line.actor)
        const state = createTurnState(parts, line, running, { ...about, isResumed, onToolAdded, takeBack })
        return await runTurn(state, {
          async settleSteering() {
            await Promise.allSettled(running.steering)
          },
          end() {
            running.ending = true
          },
          goOn() {
            running.ending = false
          },
          async withdraw(reason) {
            await withdraw(line, running, reason)
            if (state.isResumed) await withdrawLeft(line, about.turn, reason)
          },
        })
      } catch (error) {
        if (signal.aborted && !isOver(signal.reason)) return undefined
        parts.report({ doing: `running a turn of session ${line.session}`, error })
        if (error instanceof SessionLost) {
          running.controller.abort(error)
          return undefined
        }
        if (!isBanksmanError(error) || !error.code.startsWith('store_')) {
          lines.drop(line)
          throw error
        }
        await new Promise<void>((resolve) => {
          clock.after(delayMs, resolve)
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
        running.ending = false
        isResumed = true
      }
    }
  }

  async function withdraw(
    line: HostedSession,
    running: RunningTurn,
    reason: string,
    by: Actor = line.actor,
  ): Promise<void> {
    const ids = [...running.waiting.keys()]
    running.waiting.clear()
    await Promise.all(ids.map((id) => cancel(id, reason, by, line.actor)))
  }

  /** What the process before had asked, and nobody here waits for: a hook that thinks otherwise today, a tool that is gone. */
  async function withdrawLeft(line: HostedSession, turn: string, reason: string): Promise<void> {
    const { items } = await gateway.list({ state: 'approved', session: line.session, limit: 200 }, line.actor)
    // In what the turn has started, too.
    const waiting = (await gateway.waiting(line.session, line.actor))?.items ?? []
    const all = [...items, ...waiting.map(({ request }) => request)]
    const left = all.filter(({ session, callId }) => {
      return session !== line.session || callId.startsWith(`${turn}.`)
    })
    await Promise.all(left.map(({ id }) => cancel(id, reason, line.actor)))
  }

  /** In the name of whoever stopped it where they may; otherwise in the agent's own. */
  async function cancel(id: string, reason: string, by: Actor, otherwise?: Actor): Promise<void> {
    try {
      await gateway.cancel(id, { interrupted: true, reason }, by)
    } catch (error) {
      if (isBanksmanError(error, 'not_yours') && otherwise !== undefined) return cancel(id, reason, otherwise)
      if (!isBanksmanError(error, 'not_pending')) parts.report({ doing: `withdrawing ${id}`, error })
    }
  }

  return { start, withdraw }
}
