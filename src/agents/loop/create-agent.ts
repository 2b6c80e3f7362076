/**
 * Our ReAct agent, as those see it who talk to it. It keeps one line a session, runs one turn at a time in each, and takes up
 * after a restart what was under way.
 */
import type { Origin } from '../../core/call.ts'
import type { Conversations, Said, Saying, TurnEntry } from '../../core/conversation.ts'
import { BanksmanError, isBanksmanError } from '../../core/errors.ts'
import type { Actor, Session } from '../../core/session.ts'
import type { RegisteredTool } from '../tools/tool.ts'
import { createEventBook } from './event-book.ts'
import { followLine } from './follow-line.ts'
import { createTurnState, emit, isOver, type Line, type Running, type TurnStart } from './line.ts'
import { runTurn, type TurnEnd } from './run-turn.ts'
import { createSubAgents } from './sub-agents.ts'
import { openTurnLog } from './turn-log.ts'
import { type AgentParts, TurnOver } from './turn-state.ts'

export interface Agent extends Conversations {
  /** Goes on with every turn that the last process left unfinished, and says with how many. */
  resume(): Promise<number>
}

const MAX_WORDS = 64 * 1024
/** Sessions that nobody listens to and nothing runs in are let go of past this. */
const MAX_IDLE = 200
const CLOSE_WITHIN_MS = 5000
const FIRST_RETRY_MS = 1000
const MAX_RETRY_MS = 60_000

