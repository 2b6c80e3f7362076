/**
 * Agents that agents start. Each has a session of its own below that of whoever started it, so that policy, mode and grants
 * hold for it as the session's family; its lineage is on every call; what it does is told where the conversation is.
 *
 * A task that a restart has cut in two is taken up by whoever gave it: its session's name follows from the call, so it is
 * found again.
 */

import type { AgentLineage } from '../../core/call.ts'
import type { TurnEntry } from '../../core/conversation.ts'
import { defined } from '../../core/defined.ts'
import { digestOf } from '../../core/digest.ts'
import { BanksmanError, isBanksmanError } from '../../core/errors.ts'
import {
  type HostedSession,
  isOver,
  type RunningTurn,
  type SubAgents,
  type TurnStart,
} from '../sessions/hosted-session.ts'
import type { SessionTable } from '../sessions/session-table.ts'
import { openTurnLog, SessionLost } from '../sessions/turn-log.ts'
import type { TurnOutcome } from './run-turn.ts'
import { type AgentParts, type SubAgentTask, TurnOver, type TurnState } from './turn-state.ts'

export interface SubAgentParts {
  lines: SessionTable
  start(line: HostedSession, about: TurnStart): RunningTurn
}

const MAX_SESSION_ID = 256

export function createSubAgents(
  { settings, clock, gateway }: AgentParts,
  { lines, start }: SubAgentParts,
): SubAgents {
  const subAgents: SubAgents = {
    start: startSubAgent,
    async isOpen(call, { session, actor }) {
      const log = await openTurnLog(gateway, { id: childId(session, call), parent: session }, actor)
      return log.unfinished() !== undefined
    },
  }
  return subAgents

  async function startSubAgent(task: SubAgentTask, parent: TurnState): Promise<TurnOutcome> {
    const { name, parents = [] } = parent.agent
    if (parents.length + 1 >= settings.maxDepth)
      return failed(`agents may start agents ${settings.maxDepth} deep, and no deeper`)
    const kind = task.agent === undefined ? undefined : kindOf(task.agent)
    if (task.agent !== undefined && kind === undefined) {
      const known = Object.keys(settings.subAgents).join(', ') || 'none'
      return failed(`there is no agent ${JSON.stringify(task.agent)}; there are: ${known}`)
    }
    const top = topOf(parent.session)
    const agent: AgentLineage = { name: task.agent ?? name, parents: [...parents, name] }
    const line = await lines.open({
      session: childId(parent.session, task.call),
      parent: parent.session,
      actor: parent.actor,
      agent,
      instructions: kind?.instructions ?? settings.instructions,
      book: top.book,
    })
    const ended = line.log.entries.findLast((entry) => entry.kind === 'ended')
    if (ended !== undefined) return endOf(ended)
    const resumed = line.log.unfinished()
    const turn = resumed ?? (await begin(line, task, parent))
    parent.emit({ kind: 'sub_began', child: line.session, task: task.task })
    const end = await run(line, task, parent, {
      turn,
      shownTurn: top.running?.turn ?? parent.turn,
      isResumed: resumed !== undefined,
    })
    parent.emit({ kind: 'sub_ended', child: line.session, status: end.status })
    return end
  }

  async function begin(line: HostedSession, task: SubAgentTask, parent: TurnState): Promise<string> {
    const turn = line.log.nextTurn()
    await line.log.append({
      kind: 'begun',
      turn,
      at: clock.now(),
      text: task.task,
      by: parent.by,
      ...defined({ origin: parent.origin }),
      task: { parentSession: parent.session, parentTurn: parent.turn, call: task.call },
    })
    return turn
  }

  async function run(
    line: HostedSession,
    { signal }: SubAgentTask,
    parent: TurnState,
    place: Pick<TurnStart, 'turn' | 'shownTurn' | 'isResumed'>,
  ): Promise<TurnOutcome> {
    lines.set(line)
    const { by, origin } = parent
    const running = start(line, {
      ...place,
      parentTurn: parent.turn,
      by,
      origin,
      tenure: { confirm: parent.confirm },
      isParentWindingUp: parent.isWindingUp,
      subAgents,
    })
    // Only where this process closes, or another has the turn, does the task go on later; whatever else stops the call ends it.
    const follow = () =>
      running.controller.abort(
        isOver(signal.reason) || goesOn(signal.reason)
          ? signal.reason
          : new TurnOver('interrupted', `its task was stopped: ${messageOf(signal.reason)}`),
      )
    if (signal.aborted) follow()
    signal.addEventListener('abort', follow, { once: true })
    try {
      const end = await running.done
      if (end === undefined) throw signal.aborted ? signal.reason : new SessionLost(line.session)
      return end
    } finally {
      signal.removeEventListener('abort', follow)
      lines.drop(line)
    }
  }

  function kindOf(name: string): { instructions: string } | undefined {
    return Object.hasOwn(settings.subAgents, name) ? settings.subAgents[name] : undefined
  }

  /** The line of the conversation that people listen to. */
  function topOf(session: string): HostedSession {
    const line = lines.get(session)
    if (line === undefined) throw new BanksmanError('internal', `session ${session} is not under way`)
    return line.parent === undefined || lines.get(line.parent) === undefined ? line : topOf(line.parent)
  }
}

function goesOn(reason: unknown): boolean {
  return isBanksmanError(reason, 'closed') || reason instanceof SessionLost
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}

function failed(reason: string): TurnOutcome {
  return { status: 'failed', text: '', reason }
}

function childId(session: string, call: string): string {
  const id = `${session}.${call}`
  return id.length <= MAX_SESSION_ID ? id : `sub.${digestOf(id)}`
}

function endOf({ status, text, reason }: Extract<TurnEntry, { kind: 'ended' }>): TurnOutcome {
  return { status, text, ...defined({ reason }) }
}
