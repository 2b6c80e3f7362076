/**
 * Our ReAct agent, as those see it who talk to it. It keeps one line a session, runs one turn at a time in each, and takes up
 * after a restart what was under way.
 */
import type { Origin } from '../../core/call.ts'
import type { Conversations, Said, Saying, TurnEntry } from '../../core/conversation.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { Actor, Session } from '../../core/session.ts'
import type { RegisteredTool } from '../tools/tool.ts'
import { checkSaying } from './check-saying.ts'
import { followLine } from './follow-line.ts'
import { emit, type Line, type Running, type TurnStart } from './line.ts'
import { createLineBook, notYours, ownerOf } from './line-book.ts'
import { createRunningTurns } from './running-turn.ts'
import { createSubAgents } from './sub-agents.ts'
import { type AgentParts, TurnOver } from './turn-state.ts'

export interface Agent extends Conversations {
  /** Goes on with every turn that the last process left unfinished, and says with how many. */
  resume(): Promise<number>
}

const CLOSE_WITHIN_MS = 5000

export function createAgent(parts: AgentParts): Agent {
  const { gateway, clock, settings } = parts
  const lines = createLineBook(parts)
  /** Tools that hooks have added to questions to the model, by name. */
  const brought = new Map<string, RegisteredTool>()
  const turns = createRunningTurns(parts, lines, (tool) => brought.set(tool.tool.name, tool))
  const subAgents = createSubAgents(parts, { lines, start: turns.start })
  let closed = false

  async function take(line: Line, saying: Saying, by: string): Promise<Said> {
    const { running } = line
    const isOpen = running !== undefined && !running.ending && !running.controller.signal.aborted
    if (isOpen) return steer(line, running, saying.text, by)
    await running?.done.catch(() => {})
    refuseClosed()
    return begin(line, saying, by)
  }

  async function steer(line: Line, running: Running, text: string, by: string): Promise<Said> {
    const { turn } = running
    const after = line.book.lastId(turn)
    const written = line.log.append({ kind: 'steered', turn, at: clock.now(), text, by })
    running.steering.add(written)
    await written.finally(() => running.steering.delete(written))
    emit(parts, line, { turn, shownTurn: turn }, { kind: 'steered', text, by })
    return { turn, kind: 'steered', after }
  }

  async function begin(line: Line, { text, origin }: Saying, by: string): Promise<Said> {
    const turn = line.log.nextTurn()
    const after = line.book.lastId(turn)
    try {
      await line.log.append({
        kind: 'begun',
        turn,
        at: clock.now(),
        text,
        by,
        ...(origin === undefined ? {} : { origin }),
      })
    } catch (error) {
      // Somebody else's by now, or written by another process: what is held here is no longer true.
      lines.drop(line)
      throw error
    }
    emit(parts, line, { turn, shownTurn: turn }, { kind: 'turn_begun', text, by })
    turns.start(line, rootStart(turn, by, origin, false))
    return { turn, kind: 'begun', after }
  }

  function rootStart(turn: string, by: string, origin: Origin | undefined, isResumed: boolean): TurnStart {
    return {
      turn,
      shownTurn: turn,
      parentTurn: undefined,
      by,
      origin,
      isResumed,
      isParentWindingUp: () => false,
      subAgents,
    }
  }

  async function resumeOne(session: Session): Promise<boolean> {
    // A task is taken up again by whoever gave it, if they are still at it.
    if (session.parent !== undefined) return false
    const { line, release } = await lines.hold(session.id, ownerOf(session), 'write')
    try {
      const turn = line.log.unfinished()
      const begun = line.log.entries.find((entry) => entry.kind === 'begun' && entry.turn === turn)
      if (turn === undefined || begun?.kind !== 'begun' || line.running !== undefined) return false
      const { text, by, origin } = begun
      emit(parts, line, { turn, shownTurn: turn }, { kind: 'turn_begun', text, by, resumed: true })
      turns.start(line, rootStart(turn, by, origin, true))
      return true
    } finally {
      release()
    }
  }

  function refuseClosed(): void {
    if (closed) throw new BanksmanError('closed', 'the agent is closed')
  }

  return {
    async say(saying, actor) {
      person(actor, 'talk to the agent')
      checkSaying(saying)
      refuseClosed()
      const { line, release } = await lines.hold(saying.session, actor, 'write')
      const said = line.queue.then(() => take(line, saying, actor.subject)).finally(release)
      line.queue = said.catch(() => {})
      return said
    },
    async interrupt(session, { kind, reason }, actor) {
      person(actor, 'interrupt the agent')
      const line = lines.get(session)
      const running = line?.running
      if (line === undefined || running === undefined) return false
      if (line.actor.subject !== actor.subject && actor.role !== 'admin') throw notYours(session)
      const by = actor.subject
      const why = `${by} interrupted it${reason === undefined ? '' : `: ${reason}`}`
      // First of all it takes effect; telling and recording follow (P5).
      if (kind === 'hard') running.controller.abort(new TurnOver('interrupted', why))
      else running.windingUp = true
      emit(
        parts,
        line,
        { turn: running.turn, shownTurn: running.turn },
        { kind: 'interrupted', how: kind, by, ...(reason === undefined ? {} : { reason }) },
      )
      for (const each of lines.all()) {
        if (each.running !== undefined && (each === line || lines.isBelow(each, session)))
          await turns.withdraw(each, each.running, why, actor)
      }
      return true
    },
    async *events(session, { after, signal }, actor) {
      refuseClosed()
      const { line, release } = await lines.hold(session, actor, 'read')
      try {
        yield* followLine(line, { after, signal, isClosed: () => closed, now: clock.now })
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
      return isTheirs ? line?.running?.turn : undefined
    },
    async resume() {
      let count = 0
      for (const session of await gateway.turns.unfinished()) {
        try {
          if (await resumeOne(session)) count++
        } catch (error) {
          parts.report({ doing: `going on with session ${session.id}`, error })
        }
      }
      return count
    },
    describe: () => ({
      name: settings.name,
      model: parts.model.name,
      tools: [...parts.tools.list(), ...brought.values()].map(({ tool, definition, providedBy }) => ({
        name: tool.name,
        description: definition.description,
        ...(providedBy === undefined ? {} : { providedBy }),
      })),
    }),
    async close() {
      if (closed) return
      closed = true
      const reason = new BanksmanError(
        'closed',
        'the server is shutting down; the turn goes on when it is back',
      )
      const under = lines.all().flatMap((line) => line.running ?? [])
      for (const running of under) running.controller.abort(reason)
      for (const line of lines.all()) line.book.close()
      const bound = new Promise<void>((resolve) => clock.after(CLOSE_WITHIN_MS, resolve))
      await Promise.race([Promise.allSettled(under.map((running) => running.done)), bound])
    },
  }
}

function person(actor: Actor, what: string): void {
  if (actor.role === 'agent') throw new BanksmanError('forbidden', `an agent's credential can't ${what}`)
}