export function createAgent(parts: AgentParts): Agent {
  const { gateway, clock, settings } = parts
  const lines = new Map<string, Line>()
  /** Tools that hooks have added to questions to the model, by name. */
  const brought = new Map<string, RegisteredTool>()
  let closed = false
  const startSubAgent = createSubAgents(parts, { lines, openLine, start })

  /** The session as this actor may use it; `write`: as its owner. */
  async function lineOf(id: string, actor: Actor, use: 'read' | 'write'): Promise<Line> {
    if (closed) throw new BanksmanError('closed', 'the agent is closed')
    const found = await findSession(id, actor)
    if (found === undefined && use === 'read') throw unknownSession(id)
    if (found !== undefined && found.owner !== actor.subject) {
      if (use === 'write')
        throw new BanksmanError(
          'not_yours',
          `session ${JSON.stringify(id)} belongs to someone else; use a session id of your own`,
        )
      if (actor.role !== 'admin') throw unknownSession(id)
    }
    const known = lines.get(id)
    if (known !== undefined) return known
    const owner = found === undefined ? actor : ownerOf(found)
    const line = await openLine({
      session: id,
      parent: found?.parent,
      actor: { ...owner, via: 'agent' },
      agent: { name: settings.name },
      instructions: settings.instructions,
    })
    const raced = lines.get(id)
    if (raced !== undefined) return raced
    forgetIdle()
    lines.set(id, line)
    return line
  }

  async function openLine(
    about: Pick<Line, 'session' | 'parent' | 'actor' | 'agent' | 'instructions'> & { book?: Line['book'] },
  ): Promise<Line> {
    const { session, parent, actor } = about
    const log = await openTurnLog(
      gateway,
      { id: session, ...(parent === undefined ? {} : { parent }) },
      actor,
    )
    const book = about.book ?? createEventBook(clock.now)
    return { ...about, book, log, running: undefined, listeners: 0, queue: Promise.resolve() }
  }

  function forgetIdle(): void {
    if (lines.size < MAX_IDLE) return
    for (const [id, line] of lines) {
      if (line.running === undefined && line.listeners === 0) lines.delete(id)
      if (lines.size < MAX_IDLE / 2) return
    }
  }

  async function findSession(id: string, actor: Actor): Promise<Session | undefined> {
    try {
      return await gateway.session(id, actor)
    } catch (error) {
      if (isBanksmanError(error, 'unknown_id')) return undefined
      throw error
    }
  }

  async function take(line: Line, saying: Saying, by: string): Promise<Said> {
    const { running } = line
    if (running !== undefined && !running.ending) return steer(line, running, saying.text, by)
    await running?.done.catch(() => {})
    if (closed) throw new BanksmanError('closed', 'the agent is closed')
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
      lines.delete(line.session)
      throw error
    }
    emit(parts, line, { turn, shownTurn: turn }, { kind: 'turn_begun', text, by })
    start(line, rootStart(turn, by, origin))
    return { turn, kind: 'begun', after }
  }

  function rootStart(turn: string, by: string, origin: Origin | undefined): TurnStart {
    return {
      turn,
      shownTurn: turn,
      parentTurn: undefined,
      by,
      origin,
      isParentWindingUp: () => false,
      startSubAgent,
    }
  }

  function start(line: Line, about: TurnStart): Running {
    const controller = new AbortController()
    const running: Running = {
      turn: about.turn,
      controller,
      waiting: new Map(),
      windingUp: false,
      ending: false,
      steering: new Set(),
      done: Promise.resolve(undefined),
    }
    line.running = running
    running.done = keepRunning(line, running, about).finally(() => {
      if (line.running === running) line.running = undefined
    })
    // Whoever wants to know listens; nobody has to.
    running.done.catch(() => {})
    return running
  }

  /** A store that can't be reached holds a turn up; it does not end it. */
  async function keepRunning(line: Line, running: Running, about: TurnStart): Promise<TurnEnd | undefined> {
    for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(delayMs * 2, MAX_RETRY_MS)) {
      try {
        const state = createTurnState(parts, line, running, about, (tool) =>
          brought.set(tool.tool.name, tool),
        )
        return await runTurn(state, {
          async settleSteering() {
            await Promise.allSettled(running.steering)
          },
          end() {
            running.ending = true
          },
          withdraw: (reason) => withdraw(line, running, reason),
        })
      } catch (error) {
        const { signal } = running.controller
        if (signal.aborted && !isOver(signal.reason)) return undefined
        parts.report({ doing: `running a turn of session ${line.session}`, error })
        if (!isBanksmanError(error) || !error.code.startsWith('store_')) {
          lines.delete(line.session)
          throw error
        }
        await new Promise<void>((resolve) => {
          clock.after(delayMs, resolve)
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
        running.ending = false
      }
    }
  }

  /** A turn that is over leaves no question behind. */
  async function withdraw(line: Line, running: Running, reason: string, by = line.actor): Promise<void> {
    const ids = [...running.waiting.keys()]
    running.waiting.clear()
    await Promise.all(
      ids.map((id) =>
        gateway.cancel(id, { interrupted: true, reason }, by).catch((error) => {
          if (!isBanksmanError(error, 'not_pending')) parts.report({ doing: `withdrawing ${id}`, error })
        }),
      ),
    )
  }

  async function resumeOne(session: Session): Promise<boolean> {
    const actor = ownerOf(session)
    const line = await lineOf(session.id, actor, 'write')
    const turn = line.log.unfinished()
    const begun = line.log.entries.find((entry) => entry.kind === 'begun' && entry.turn === turn)
    if (turn === undefined || begun?.kind !== 'begun' || line.running !== undefined) return false
    if (begun.task !== undefined) {
      // Whoever started it takes it up again, if they are still at it.
      lines.delete(session.id)
      return false
    }
    emit(
      parts,
      line,
      { turn, shownTurn: turn },
      { kind: 'turn_begun', text: begun.text, by: begun.by, resumed: true },
    )
    start(line, rootStart(turn, begun.by, begun.origin))
    return true
  }

  return {
    async say(saying, actor) {
      if (actor.role === 'agent')
        throw new BanksmanError('forbidden', "an agent's credential can't talk to the agent")
      checkWords(saying.text)
      const line = await lineOf(saying.session, actor, 'write')
      const said = line.queue.then(() => take(line, saying, actor.subject))
      line.queue = said.catch(() => {})
      return said
    },
    async interrupt(session, { kind, reason }, actor) {
      if (actor.role === 'agent')
        throw new BanksmanError('forbidden', "an agent's credential can't interrupt the agent")
      const line = lines.get(session)
      const running = line?.running
      if (line === undefined || running === undefined) return false
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
      for (const each of lines.values()) {
        if (each.running !== undefined && (each === line || isBelow(each, session)))
          await withdraw(each, each.running, why)
      }
      return true
    },
    async *events(session, { after, signal }, actor) {
      const line = await lineOf(session, actor, 'read')
      yield* followLine(line, { after, signal, isClosed: () => closed, now: clock.now })
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
      if (line === undefined || (line.actor.subject !== actor.subject && actor.role !== 'admin'))
        return undefined
      return line.running?.turn
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
      const under = [...lines.values()].flatMap((line) => line.running ?? [])
      for (const running of under) running.controller.abort(reason)
      for (const line of lines.values()) line.book.close()
      const bound = new Promise<void>((resolve) => clock.after(CLOSE_WITHIN_MS, resolve))
      await Promise.race([Promise.allSettled(under.map((running) => running.done)), bound])
    },
  }

  function isBelow(line: Line, session: string): boolean {
    for (let each: Line | undefined = line; each?.parent !== undefined; each = lines.get(each.parent)) {
      if (each.parent === session) return true
    }
    return false
  }
}

function ownerOf({ owner, ownerRole }: Session): Actor {
  return { subject: owner, role: ownerRole, via: 'agent' }
}

function checkWords(text: unknown): void {
  if (typeof text !== 'string' || text.trim() === '')
    throw new BanksmanError('invalid', 'text must be what you want to say to the agent; it is empty')
  if (text.length > MAX_WORDS)
    throw new BanksmanError('too_large', `text is ${text.length} characters long; the limit is ${MAX_WORDS}`)
  if (!text.isWellFormed())
    throw new BanksmanError('invalid', 'text has a lone surrogate, which no UTF-8 can carry')
}

function unknownSession(id: string): BanksmanError {
  return new BanksmanError('unknown_id', `there is no session ${JSON.stringify(id)}`)
}
