/** A turn as its engine sees it: the host's half of every call, entry and event. */

import type { ToolCall } from '../../../core/call.ts'
import { defined } from '../../../core/defined.ts'
import { BanksmanError } from '../../../core/errors.ts'
import type { Held, HoldOptions, NotRun, Replayed } from '../../../guard/contract.ts'
import type { EngineCall, EngineSession, EngineTurn, SteeredEntry } from '../engine.ts'
import type { SessionHostParts } from '../host-parts.ts'
import { emit, type HostedSession, type RunningTurn, type TurnStart } from '../hosted-session.ts'
import { TurnOver } from '../turn-over.ts'
import type { ChildSessions } from './child-sessions.ts'

export interface EngineTurnParts extends Pick<SessionHostParts, 'gateway' | 'clock'> {
  children: ChildSessions
  /** Withdraws a request that this turn has just opened. */
  takeBack(request: string): void
}

export interface RevocableTurn {
  turn: EngineTurn
  /** From here on an engine that the host has let go of can do nothing more with it. */
  revoke(): void
}

export function createEngineTurn(
  parts: EngineTurnParts,
  hosted: HostedSession,
  running: RunningTurn,
  start: TurnStart,
): RevocableTurn {
  const { gateway, clock, children } = parts
  const { log, actor, parent, agent } = hosted
  const about = { id: hosted.session, parent, agent }
  const { waiting, listeners } = running
  const stop = running.controller.signal
  const windUp =
    start.parentWindUp === undefined
      ? running.windUp.signal
      : AbortSignal.any([running.windUp.signal, start.parentWindUp])
  const begun = log.of(start.turn).find((entry) => entry.kind === 'begun')
  let isRevoked = false

  function check(): void {
    if (isRevoked)
      throw new BanksmanError('closed', `turn ${start.turn} of session ${hosted.session} is over`)
  }

  /** Announces the request that the call waits for. */
  function asking<Options extends Omit<HoldOptions, 'signal'>>(call: EngineCall, options: Options) {
    return {
      ...options,
      as: actor,
      signal: stop,
      onAsked(asked: Parameters<NonNullable<HoldOptions['onAsked']>>[0]) {
        options.onAsked?.(asked)
        if (asked.state !== 'pending') return
        const { requestId } = asked
        const waiter = { call: call.callId, tool: call.tool, arguments: call.arguments }
        waiting.set(requestId, waiter)
        emit(parts, hosted, start, { kind: 'call_waiting', ...waiter, request: requestId })
        // The stop came while it was being opened.
        if (windUp.aborted) parts.takeBack(requestId)
      },
    }
  }

  /** What is still to be decided is withdrawn with the turn; the rest isn't. */
  function answered<R extends { kind: string; requestId?: string }>(result: R): R {
    const isOpen = result.kind === 'pending' || result.kind === 'released'
    if (result.requestId !== undefined && !isOpen) waiting.delete(result.requestId)
    return result
  }

  /** What the engine gives back is approved as before, and the same call of a later turn would join it: it ends with this turn. */
  function givenBack(call: EngineCall, result: Held | Replayed | NotRun): Held | Replayed | NotRun {
    if (result.kind !== 'held' || result.requestId === undefined) return result
    const { requestId } = result
    return {
      ...result,
      async release(cause) {
        await result.release(cause)
        waiting.set(requestId, { call: call.callId, tool: call.tool, arguments: call.arguments })
        if (running.ending || windUp.aborted || stop.reason instanceof TurnOver) parts.takeBack(requestId)
      },
    }
  }

  const turn: EngineTurn = {
    id: start.turn,
    parentTurn: start.parentTurn,
    text: begun?.text ?? '',
    by: start.by,
    origin: start.origin,
    resumed: start.isResumed,
    stop,
    windUp,
    messages: () => log.of(start.turn).filter((entry): entry is SteeredEntry => entry.kind === 'steered'),
    onMessage(call) {
      listeners.add(call)
      return { remove: () => void listeners.delete(call) }
    },
    async append(entry) {
      check()
      await log.append({ ...entry, turn: start.turn, at: clock.now() })
    },
    emit(body) {
      if (!isRevoked) emit(parts, hosted, start, body)
    },
    async confirmLease() {
      check()
      await start.lease.confirm()
    },
    async hold(call, options = {}) {
      check()
      const held = await gateway.hold(completeCall(about, turn, call), asking(call, options))
      return givenBack(call, answered(held))
    },
    async guard(call, run, options = {}) {
      check()
      return answered(await gateway.guard(completeCall(about, turn, call), run, asking(call, options)))
    },
    end: (reason) => running.controller.abort(reason),
    async runChild(task) {
      check()
      return children.run(task, { hosted, turn })
    },
    isChildOpen: (call) => children.isOpen(call, hosted),
  }
  return {
    turn,
    revoke() {
      isRevoked = true
      listeners.clear()
    },
  }
}

/** The call with what the host knows of it. */
export function completeCall(
  { id, parent, agent }: Pick<EngineSession, 'id' | 'parent' | 'agent'>,
  { origin }: Pick<EngineTurn, 'origin'>,
  { subAgent, ...call }: EngineCall,
): ToolCall {
  return {
    ...call,
    session: id,
    agent:
      subAgent === undefined ? agent : { name: subAgent, parents: [...(agent.parents ?? []), agent.name] },
    ...defined({ parentSession: parent, origin }),
  }
}
