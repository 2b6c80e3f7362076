/**
 * Hosts conversations with agents, for those who talk to them. It runs one turn at a time in a session, each with the session's
 * engine, and takes up what was under way when a process ended. Several processes may have one on the same store: each turn is run
 * by one of them, and can be talked to, followed and stopped at any.
 */

import type { AgentDescription, Conversations, TurnEntry } from '../../core/conversation.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { Actor } from '../../core/session.ts'
import { checkMessage } from './check-message.ts'
import { type ChildSessions, createChildSessions } from './child-sessions.ts'
import { followSession } from './follow-session.ts'
import type { SessionHostParts } from './host-parts.ts'
import type { HostedSession } from './hosted-session.ts'
import { createInboundMessages } from './inbound-messages.ts'
import { createOpenEngines } from './open-engines.ts'
import { progressOf, waitingIn } from './progress.ts'
import { createRemoteSessions, type RemoteSessions } from './remote-sessions.ts'
import { createRunningTurns } from './running-turns.ts'
import { unknownAgent } from './session-agent.ts'
import { createSessionLeases, leasedTurn, type SessionLease, type TakenLease } from './session-lease.ts'
import { createSessionTable, type SessionTable } from './session-table.ts'
import { createStopTurn, halt, stopHere } from './stop-turn.ts'
import { createTakeOver, type TakeOver } from './take-over.ts'
import { SessionLost } from './turn-log.ts'
import { createRequestWithdrawal } from './withdraw-requests.ts'

export interface Agent extends Conversations {
  /**
   * Goes on with every turn that is unfinished and that no other process runs, and says with how many. From then on it does
   * so again with those whose process ends.
   */
  resume(): Promise<number>
}

const CLOSE_WITHIN_MS = 5000

