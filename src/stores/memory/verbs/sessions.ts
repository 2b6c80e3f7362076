/** Sessions in memory. */
import type { Session } from '../../../core/session.ts'
import { readCursor } from '../../cursor.ts'
import type { SessionDraft, SessionVerbs } from '../../store.ts'
import type { Applier } from '../tables/applier.ts'
import { frozenCopy } from '../tables/frozen-copy.ts'
import { pageOf } from '../tables/page.ts'
import { createSortedIndex } from '../tables/sorted-index.ts'
import type { MemoryJournal } from './journal.ts'

export interface MemorySessions extends SessionVerbs {
  find(id: string): Session | undefined
  /** Whether the caller may use the session, and whether it has to be made first. */
  admit(draft: SessionDraft): 'open' | 'new' | 'session_ended' | 'not_yours'
  /** Inside a write. */
  create(draft: SessionDraft, at: number): void
  end(id: string, ended: NonNullable<Session['ended']>): void
  /** The sessions that this one has started and that have not ended. */
  openChildren(id: string): string[]
}

export function createSessions(applier: Applier, journal: MemoryJournal): MemorySessions {
  const sessions = new Map<string, Session>()
  const byAge = createSortedIndex<string>()
  const children = new Map<string, string[]>()

  function family(id: string): Session[] {
    const ids = new Set([id])
    // A set is walked in the order in which it grows, and takes nobody twice: a circle of parents ends here.
    for (const each of ids) for (const child of children.get(each) ?? []) ids.add(child)
    return [...ids].flatMap((each) => sessions.get(each) ?? [])
  }

  function* olderThan(at: number, id: string, owner: string | undefined): Generator<Session, void> {
    for (const each of byAge.before(at, id)) {
      const session = sessions.get(each)!
      if (owner === undefined || session.owner === owner) yield session
    }
  }

  return {
    find: (id) => sessions.get(id),
    admit(draft) {
      const parent = draft.parent === undefined ? undefined : sessions.get(draft.parent)
      const session = sessions.get(draft.id) ?? parent
      if (session === undefined) return 'new'
      if (session.owner !== draft.owner) return 'not_yours'
      if (session.ended !== undefined) return 'session_ended'
      return session.id === draft.id ? 'open' : 'new'
    },
    create({ id, owner, ownerRole, parent }, at) {
      const session: Session = { id, owner, ownerRole, createdAt: at }
      if (parent !== undefined) session.parent = parent
      const mode = parent === undefined ? undefined : sessions.get(parent)?.mode
      if (mode !== undefined) session.mode = mode
      sessions.set(id, frozenCopy(session))
      byAge.add(at, id, id)
      if (parent === undefined) return
      const siblings = children.get(parent)
      if (siblings === undefined) children.set(parent, [id])
      else siblings.push(id)
    },
    end(id, ended) {
      const session = sessions.get(id)
      if (session !== undefined && session.ended === undefined)
        sessions.set(id, frozenCopy({ ...session, ended }))
    },
    openChildren: (id) =>
      (children.get(id) ?? []).filter((child) => sessions.get(child)?.ended === undefined),
    get: (id) => applier.read(() => sessions.get(id)),
    getAll: (ids) => applier.read(() => [...new Set(ids)].flatMap((id) => sessions.get(id) ?? [])),
    list: (query) =>
      applier.read(() => {
        const [at, id] = readCursor<[number, string]>(query.cursor, [Number.MAX_SAFE_INTEGER, ''])
        const older = olderThan(at, id, query.owner)
        return pageOf(older, query.limit, (session) => [session.createdAt, session.id])
      }),
    family: (id) => applier.read(() => family(id)),
    setMode: (id, mode, entry) =>
      applier.write(() => {
        const session = sessions.get(id)
        if (session === undefined) return false
        sessions.set(id, frozenCopy({ ...session, mode }))
        journal.add(entry)
        return true
      }),
  }
}
