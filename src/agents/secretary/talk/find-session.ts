/** The session that somebody means: by its id, the beginning of one, or the name of its folder. Only among those they may use. */
import { basename } from 'node:path'
import type { CodingSession, Secretary } from '../../../core/secretary.ts'
import type { Actor } from '../../../core/session.ts'

export type FoundSession =
  | { kind: 'one'; session: CodingSession }
  | { kind: 'none' }
  | { kind: 'several'; sessions: readonly CodingSession[] }

/** A shorter beginning of an id is a mistake more often than not. */
const LEAST = 4

export async function findSession(
  secretary: Pick<Secretary, 'list'>,
  written: string,
  actor: Actor,
): Promise<FoundSession> {
  const all = await secretary.list({ closed: true, ...(actor.role === 'admin' ? { all: true } : {}) }, actor)
  const usable = all.filter(({ state }) => state !== 'ended')
  const exact = usable.find(({ id }) => id === written)
  if (exact !== undefined) return { kind: 'one', session: exact }
  const byId = written.length < LEAST ? [] : usable.filter(({ id }) => id.startsWith(written))
  const open = usable.filter(({ state }) => state !== 'closed')
  const isIn = ({ folder }: CodingSession) => folder === written || basename(folder) === written
  const byFolder = open.filter(isIn)
  const found = byId.length > 0 ? byId : byFolder.length > 0 ? byFolder : usable.filter(isIn)
  if (found.length === 1) return { kind: 'one', session: found[0]! }
  return found.length === 0 ? { kind: 'none' } : { kind: 'several', sessions: found }
}
