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
import type { Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import { createSessionLineage, keepNewest, type SessionMember } from './session-lineage.ts'

export interface SessionSteering {
  /** A later call need not say again what started its session, which may not be in the store yet. */
  withParent(session: Session | undefined, call: PreparedCall): PreparedCall
  memberOf(
    session: Session | undefined,
    call: { session: string; parentSession?: string | undefined },
  ): Promise<SessionMember>
  /** What an evaluation must know of the session, read only where a program of the call would be steered. */
  contextFor(
    member: SessionMember,
    mode: string | undefined,
    steering: CallSteering,
  ): Promise<EvaluationContext>
  /** Resolves when it is committed that the session may have written files of these groups. */
  noteWrites(member: SessionMember, groups: readonly string[]): Promise<void>
}

/** Deeper than agents nest. A session that has more above it counts as if all had been written. */
const MAX_ANCESTORS = 32
/** What such a session writes counts for those above it all the same. With more than this nothing is let through. */
const MAX_FOLLOWED = 1000
/** Each try that loses has seen another group added, of which there are some thirty. */
const MAX_TRIES = 100

export function createSessionSteering({
  store,
  host,
}: {
  store: Pick<Store, 'settings' | 'sessions'>
  host: Pick<Host, 'report'>
}): SessionSteering {
  /** What sessions may have written, as far as it is known here. */
  const steered = new Map<string, ReadonlySet<string>>()
  const lineage = createSessionLineage(store)

  function withParent(session: Session | undefined, call: PreparedCall): PreparedCall {
    const parentSession = call.parentSession ?? lineage.startedBy(call.session)
    return session !== undefined || parentSession === undefined ? call : { ...call, parentSession }
  }

  async function memberOf(
    session: Session | undefined,
    call: { session: string; parentSession?: string | undefined },
  ): Promise<SessionMember> {
    if (session !== undefined) return session
    const { session: id, parentSession } = call
    if (parentSession !== undefined && lineage.startedBy(id) !== parentSession)
      await beginUnder(id, parentSession)
    return { id, parent: lineage.startedBy(id) }
  }

  /** Its own children may have been at work before it said who started it: what they wrote counts above it from now on. */
  async function beginUnder(id: string, parent: string): Promise<void> {
    await lineage.noteStart(id, parent)
    await noteWrites({ id, parent }, [...(await read(id))])
  }

  async function contextFor(
    member: SessionMember,
    mode: string | undefined,
    { reads }: CallSteering,
  ): Promise<EvaluationContext> {
    const context = mode === undefined ? {} : { mode }
    return reads.length === 0 ? context : { ...context, steered: await steeredIn(member, reads) }
  }

  /** Those of the groups that may have been written. Where the store can't say, all of them. */
  async function steeredIn(member: SessionMember, groups: readonly string[]): Promise<ReadonlySet<string>> {
    try {
      const sessions = await lineage.of(member, MAX_ANCESTORS)
      if (sessions === undefined) return new Set(groups)
      const found = await Promise.all(sessions.map((id) => read(id)))
      return new Set(found.flatMap((each) => [...each]).filter((group) => groups.includes(group)))
    } catch (error) {
      host.report({ doing: 'reading what a session may have written', error })
      return new Set(groups)
    }
  }

  async function noteWrites(member: SessionMember, groups: readonly string[]): Promise<void> {
    if (groups.length === 0) return
    let top = await topOf(member)
    const known = steered.get(top)
    if (known !== undefined && groups.every((group) => known.has(group))) return
    // Meanwhile the top may have said that another session started it, and have found nothing to hand on.
    for (let noted: string | undefined; noted !== top; top = await topOf(member)) {
      await addTo(top, groups)
      noted = top
    }
  }

  async function topOf(member: SessionMember): Promise<string> {
    const top = (await lineage.of(member, MAX_FOLLOWED))?.at(-1)
    if (top !== undefined) return top
    throw new BanksmanError(
      'invalid_call',
      `session ${JSON.stringify(member.id)} was started by more than ${MAX_FOLLOWED} sessions, one after the other; start it higher up`,
    )
  }

  async function addTo(top: string, groups: readonly string[]): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const before = await store.settings.get(keyOf(top))
      const all = new Set([...groupsIn(before), ...groups])
      if (await store.settings.change(keyOf(top), before, [...all].sort())) {
        keepNewest(steered, top, all)
        return
      }
    }
    throw new BanksmanError(
      'internal',
      `what session ${JSON.stringify(top)} may have written changed ${MAX_TRIES} times while it was being written down`,
    )
  }

  async function read(id: string): Promise<ReadonlySet<string>> {
    const groups = groupsIn(await store.settings.get(keyOf(id)))
    if (groups.size > 0) keepNewest(steered, id, groups)
    return groups
  }

  return { withParent, memberOf, contextFor, noteWrites }
}

function groupsIn(value: JsonValue | undefined): Set<string> {
  return new Set(Array.isArray(value) ? value.filter((group) => typeof group === 'string') : [])
}

function keyOf(session: string): string {
  return `steered/${session}`
}
