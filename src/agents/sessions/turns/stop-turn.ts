/**
 * Stopping a turn, wherever it runs. Here it takes effect first, and telling and recording follow (P5). A turn of another process is
 * stopped through its log, by the process that runs it or takes it up.
 */
import type { Interruption } from '../../../core/conversation.ts'
import { defined } from '../../../core/defined.ts'
import { isBanksmanError } from '../../../core/errors.ts'
import type { Actor } from '../../../core/session.ts'
import type { SessionHostParts } from '../host-parts.ts'
import { emit, type HostedSession, type RunningTurn } from '../hosted-session.ts'
import type { RemoteSessions } from '../nodes/remote-sessions.ts'
import type { SessionLeases } from '../nodes/session-lease.ts'
import { notYourSession, type SessionTable } from '../session-table.ts'
import { TurnOver } from '../turn-over.ts'
import type { RequestWithdrawal } from './withdraw-requests.ts'

export interface StopTurnParts {
  sessions: SessionTable
  leases: SessionLeases
  withdrawal: RequestWithdrawal
  nudge: RemoteSessions['nudge']
  pursue(hosted: HostedSession): void
  isClosed(): boolean
}

export type StopTurn = (session: string, input: Interruption, actor: Actor) => Promise<boolean>

/** After a stop that the store could not take. */
const NOTE_AGAIN_MS = 1000
/** Deeper than agents are let start agents. */
const MAX_DEPTH = 32

export function createStopTurn(parts: SessionHostParts, stopping: StopTurnParts): StopTurn {
  const { gateway, clock, report } = parts
  const { sessions, leases, nudge, pursue, isClosed } = stopping

  async function stopElsewhere(id: string, input: Interruption, actor: Actor): Promise<boolean> {
    const session = await gateway.session(id, actor).catch((error) => {
      if (isBanksmanError(error, 'unknown_id')) return undefined
      throw error
    })
    if (session === undefined) return false
    if (session.owner !== actor.subject && actor.role !== 'admin') {
      if ((await leases.find(id)) === undefined) return false
      throw notYourSession(id)
    }
    const { hosted, release } = await sessions.hold(id, actor, 'read')
    try {
      const { log } = hosted
      await log.refresh()
      const turn = log.unfinished()
      if (turn === undefined) return false
      if (!(await recordStop(hosted, turn, input, actor))) return false
      const lease = await leases.find(await rootOf(id, actor))
      if (lease !== undefined && !leases.isLeft(lease)) await nudge(lease.holder, id)
      else if (session.parent === undefined) pursue(hosted)
      return true
    } finally {
      release()
    }
  }

  /** Whoever goes on with the turn, should this process end before the turn does, is told by its log. */
  async function recordStop(
    { log }: HostedSession,
    turn: string,
    { kind: how, reason }: Interruption,
    { subject: by, role }: Actor,
  ): Promise<boolean> {
    const about = { by, role, ...defined({ reason }) }
    const entry = await log.offer(() =>
      log.unfinished() === turn ? { kind: 'interrupted', turn, at: clock.now(), how, ...about } : undefined,
    )
    return entry !== undefined
  }

  /**
   * Until it is written down, or the turn is over: another process may take the turn over meanwhile, and would go on with
   * what somebody was told has stopped (P5).
   */
  function noteStop(
    hosted: HostedSession,
    turn: string,
    input: Interruption,
    actor: Actor,
    isFirst = true,
  ): void {
    const { session } = hosted
    async function note(): Promise<void> {
      await recordStop(hosted, turn, input, actor)
      // It may have been taken over already, even if nobody here knows.
      const lease = await leases.find(await rootOf(session, actor))
      if (lease !== undefined && lease.holder !== leases.holder) await nudge(lease.holder, session)
    }
    note().catch((error) => {
      if (isClosed()) return
      if (isFirst) report({ doing: `noting that session ${session} was interrupted`, error })
      if (isBanksmanError(error) && error.code.startsWith('store_'))
        clock.after(NOTE_AGAIN_MS, () => noteStop(hosted, turn, input, actor, false))
    })
  }

  /** A task runs by the right of the turn that it is a part of. */
  async function rootOf(id: string, actor: Actor): Promise<string> {
    let at = id
    for (let depth = 0; depth < MAX_DEPTH; depth++) {
      const { parent } = await gateway.session(at, actor)
      if (parent === undefined) break
      at = parent
    }
    return at
  }

  return async (session, input, actor) => {
    const hosted = sessions.get(session)
    const running = hosted?.running
    if (hosted === undefined || running === undefined) return stopElsewhere(session, input, actor)
    if (hosted.actor.subject !== actor.subject && actor.role !== 'admin') throw notYourSession(session)
    const stopped = stopHere(parts, stopping, { hosted, running }, input, actor)
    noteStop(hosted, running.turn, input, actor)
    await stopped
    return true
  }
}

/** Stops a turn that runs here, and withdraws what it asks, in what it has started too. */
export async function stopHere(
  parts: SessionHostParts,
  { sessions, withdrawal }: Pick<StopTurnParts, 'sessions' | 'withdrawal'>,
  { hosted, running }: { hosted: HostedSession; running: RunningTurn },
  { kind, reason }: Interruption,
  actor: Actor,
): Promise<void> {
  const about = { by: actor.subject, ...defined({ reason }) }
  halt(running, { how: kind, ...about })
  const { turn } = running
  emit(parts, hosted, { turn, shownTurn: turn }, { kind: 'interrupted', how: kind, ...about })
  for (const each of sessions.all()) {
    if (each.running !== undefined && (each === hosted || sessions.isBelow(each, hosted.session)))
      await withdrawal.ofTurn(each, each.running, whyOf(about), actor)
  }
}

export function halt(
  running: RunningTurn,
  { how, ...about }: { how: Interruption['kind']; by: string; reason?: string },
): void {
  if (how === 'hard') running.controller.abort(new TurnOver('interrupted', whyOf(about)))
  else running.windUp.abort()
}

function whyOf({ by, reason }: { by: string; reason?: string }): string {
  return `${by} interrupted it${reason === undefined ? '' : `: ${reason}`}`
}
