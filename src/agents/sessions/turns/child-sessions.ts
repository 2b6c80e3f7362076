/**
 * Sessions that the turn of another session starts as a task. Each is below that of its parent, so that policy, mode and grants
 * apply to it as the session's family; its lineage is on every call; its events are in the conversation that people listen to.
 *
 * A task that a restart has cut in two is taken up by its parent: its session's name follows from the call, so it is found again.
 */

import type { AgentLineage } from '../../../core/call.ts'
import { defined } from '../../../core/defined.ts'
import { digestOf } from '../../../core/digest.ts'
import { BanksmanError, isBanksmanError } from '../../../core/errors.ts'
import type { ChildTask, EngineTurn } from '../engine.ts'
import type { SessionHostParts } from '../host-parts.ts'
import { emit, type HostedSession, type TurnStart } from '../hosted-session.ts'
import { openTurnLog, SessionLost } from '../log/turn-log.ts'
import type { SessionTable } from '../session-table.ts'
import { type TurnOutcome, TurnOver } from '../turn-over.ts'
import type { StartTurn } from './running-turns.ts'

export interface ChildSessions {
  run(task: ChildTask, parent: ParentTurn): Promise<TurnOutcome>
  isOpen(call: string, parent: HostedSession): Promise<boolean>
}

export interface ParentTurn {
  hosted: HostedSession
  turn: EngineTurn
}

const MAX_SESSION_ID = 256

export function createChildSessions(
  { clock, gateway }: SessionHostParts,
  { sessions, start }: { sessions: SessionTable; start: StartTurn },
): ChildSessions {
  return {
    async isOpen(call, { session, actor }) {
      const log = await openTurnLog(gateway, { id: childId(session, call), parent: session }, actor)
      return log.unfinished() !== undefined
    },
    async run(task, parent) {
      const { hosted, turn: parentTurn } = parent
      const { name, parents = [] } = hosted.agent
      const agent: AgentLineage = { name: task.agent, parents: [...parents, name] }
      const top = topOf(hosted)
      const child = await sessions.open({
        session: childId(hosted.session, task.call),
        parent: hosted.session,
        actor: hosted.actor,
        task: { agent, engine: hosted.engine, events: top.events },
      })
      const ended = child.log.entries.findLast((entry) => entry.kind === 'ended')
      if (ended?.kind === 'ended') {
        const { status, text, reason } = ended
        return { status, text, ...defined({ reason }) }
      }
      const resumed = child.log.unfinished()
      const turn = resumed ?? (await begin(child, task, parent))
      const shownTurn = top.running?.turn ?? parentTurn.id
      const place = { turn: parentTurn.id, shownTurn }
      emit({ clock }, hosted, place, { kind: 'sub_began', child: child.session, task: task.text })
      const end = await runUnder(parent, child, task.signal, {
        turn,
        shownTurn,
        isResumed: resumed !== undefined,
      })
      emit({ clock }, hosted, place, { kind: 'sub_ended', child: child.session, status: end.status })
      return end
    },
  }

  async function begin(child: HostedSession, task: ChildTask, { hosted, turn }: ParentTurn): Promise<string> {
    const id = child.log.nextTurn()
    await child.log.append({
      kind: 'begun',
      turn: id,
      at: clock.now(),
      text: task.text,
      by: turn.by,
      ...defined({ origin: turn.origin }),
      task: { parentSession: hosted.session, parentTurn: turn.id, call: task.call },
    })
    return id
  }

  async function runUnder(
    { turn: { id, by, origin, confirmLease, windUp } }: ParentTurn,
    child: HostedSession,
    signal: AbortSignal,
    place: Pick<TurnStart, 'turn' | 'shownTurn' | 'isResumed'>,
  ): Promise<TurnOutcome> {
    sessions.set(child)
    const lease = { confirm: confirmLease }
    const running = start(child, { ...place, parentTurn: id, by, origin, lease, parentWindUp: windUp })
    // Only if this process closes, or another has the turn, does the task go on later; anything else that stops the call ends it.
    const follow = () =>
      running.controller.abort(
        signal.reason instanceof TurnOver || goesOn(signal.reason)
          ? signal.reason
          : new TurnOver('interrupted', `its task was stopped: ${messageOf(signal.reason)}`),
      )
    if (signal.aborted) follow()
    signal.addEventListener('abort', follow, { once: true })
    try {
      const end = await running.done
      if (end === undefined) throw signal.aborted ? signal.reason : new SessionLost(child.session)
      return end
    } finally {
      signal.removeEventListener('abort', follow)
      sessions.drop(child)
    }
  }

  /** The session of the conversation that people listen to. */
  function topOf(hosted: HostedSession): HostedSession {
    if (sessions.get(hosted.session) === undefined)
      throw new BanksmanError('internal', `session ${hosted.session} is not under way`)
    const parent = hosted.parent === undefined ? undefined : sessions.get(hosted.parent)
    return parent === undefined ? hosted : topOf(parent)
  }
}

function goesOn(reason: unknown): boolean {
  return isBanksmanError(reason, 'closed') || reason instanceof SessionLost
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}

function childId(session: string, call: string): string {
  const id = `${session}.${call}`
  return id.length <= MAX_SESSION_ID ? id : `sub.${digestOf(id)}`
}
