/**
 * Hosts conversations with agents, for those who talk to them. It runs one turn at a time in a session, each with the session's
 * engine, and takes up what was under way when a process ended. Several processes may have one on the same store: each turn is run
 * by one of them, and can be talked to, followed and stopped at any.
 */

import type { Conversations, Said, Saying, SessionOpening } from '../../core/conversation.ts'
import { BanksmanError } from '../../core/errors.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { Actor } from '../../core/session.ts'
import type { Clock } from '../../core/time/clock.ts'
import { checkMessage } from './check-message.ts'
import type { SessionHostParts } from './host-parts.ts'
import type { HostedSession } from './hosted-session.ts'
import { followSession } from './log/follow-session.ts'
import { createRemoteSessions, type RemoteSessions } from './nodes/remote-sessions.ts'
import { createSessionLeases, type SessionLease } from './nodes/session-lease.ts'
import { takeLease } from './nodes/take-lease.ts'
import { createTakeOver, type TakeOver } from './nodes/take-over.ts'
import { createSessionReads, type SessionReads } from './read-sessions.ts'
import { createSessionTable, type SessionTable } from './session-table.ts'
import { type ChildSessions, createChildSessions } from './turns/child-sessions.ts'
import { createInboundMessages } from './turns/inbound-messages.ts'
import { createOpenEngines, type OpenEngines } from './turns/open-engines.ts'
import { openSession } from './turns/open-session.ts'
import { createRunningTurns } from './turns/running-turns.ts'
import { createSleep } from './turns/sleep-session.ts'
import { createStopTurn, halt, stopHere } from './turns/stop-turn.ts'
import { createRequestWithdrawal } from './turns/withdraw-requests.ts'

export interface Agent extends Omit<Conversations, 'progress'>, Pick<SessionReads, 'progress'> {
  /** As in a conversation. With `manage`, the session must exist, and an admin may talk in somebody else's. */
  say(saying: Saying, actor: Actor, access?: 'manage'): Promise<Said>
  /** Makes a session in which nobody has said anything yet: it is the actor's, and its agent is fixed. */
  open(opening: SessionOpening, actor: Actor): Promise<void>
  /** Stops what runs in the session at once, closes its engine and gives its lease back. The next message opens it again. */
  sleep(session: string, input: { reason?: string }, actor: Actor): Promise<void>
  /** Whether an engine is open for the session, here or at another process. */
  isAwake(session: string): Promise<boolean>
  /**
   * Goes on with every turn that is unfinished and that no other process runs, and says with how many. From then on it does
   * so again with those whose process ends.
   */
  resume(): Promise<number>
}

const CLOSE_WITHIN_MS = 5000

export function createSessionHost(parts: SessionHostParts): Agent {
  const { clock } = parts
  const leases = createSessionLeases(parts)
  const { holder } = leases
  const withdrawal = createRequestWithdrawal(parts)
  const engines = createOpenEngines(parts)
  const take = (hosted: HostedSession, turn: string) => takeLease({ leases, engines }, hosted, turn)
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
  const sleep = createSleep(parts, { sessions, engines, stop })
  const takeMessage = createInboundMessages(parts, {
    isCurrent: (hosted) => sessions.get(hosted.session) === hosted,
    // The engine first: who opens the session anew would open another engine beside it.
    async drop(hosted) {
      await engines.close(hosted, 'failed')
      sessions.drop(hosted)
    },
    take,
    run,
    takeUp,
    pursue,
    nudge,
    stop,
    refuseClosed,
  })
  let closed = false

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
    async say(saying, actor, access) {
      person(actor, 'talk to the agent')
      checkMessage(saying)
      refuseClosed()
      for (;;) {
        const { hosted, release } = await sessions.hold(saying.session, actor, access ?? 'write')
        const taking = hosted.queue.then(() => takeMessage(hosted, saying, actor.subject)).finally(release)
        hosted.queue = taking.catch(() => {})
        const said = await taking
        if (said !== undefined) return said
      }
    },
    async open(opening, actor) {
      person(actor, 'open a session')
      refuseClosed()
      await openSession(parts, sessions, opening, actor)
    },
    async sleep(session, input, actor) {
      person(actor, 'put a session to sleep')
      await sleep(session, input, actor)
    },
    async isAwake(session) {
      return sessions.get(session)?.opened !== undefined || (await leases.find(session)) !== undefined
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
    ...createSessionReads(parts, { sessions, leases }),
    resume: takeOver.start,
    async close() {
      if (closed) return
      closed = true
      takeOver.close()
      remote.close()
      await letGoOfAll(sessions.all(), engines, clock)
      // Those that have not let go by themselves: another process goes on with them.
      await leases.endAll()
    },
  }
}

/** Turns that run go on at another process, or when this one is back. */
async function letGoOfAll(all: HostedSession[], engines: OpenEngines, clock: Clock): Promise<void> {
  const reason = reasonedError('closed', reasonOf('session.shutting-down'))
  for (const { running } of all) running?.controller.abort(reason)
  for (const { events } of all) events.close()
  const ends = all.map((hosted) => hosted.running?.done ?? engines.close(hosted, 'closing'))
  const bound = new Promise<void>((resolve) => clock.after(CLOSE_WITHIN_MS, resolve))
  await Promise.race([Promise.allSettled(ends), bound])
}

function person(actor: Actor, what: string): void {
  if (actor.role === 'agent') throw new BanksmanError('forbidden', `an agent's credential can't ${what}`)
}
