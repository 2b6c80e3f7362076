/**
 * What calls of a session may have written without a person: groups of files that steer programs. It only ever grows, and
 * is kept in the store under the session that all others of the lineage come from, so that a child's write counts for its
 * parents and siblings, on every node and after a restart. A group is committed before the call is let through that may
 * write it; those that are known here already cost nothing.
 */
import { BanksmanError } from '../core/errors.ts'
import type { JsonValue } from '../core/json.ts'
import type { Session } from '../core/session.ts'
import type { CallSteering, EvaluationContext } from '../policy/policy.ts'
import type { Hall } from './hall.ts'

/** A session, which may not be in the store yet, and the one that it says it was started by. */
export interface Member {
  id: string
  parent?: string | undefined
}

/** Deeper than agents nest. What is above that is not followed, and such a session counts as if all had been written. */
const MAX_ANCESTORS = 32
/** More than are at work at a time; the rest are read again. */
const MAX_REMEMBERED = 10_000
/** Each try that loses has seen another group added, of which there are some thirty. */
const MAX_TRIES = 100

/** A new session is written behind its first call: until then it is remembered here what started it. */
export function memberOf(
  hall: Hall,
  session: Session | undefined,
  call: { session: string; parentSession?: string | undefined },
): Member {
  if (session !== undefined) return session
  const { session: id, parentSession } = call
  if (parentSession !== undefined) keep(hall.startedBy, id, parentSession)
  return { id, parent: hall.startedBy.get(id) }
}

/** What an evaluation must know of the session, read only where a program of the call would be steered. */
export async function contextFor(
  hall: Hall,
  member: Member,
  mode: string | undefined,
  { reads }: CallSteering,
): Promise<EvaluationContext> {
  const context = mode === undefined ? {} : { mode }
  return reads.length === 0 ? context : { ...context, steered: await steeredIn(hall, member, reads) }
}

/** Those of the groups that may have been written. Where the store can't say, all of them. */
async function steeredIn(
  hall: Hall,
  member: Member,
  groups: readonly string[],
): Promise<ReadonlySet<string>> {
  try {
    const lineage = await lineageOf(hall, member)
    if (lineage === undefined) return new Set(groups)
    const found = await Promise.all(lineage.map((id) => read(hall, id)))
    return new Set(found.flatMap((each) => [...each]).filter((group) => groups.includes(group)))
  } catch (error) {
    hall.report({ doing: 'reading what a session may have written', error })
    return new Set(groups)
  }
}

/** Resolves when it is committed that the session may have written files of these groups. */
export async function noteSteered(hall: Hall, member: Member, groups: readonly string[]): Promise<void> {
  if (groups.length === 0) return
  // Too deep to be followed is steered in any case.
  const top = (await lineageOf(hall, member))?.at(-1)
  if (top === undefined) return
  const known = hall.steered.get(top)
  if (known !== undefined && groups.every((group) => known.has(group))) return
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const before = await hall.store.settings.get(keyOf(top))
    const all = new Set([...groupsIn(before), ...groups])
    if (await hall.store.settings.change(keyOf(top), before, [...all].sort())) {
      keep(hall.steered, top, all)
      return
    }
  }
  throw new BanksmanError(
    'internal',
    `what session ${JSON.stringify(top)} may have written changed ${MAX_TRIES} times while it was being written down`,
  )
}

/** The session, its parent and so on. What a session was started by never changes once it is in the store. */
async function lineageOf(hall: Hall, { id, parent }: Member): Promise<string[] | undefined> {
  const lineage = [id]
  for (let above = parent; above !== undefined; ) {
    // A circle of sessions that name each other has no top: the least of them stands for all.
    const at = lineage.indexOf(above)
    if (at !== -1) return [...lineage, lineage.slice(at).toSorted()[0]!]
    if (lineage.length > MAX_ANCESTORS) return undefined
    lineage.push(above)
    above = (await hall.store.sessions.get(above))?.parent ?? hall.startedBy.get(above)
  }
  return lineage
}

async function read(hall: Hall, id: string): Promise<ReadonlySet<string>> {
  const groups = groupsIn(await hall.store.settings.get(keyOf(id)))
  if (groups.size > 0) keep(hall.steered, id, groups)
  return groups
}

function keep<T>(known: Map<string, T>, id: string, value: T): void {
  known.delete(id)
  known.set(id, value)
  const [oldest] = known.keys()
  if (known.size > MAX_REMEMBERED && oldest !== undefined) known.delete(oldest)
}

function groupsIn(value: JsonValue | undefined): Set<string> {
  return new Set(Array.isArray(value) ? value.filter((group) => typeof group === 'string') : [])
}

function keyOf(session: string): string {
  return `steered/${session}`
}