export function createSessionHost(parts: SessionHostParts): Agent {
  const { gateway, clock } = parts
  const leases = createSessionLeases(parts)
  const { holder } = leases
  const withdrawal = createRequestWithdrawal(parts)
  const engines = createOpenEngines(parts)
  const remote: RemoteSessions = createRemoteSessions(parts, {
    holder,
    sessions: () => sessions,
    stop: (hosted, running, input, by) =>
      void stopHere(parts, { sessions, withdrawal }, { hosted, running }, input, by),
    begun: (hosted) => takeOver.pursue(hosted),
  })
  const sessions: SessionTable = createSessionTable({ ...parts, holder, hear: remote.hear })
  const start = createRunningTurns(parts, { sessions, engines, withdrawal, children: () => children })
  const children: ChildSessions = createChildSessions(parts, { sessions, start })
  const takeOver: TakeOver = createTakeOver(parts, { sessions, leases, take, run })
  const { nudge } = remote
  const { pursue, takeUp } = takeOver
  const stop = createStopTurn(parts, {
    sessions,
    leases,
    withdrawal,
    nudge,
    pursue,
    isClosed: () => closed,
  })
  const takeMessage = createInboundMessages(parts, {
    async drop(hosted) {
      sessions.drop(hosted)
      await engines.close(hosted, 'failed')
    },
    take,
    run,
    takeUp,
    pursue,
    nudge,
    refuseClosed,
  })
  let closed = false

  /** The right to run a turn of the session; an open engine has kept it. */
  async function take(hosted: HostedSession, turn: string): Promise<TakenLease> {
    if (hosted.engine === undefined) return { kind: 'theirs', lease: await leases.find(hosted.session) }
    await hosted.closing
    const kept = hosted.opened?.lease
    if (hosted.opened !== undefined && kept !== undefined) {
      hosted.opened.idle?.cancel()
      try {
        await kept.use(turn)
        return { kind: 'ours', lease: kept }
      } catch (error) {
        if (!(error instanceof SessionLost)) throw error
        await engines.close(hosted, 'lost')
      }
    }
    return leases.take(hosted.session, turn, () => {
      if (hosted.running === undefined) void engines.close(hosted, 'lost')
      else hosted.running.controller.abort(new SessionLost(hosted.session))
    })
  }

  /** Runs the turn that the log says is unfinished, by this right. */
  function run(hosted: HostedSession, lease: SessionLease, turn: string): void {
    const entries = hosted.log.of(turn)
    const begun = entries.find((entry) => entry.kind === 'begun')
    const running = start(hosted, {
      turn,
      shownTurn: turn,
      parentTurn: undefined,
      by: begun?.by ?? hosted.actor.subject,
      origin: begun?.origin,
      isResumed: entries.length > 1,
      lease,
    })
    remote.started()
    // Somebody may have wanted it to stop while nobody ran it.
    for (const entry of entries) if (entry.kind === 'interrupted') halt(running, entry)
    running.done.then(
      (end) => {
        if (end === undefined && !closed) pursue(hosted)
      },
      () => {},
    )
  }

  function refuseClosed(): void {
    if (closed) throw new BanksmanError('closed', 'the agent is closed')
  }

  return {
    async say(saying, actor) {
      person(actor, 'talk to the agent')
      checkMessage(saying)
      refuseClosed()
      const { hosted, release } = await sessions.hold(saying.session, actor, 'write')
      const said = hosted.queue.then(() => takeMessage(hosted, saying, actor.subject)).finally(release)
      hosted.queue = said.catch(() => {})
      return said
    },
    async interrupt(session, input, actor) {
      person(actor, 'interrupt the agent')
      return stop(session, input, actor)
    },
    async *events(session, { after, signal }, actor) {
      refuseClosed()
      const { hosted, release } = await sessions.hold(session, actor, 'read')
      try {
        const { leave } = await remote.follow(hosted)
        try {
          yield* followSession(hosted, { after, signal, isClosed: () => closed, now: clock.now })
        } finally {
          leave()
        }
      } finally {
        release()
      }
    },
    async entries(session, { after = 0, limit = 200 }, actor) {
      const size = Math.max(1, Math.min(limit, 500))
      const page = await gateway.turns.read(session, { after, limit: size + 1 }, actor)
      const entries = page
        .slice(0, size)
        .map((turn) => (turn === null ? { kind: 'erased' } : turn) as unknown as TurnEntry)
      return { entries, more: page.length > size }
    },
    async running(session, actor) {
      const hosted = sessions.get(session)
      const isTheirs = hosted?.actor.subject === actor.subject || actor.role === 'admin'
      if (hosted?.running !== undefined) return isTheirs ? hosted.running.turn : undefined
      const lease = await leases.find(session)
      // Our own that is still to be given back is of a turn that is over.
      if (lease === undefined || lease.holder === holder) return undefined
      const { owner } = await gateway.session(session, actor)
      return owner === actor.subject || actor.role === 'admin' ? leasedTurn(lease) : undefined
    },
    async progress(session, actor) {
      const { hosted, release } = await sessions.hold(session, actor, 'read')
      try {
        if (hosted.running === undefined) await hosted.log.refresh()
        return progressOf(hosted, await waitingIn(gateway, hosted))
      } finally {
        release()
      }
    },
    resume: takeOver.start,
    describe: (agent) => describe(parts, agent),
    async close() {
      if (closed) return
      closed = true
      takeOver.close()
      remote.close()
      const reason = new BanksmanError(
        'closed',
        'the server is shutting down; the turn goes on when it is back',
      )
      const all = sessions.all()
      const under = all.flatMap((hosted) => hosted.running ?? [])
      const idle = all.filter((hosted) => hosted.running === undefined)
      for (const running of under) running.controller.abort(reason)
      for (const hosted of all) hosted.events.close()
      const bound = new Promise<void>((resolve) => clock.after(CLOSE_WITHIN_MS, resolve))
      const ends = [
        ...under.map((running) => running.done),
        ...idle.map((hosted) => engines.close(hosted, 'closing')),
      ]
      await Promise.race([Promise.allSettled(ends), bound])
      // Those that have not let go by themselves: another process goes on with them.
      await leases.endAll()
    },
  }
}

function describe(parts: SessionHostParts, wanted: string | undefined): AgentDescription {
  const { agents, defaultAgent } = parts
  const names = [...agents.keys()]
  const name = wanted ?? (agents.has(defaultAgent) ? defaultAgent : names[0]) ?? defaultAgent
  const engine = agents.get(name)
  if (engine === undefined) throw unknownAgent(parts, name)
  return { name, ...(names.length > 1 ? { agents: names } : {}), ...engine.describe() }
}

function person(actor: Actor, what: string): void {
  if (actor.role === 'agent') throw new BanksmanError('forbidden', `an agent's credential can't ${what}`)
}
