/**
 * What calls of a session may have written without a person: groups of files that steer programs. It only ever grows, and
 * is kept in the store under the session that all others of the lineage come from, so that a child's write counts for its
 * parents and siblings, on every node and after a restart. A group is committed before the call is let through that may
 * write it; those that are known here already cost nothing. What started a new session is committed before its first call
 * is judged: the session itself is written behind, and another node must not take it for a top meanwhile.
 */
import type { PreparedCall } from '../../core/call.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json/json.ts'
import type { Session } from '../../core/session.ts'
import type { CallSteering, EvaluationContext } from '../../policy/policy.ts'
import type { GatewayContext } from '../requests/change-request.ts'

/** A session, which may not be in the store yet, and the one that it says it was started by. */
export interface SessionMember {
  id: string
  parent?: string | undefined
}

/** Deeper than agents nest. A session that has more above it counts as if all had been written. */
const MAX_ANCESTORS = 32
/** What such a session writes counts for those above it all the same. With more than this nothing is let through. */
const MAX_FOLLOWED = 1000
/** More than are at work at a time; the rest are read again. */
const MAX_REMEMBERED = 10_000
/** Each try that loses has seen another group added, of which there are some thirty. */
const MAX_TRIES = 100

/** A later call need not say again what started its session, which may not be in the store yet. */
export function withParentSession(
  hall: GatewayContext,
  session: Session | undefined,
  call: PreparedCall,
): PreparedCall {
  const parentSession = call.parentSession ?? hall.startedBy.get(call.session)
  return session !== undefined || parentSession === undefined ? call : { ...call, parentSession }
}

export async function sessionMemberOf(
  hall: GatewayContext,
  session: Session | undefined,
  call: { session: string; parentSession?: string | undefined },
): Promise<SessionMember> {
  if (session !== undefined) return session
  const { session: id, parentSession } = call
  if (parentSession !== undefined && hall.startedBy.get(id) !== parentSession)
    await beginUnder(hall, id, parentSession)
  return { id, parent: hall.startedBy.get(id) }
}

/** Its own children may have been at work before it said who started it: what they wrote counts above it from now on. */
async function beginUnder(hall: GatewayContext, id: string, parent: string): Promise<void> {
  const first = await hall.store.settings.get(startKeyOf(id))
  if (first === undefined && !(await hall.store.settings.change(startKeyOf(id), undefined, parent)))
    return beginUnder(hall, id, parent)
  if (first !== undefined && first !== parent)
    throw new BanksmanError(
      'call_conflict',
      `session ${JSON.stringify(id)} was started by ${JSON.stringify(first)}; that can't change`,
    )
  keep(hall.startedBy, id, parent)
  await noteSteeringWrites(hall, { id, parent }, [...(await read(hall, id))])
}

/** What an evaluation must know of the session, read only where a program of the call would be steered. */
export async function evaluationContextFor(
  hall: GatewayContext,
  member: SessionMember,
  mode: string | undefined,
  { reads }: CallSteering,
): Promise<EvaluationContext> {
  const context = mode === undefined ? {} : { mode }
  return reads.length === 0 ? context : { ...context, steered: await steeredIn(hall, member, reads) }
}

/** Those of the groups that may have been written. Where the store can't say, all of them. */
async function steeredIn(
  hall: GatewayContext,
  member: SessionMember,
  groups: readonly string[],
): Promise<ReadonlySet<string>> {
  try {
    const lineage = await lineageOf(hall, member, MAX_ANCESTORS)
    if (lineage === undefined) return new Set(groups)
    const found = await Promise.all(lineage.map((id) => read(hall, id)))
    return new Set(found.flatMap((each) => [...each]).filter((group) => groups.includes(group)))
  } catch (error) {
    hall.report({ doing: 'reading what a session may have written', error })
    return new Set(groups)
  }
}

/** Resolves when it is committed that the session may have written files of these groups. */
export async function noteSteeringWrites(
  hall: GatewayContext,
  member: SessionMember,
  groups: readonly string[],
): Promise<void> {
  if (groups.length === 0) return
  let top = await topOf(hall, member)
  const known = hall.steered.get(top)
  if (known !== undefined && groups.every((group) => known.has(group))) return
  // Meanwhile the top may have said that another session started it, and have found nothing to hand on.
  for (let noted: string | undefined; noted !== top; top = await topOf(hall, member)) {
    await addTo(hall, top, groups)
    noted = top
  }
}

async function topOf(hall: GatewayContext, member: SessionMember): Promise<string> {
  const top = (await lineageOf(hall, member, MAX_FOLLOWED))?.at(-1)
  if (top !== undefined) return top
  throw new BanksmanError(
    'invalid_call',
    `session ${JSON.stringify(member.id)} was started by more than ${MAX_FOLLOWED} sessions, one after the other; start it higher up`,
  )
}

async function addTo(hall: GatewayContext, top: string, groups: readonly string[]): Promise<void> {
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

/** The session, its parent and so on; undefined where there are more than `max`. Once it is committed it never changes. */
async function lineageOf(
  hall: GatewayContext,
  member: SessionMember,
  max: number,
): Promise<string[] | undefined> {
  const lineage = [member.id]
  const seen = new Set(lineage)
  for (let above = member.parent ?? (await startOf(hall, member.id)); above !== undefined; ) {
    // A circle of sessions that name each other has no top: the least of them stands for all.
    if (seen.has(above)) return [...lineage, lineage.slice(lineage.indexOf(above)).toSorted()[0]!]
    if (lineage.length > max) return undefined
    lineage.push(above)
    seen.add(above)
    above = await parentOf(hall, above)
  }
  return lineage
}

async function parentOf(hall: GatewayContext, id: string): Promise<string | undefined> {
  return (await hall.store.sessions.get(id))?.parent ?? startOf(hall, id)
}

/** A later call of the session, which does not say it again, may have been written first: so this holds too. */
async function startOf(hall: GatewayContext, id: string): Promise<string | undefined> {
  const parent = hall.startedBy.get(id) ?? (await hall.store.settings.get(startKeyOf(id)))
  if (typeof parent !== 'string') return undefined
  keep(hall.startedBy, id, parent)
  return parent
}

async function read(hall: GatewayContext, id: string): Promise<ReadonlySet<string>> {
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

function startKeyOf(session: string): string {
  return `started-by/${session}`
}
