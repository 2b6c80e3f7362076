/**
 * The sessions that this process works on. A line is there as long as somebody holds it, listens to it or a turn runs in it;
 * idle ones are kept for a while, few and small, because the next word often comes soon.
 */
import { defined } from '../../core/defined.ts'
import { BanksmanError, isBanksmanError } from '../../core/errors.ts'
import type { Actor, Session } from '../../core/session.ts'
import { createEventBook } from './event-book.ts'
import type { Line } from './line.ts'
import { type KeptEntry, openTurnLog } from './turn-log.ts'
import type { AgentParts } from './turn-state.ts'

export interface LineBook {
  /** The session as this actor may use it; `write`: as its owner. It is not let go of before `release`. */
  hold(id: string, actor: Actor, use: 'read' | 'write'): Promise<{ line: Line; release(): void }>
  open(about: NewLine): Promise<Line>
  get(id: string): Line | undefined
  set(line: Line): void
  /** What is held here is no longer true, or no longer needed. */
  drop(line: Line): void
  all(): Line[]
  /** Whether the one was started by the other, however far up. */
  isBelow(line: Line, session: string): boolean
}

export type NewLine = Pick<Line, 'session' | 'parent' | 'actor' | 'agent' | 'instructions'> & {
  book?: Line['book']
}

const MAX_IDLE = 100
/** A conversation that is longer than this is read again when it goes on. */
const MAX_IDLE_CHARACTERS = 256 * 1024

export interface LineBookParts extends Pick<AgentParts, 'gateway' | 'clock' | 'settings'> {
  /** This process, in the ids of events. */
  holder: string
  /** Told of what other processes have written in a session. */
  hear: (line: Line, entries: readonly KeptEntry[]) => void
}

export function createLineBook({ gateway, clock, settings, holder, hear }: LineBookParts): LineBook {
  const lines = new Map<string, Line>()

  async function find(id: string, actor: Actor, use: 'read' | 'write'): Promise<Session | undefined> {
    const found = await gateway.session(id, actor).catch((error) => {
      if (isBanksmanError(error, 'unknown_id')) return undefined
      throw error
    })
    if (found === undefined && use === 'read') throw unknownSession(id)
    if (found === undefined) return undefined
    if (found.owner !== actor.subject && use === 'write') throw notYours(id)
    if (found.owner !== actor.subject && actor.role !== 'admin') throw unknownSession(id)
    if (found.parent !== undefined && use === 'write') {
      const parent = JSON.stringify(found.parent)
      throw new BanksmanError(
        'invalid',
        `session ${JSON.stringify(id)} is a task of ${parent}; talk to the agent there`,
      )
    }
    return found
  }

  async function open(about: NewLine): Promise<Line> {
    const { session, parent, actor } = about
    const of = { id: session, ...defined({ parent }) }
    const log = await openTurnLog(gateway, of, actor, (entries) => hear(line, entries))
    const book = about.book ?? createEventBook(clock.now, holder)
    const rest = { running: undefined, awaited: new Map(), holders: 0, queue: Promise.resolve() }
    const line: Line = { ...about, book, log, ...rest }
    return line
  }

  function isIdle(line: Line): boolean {
    return line.running === undefined && line.holders === 0
  }

  function forgetIdle(): void {
    const idle = [...lines.values()].filter(isIdle)
    const tooMany = idle.slice(0, Math.max(0, idle.length - MAX_IDLE))
    for (const line of [...tooMany, ...idle.filter(({ log }) => log.characters() > MAX_IDLE_CHARACTERS)])
      lines.delete(line.session)
  }

  return {
    async hold(id, actor, use) {
      const found = await find(id, actor, use)
      let line = lines.get(id)
      if (line === undefined) {
        const opened = await open({
          session: id,
          parent: found?.parent,
          actor: found === undefined ? { ...actor, via: 'agent' } : ownerOf(found),
          agent: { name: settings.name },
          instructions: settings.instructions,
        })
        // Somebody else may have been faster.
        line = lines.get(id) ?? opened
        lines.set(id, line)
      }
      const held = line
      held.holders++
      return {
        line: held,
        release() {
          held.holders--
          forgetIdle()
        },
      }
    },
    open,
    get: (id) => lines.get(id),
    set: (line) => void lines.set(line.session, line),
    drop(line) {
      if (lines.get(line.session) === line) lines.delete(line.session)
    },
    all: () => [...lines.values()],
    isBelow(line, session) {
      for (let each: Line | undefined = line; each?.parent !== undefined; each = lines.get(each.parent)) {
        if (each.parent === session) return true
      }
      return false
    },
  }
}

/** The session's owner, as whom its agent acts. */
export function ownerOf({ owner, ownerRole }: Session): Actor {
  return { subject: owner, role: ownerRole, via: 'agent' }
}

export function notYours(id: string): BanksmanError {
  return new BanksmanError(
    'not_yours',
    `session ${JSON.stringify(id)} belongs to someone else; use a session id of your own`,
  )
}

function unknownSession(id: string): BanksmanError {
  return new BanksmanError('unknown_id', `there is no session ${JSON.stringify(id)}`)
}
