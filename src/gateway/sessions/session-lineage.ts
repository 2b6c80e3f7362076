/**
 * Which session started which. What started a new session is committed before its first call is judged: the session itself is
 * written behind, and another node must not take it for a top meanwhile.
 */
import { BanksmanError } from '../../core/errors.ts'
import type { Store } from '../../stores/store.ts'

/** A session, which may not be in the store yet, and the one that it says it was started by. */
export interface SessionMember {
  id: string
  parent?: string | undefined
}

export interface SessionLineage {
  /** What the session was started by, as far as it is known here without asking the store. */
  startedBy(id: string): string | undefined
  /** Resolves when it is committed. Throws where something else started it. */
  noteStart(id: string, parent: string): Promise<void>
  /** The session, its parent and so on; undefined where there are more than `max`. Once it is committed it never changes. */
  of(member: SessionMember, max: number): Promise<string[] | undefined>
}

/** More than are at work at a time; the rest are read again. */
const MAX_REMEMBERED = 10_000

export function createSessionLineage(store: Pick<Store, 'settings' | 'sessions'>): SessionLineage {
  /** By their own word: they may not be in the store yet. */
  const startedBy = new Map<string, string>()

  async function noteStart(id: string, parent: string): Promise<void> {
    const first = await store.settings.get(startKeyOf(id))
    if (first === undefined && !(await store.settings.change(startKeyOf(id), undefined, parent)))
      return noteStart(id, parent)
    if (first !== undefined && first !== parent)
      throw new BanksmanError(
        'call_conflict',
        `session ${JSON.stringify(id)} was started by ${JSON.stringify(first)}; that can't change`,
      )
    keepNewest(startedBy, id, parent)
  }

  async function lineageOf(member: SessionMember, max: number): Promise<string[] | undefined> {
    const lineage = [member.id]
    const seen = new Set(lineage)
    for (let above = member.parent ?? (await startOf(member.id)); above !== undefined; ) {
      // A circle of sessions that name each other has no top: the least of them stands for all.
      if (seen.has(above)) return [...lineage, lineage.slice(lineage.indexOf(above)).toSorted()[0]!]
      if (lineage.length > max) return undefined
      lineage.push(above)
      seen.add(above)
      above = await parentOf(above)
    }
    return lineage
  }

  async function parentOf(id: string): Promise<string | undefined> {
    return (await store.sessions.get(id))?.parent ?? startOf(id)
  }

  /** A later call of the session, which does not say it again, may have been written first: so this holds too. */
  async function startOf(id: string): Promise<string | undefined> {
    const parent = startedBy.get(id) ?? (await store.settings.get(startKeyOf(id)))
    if (typeof parent !== 'string') return undefined
    keepNewest(startedBy, id, parent)
    return parent
  }

  return { startedBy: (id) => startedBy.get(id), noteStart, of: lineageOf }
}

/** The oldest is forgotten first. */
export function keepNewest<T>(known: Map<string, T>, id: string, value: T): void {
  known.delete(id)
  known.set(id, value)
  const [oldest] = known.keys()
  if (known.size > MAX_REMEMBERED && oldest !== undefined) known.delete(oldest)
}

function startKeyOf(session: string): string {
  return `started-by/${session}`
}
