/**
 * Our ReAct agent, as those see it who talk to it. It keeps one line a session, runs one turn at a time in each, and takes up
 * what was under way when a process ended. Several processes may have one on the same store: each turn is run by one of them,
 * and can be talked to, followed and stopped at any.
 */

import type { Conversations, Interruption, TurnEntry } from '../../core/conversation.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError, isBanksmanError } from '../../core/errors.ts'
import type { Actor } from '../../core/session.ts'
import { createSubAgents } from '../loop/sub-agents.ts'
import { type AgentParts, TurnOver } from '../loop/turn-state.ts'
import type { RegisteredTool } from '../tools/tool.ts'
import { checkMessage } from './check-message.ts'
import { followSession } from './follow-session.ts'
import { emit, type HostedSession, type RunningTurn } from './hosted-session.ts'
import { createInboundMessages } from './inbound-messages.ts'
import { createRemoteSessions } from './remote-sessions.ts'
import { createRunningTurns } from './running-turns.ts'
import { createSessionLeases, leasedTurn, type SessionLease, type TakenLease } from './session-lease.ts'
import { createSessionTable, notYourSession, type SessionTable } from './session-table.ts'
import { createTakeOver } from './take-over.ts'
import { SessionLost } from './turn-log.ts'

export interface Agent extends Conversations {
  /**
   * Goes on with every turn that is unfinished and that no other process runs, and says with how many. From then on it does
   * so again with those whose process ends.
   */
  resume(): Promise<number>
}

const CLOSE_WITHIN_MS = 5000
/** After a stop that the store could not take. */
const NOTE_AGAIN_MS = 1000
/** Deeper than agents are let start agents. */
const MAX_DEPTH = 32

