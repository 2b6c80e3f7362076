/**
 * The log of one session, as its agent holds it: everything that was kept, read once, and appended to. There is one writer a
 * session; should another process write too, this one notices at its next word and stops, rather than do things twice.
 */
import type { TurnEntry } from '../../core/conversation.ts'
import { BanksmanError } from '../../core/errors.ts'
import { canonicalize, type JsonValue } from '../../core/json.ts'
import type { Actor } from '../../core/session.ts'
import type { Gateway } from '../../gateway/gateway.ts'

export interface TurnLog {
  readonly entries: readonly TurnEntry[]
  append(entry: TurnEntry): Promise<void>
  /** Those of one turn, from its beginning. */
  of(turn: string): TurnEntry[]
  /** After a store that could not say whether it had written: looks whether it has. */
  reconcile(): Promise<void>
  /** About how long it is. */
  characters(): number
  /** The turn that has begun and not ended. */
  unfinished(): string | undefined
  /** `t1`, `t2`, … */
  nextTurn(): string
}

/** Another process writes in the session, too. */
export class SessionLost extends Error {
  constructor(session: string) {
    super(`session ${JSON.stringify(session)} is being worked on by another process; this one stops`)
    this.name = 'SessionLost'
  }
}

const PAGE = 500

/** For a session that nobody has said anything in, an empty one. */
export async function openTurnLog(
  gateway: Pick<Gateway, 'turns'>,
  session: { id: string; parent?: string },
  actor: Actor,
): Promise<TurnLog> {
  const entries: TurnEntry[] = []
  for (;;) {
    const page = await readPage(gateway, session.id, entries.length, actor)
    entries.push(...page)
    if (page.length < PAGE) break
  }
  let characters = entries.reduce((sum, entry) => sum + sizeOf(entry), 0)
  let queue = Promise.resolve()
  let doubtful: TurnEntry | undefined

  async function write(entry: TurnEntry): Promise<void> {
    doubtful = entry
    const won = await gateway.turns.append(
      {
        session: session.id,
        ...(session.parent === undefined ? {} : { parentSession: session.parent }),
        at: entries.length,
        turn: entry as unknown as JsonValue,
        unfinished: entry.kind !== 'ended',
      },
      actor,
    )
    doubtful = undefined
    if (!won) throw new SessionLost(session.id)
    entries.push(entry)
    characters += sizeOf(entry)
  }

  return {
    entries,
    // One after the other: the place of each is the length at that moment.
    append(entry) {
      const done = queue.then(() => write(entry))
      queue = done.catch(() => {})
      return done
    },
    of: (turn) => entries.filter((entry) => entry.kind !== 'erased' && entry.turn === turn),
    async reconcile() {
      if (doubtful === undefined) return
      const [found, ...more] = await readPage(gateway, session.id, entries.length, actor)
      if (more.length > 0 || (found !== undefined && !isSame(found, doubtful)))
        throw new SessionLost(session.id)
      doubtful = undefined
      if (found !== undefined) entries.push(found)
    },
    characters: () => characters,
    unfinished() {
      const last = entries.findLast((entry) => entry.kind !== 'erased')
      return last === undefined || last.kind === 'ended' ? undefined : last.turn
    },
    nextTurn: () => `t${entries.filter((entry) => entry.kind === 'begun').length + erasedTurns(entries) + 1}`,
  }
}

function isSame(one: TurnEntry, other: TurnEntry): boolean {
  return canonicalize(one) === canonicalize(other)
}

function sizeOf(entry: TurnEntry): number {
  if (entry.kind === 'answered')
    return entry.text.length + entry.calls.reduce((sum, call) => sum + call.argumentsText.length, 0)
  return 'text' in entry ? entry.text.length : 0
}

async function readPage(
  gateway: Pick<Gateway, 'turns'>,
  session: string,
  after: number,
  actor: Actor,
): Promise<TurnEntry[]> {
  try {
    const page = await gateway.turns.read(session, { after, limit: PAGE }, actor)
    return page.map((turn) => (turn === null ? { kind: 'erased' } : (turn as unknown as TurnEntry)))
  } catch (error) {
    if (after === 0 && error instanceof BanksmanError && error.code === 'unknown_id') return []
    throw error
  }
}

/** Their numbers must not come up again: call ids are made of them. Each entry may have been the beginning of one. */
function erasedTurns(entries: readonly TurnEntry[]): number {
  return entries.filter((entry) => entry.kind === 'erased').length
}