export function createSessionHost(parts: AgentParts): Agent {
  const { gateway, clock, settings } = parts
  const tenures = createSessionLeases(parts)
  const { holder } = tenures
  const elsewhere = createRemoteSessions(parts, { holder, lines: () => lines, stop: stopHere })
  const lines: SessionTable = createSessionTable({ ...parts, holder, hear: elsewhere.hear })
  /** Tools that hooks have added to questions to the model, by name. */
  const brought = new Map<string, RegisteredTool>()
  const turns = createRunningTurns(parts, lines, (tool) => brought.set(tool.tool.name, tool))
  const subAgents = createSubAgents(parts, { lines, start: turns.start })
  const takeOver = createTakeOver(parts, { lines, tenures, take, run })
  const takeWords = createInboundMessages(parts, {
    lines,
    take,
    run,
    takeUp: takeOver.takeUp,
    pursue: takeOver.pursue,
    nudge: elsewhere.nudge,
    refuseClosed,
  })
  let closed = false

  function take(line: HostedSession, turn: string): Promise<TakenLease> {
    return tenures.take(line.session, turn, () =>
      line.running?.controller.abort(new SessionLost(line.session)),
    )
  }

  /** Runs the turn that the log says is unfinished, by this right. */
  function run(line: HostedSession, tenure: SessionLease, turn: string): void {
    const entries = line.log.of(turn)
    const begun = entries.find((entry) => entry.kind === 'begun')
    const running = turns.start(line, {
      turn,
      shownTurn: turn,
      parentTurn: undefined,
      by: begun?.by ?? line.actor.subject,
      origin: begun?.origin,
      isResumed: entries.length > 1,
      tenure,
      isParentWindingUp: () => false,
      subAgents,
    })
    elsewhere.started()
    // Somebody may have wanted it to stop while nobody ran it.
    for (const entry of entries) if (entry.kind === 'interrupted') halt(running, entry.how, whyOf(entry))
    running.done.then(
      (end) => {
        if (end === undefined && !closed) takeOver.pursue(line)
      },
      () => {},
    )
  }

  /** First of all it takes effect; telling and recording follow (P5). */
  function stopHere(
    line: HostedSession,
    running: RunningTurn,
    { kind, reason }: Interruption,
    actor: Actor,
  ): Promise<void> {
    const by = actor.subject
    const about = { by, ...defined({ reason }) }
    const why = whyOf(about)
    halt(running, kind, why)
    const { turn } = running
    emit(parts, line, { turn, shownTurn: turn }, { kind: 'interrupted', how: kind, ...about })
    return withdrawAll(line, why, actor)
  }

  async function withdrawAll(line: HostedSession, why: string, actor: Actor): Promise<void> {
    for (const each of lines.all()) {
      if (each.running !== undefined && (each === line || lines.isBelow(each, line.session)))
        await turns.withdraw(each, each.running, why, actor)
    }
  }

  /** A turn that does not run here is stopped through its log, by whoever runs it or takes it up. */
  async function stopElsewhere(id: string, input: Interruption, actor: Actor): Promise<boolean> {
    const session = await gateway.session(id, actor).catch((error) => {
      if (isBanksmanError(error, 'unknown_id')) return undefined
      throw error
    })
    if (session === undefined) return false
    if (session.owner !== actor.subject && actor.role !== 'admin') {
      if ((await tenures.find(id)) === undefined) return false
      throw notYourSession(id)
    }
    const { line, release } = await lines.hold(id, actor, 'read')
    try {
      const { log } = line
      await log.refresh()
      const turn = log.unfinished()
      if (turn === undefined) return false
      if (!(await recordStop(line, turn, input, actor))) return false
      const lease = await tenures.find(await rootOf(id, actor))
      if (lease !== undefined && !tenures.isLeft(lease)) await elsewhere.nudge(lease.holder, id)
      else if (session.parent === undefined) takeOver.pursue(line)
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
    line: HostedSession,
    running: RunningTurn,
    input: Interruption,
    actor: Actor,
    isFirst = true,
  ): void {
    const { session } = line
    async function note(): Promise<void> {
      await recordStop(line, running.turn, input, actor)
      // It may have been taken over already, be it that nobody here knows.
      const lease = await tenures.find(await rootOf(session, actor))
      if (lease !== undefined && lease.holder !== holder) await elsewhere.nudge(lease.holder, session)
    }
    note().catch((error) => {
      if (closed) return
      if (isFirst) parts.report({ doing: `noting that session ${session} was interrupted`, error })
      if (isBanksmanError(error) && error.code.startsWith('store_'))
        clock.after(NOTE_AGAIN_MS, () => noteStop(line, running, input, actor, false))
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

  function refuseClosed(): void {
    if (closed) throw new BanksmanError('closed', 'the agent is closed')
  }

  return {
    async say(saying, actor) {
      person(actor, 'talk to the agent')
      checkMessage(saying)
      refuseClosed()
      const { line, release } = await lines.hold(saying.session, actor, 'write')
      const said = line.queue.then(() => takeWords(line, saying, actor.subject)).finally(release)
      line.queue = said.catch(() => {})
      return said
    },
    async interrupt(session, input, actor) {
      person(actor, 'interrupt the agent')
      const line = lines.get(session)
      const running = line?.running
      if (line === undefined || running === undefined) return stopElsewhere(session, input, actor)
      if (line.actor.subject !== actor.subject && actor.role !== 'admin') throw notYourSession(session)
      const stopped = stopHere(line, running, input, actor)
      noteStop(line, running, input, actor)
      await stopped
      return true
    },
    async *events(session, { after, signal }, actor) {
      refuseClosed()
      const { line, release } = await lines.hold(session, actor, 'read')
      try {
        const { leave } = await elsewhere.follow(line)
        try {
          yield* followSession(line, { after, signal, isClosed: () => closed, now: clock.now })
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
      const line = lines.get(session)
      const isTheirs = line?.actor.subject === actor.subject || actor.role === 'admin'
      if (line?.running !== undefined) return isTheirs ? line.running.turn : undefined
      const lease = await tenures.find(session)
      // Our own that is still to be given back is of a turn that is over.
      if (lease === undefined || lease.holder === holder) return undefined
      const { owner } = await gateway.session(session, actor)
      return owner === actor.subject || actor.role === 'admin' ? leasedTurn(lease) : undefined
    },
    resume: takeOver.start,
    describe: () => ({
      name: settings.name,
      model: parts.model.name,
      tools: [...parts.tools.list(), ...brought.values()].map(({ tool, definition, providedBy }) => ({
        name: tool.name,
        description: definition.description,
        ...defined({ providedBy }),
      })),
    }),
    async close() {
      if (closed) return
      closed = true
      takeOver.close()
      elsewhere.close()
      const reason = new BanksmanError(
        'closed',
        'the server is shutting down; the turn goes on when it is back',
      )
      const under = lines.all().flatMap((line) => line.running ?? [])
      for (const running of under) running.controller.abort(reason)
      for (const line of lines.all()) line.book.close()
      const bound = new Promise<void>((resolve) => clock.after(CLOSE_WITHIN_MS, resolve))
      await Promise.race([Promise.allSettled(under.map((running) => running.done)), bound])
      // Those that have not let go by themselves: another process goes on with them.
      await tenures.endAll()
    },
  }
}

function halt(running: RunningTurn, how: Interruption['kind'], why: string): void {
  if (how === 'hard') running.controller.abort(new TurnOver('interrupted', why))
  else running.windingUp = true
}

function whyOf({ by, reason }: { by: string; reason?: string }): string {
  return `${by} interrupted it${reason === undefined ? '' : `: ${reason}`}`
}

function person(actor: Actor, what: string): void {
  if (actor.role === 'agent') throw new BanksmanError('forbidden', `an agent's credential can't ${what}`)
}
