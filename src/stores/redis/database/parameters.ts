/** Things as the parameters of scripts, in the order in which the pieces of the scripts read them. */
import type { Grant } from '../../../core/grants/grant.ts'
import { isFinal, STATES } from '../../../core/request.ts'
import type { EntryDraft } from '../../../journal/entry.ts'
import type { CallRecord, Change, SessionDraft, Token } from '../../store.ts'

/** Absent is an empty text; what is there has a mark before it, because it may be empty too. */
export function optional(value: string | number | undefined): string {
  return value === undefined ? '' : `+${value}`
}

/** Above this nothing comes to its end, and sums with the time keep their 16 digits. */
const LONGEST_MS = 1e15

export function milliseconds(value: number): string {
  if (Number.isNaN(value)) throw new RangeError('a time in milliseconds must be a number')
  return String(Math.min(value, LONGEST_MS))
}

export function counted(items: readonly string[]): string[] {
  return [String(items.length), ...items]
}

export function entryParameters({ chain, type, request, version, body, follows = 0 }: EntryDraft): string[] {
  return [chain, type, optional(request), optional(version), body, String(follows)]
}

export function entriesParameters(entries: readonly EntryDraft[]): string[] {
  return [String(entries.length), ...entries.flatMap(entryParameters)]
}

export function sessionParameters({ id, owner, ownerRole, parent }: SessionDraft): string[] {
  return [id, owner, ownerRole, optional(parent)]
}

export function callParameters(call: CallRecord): string[] {
  const { session, callId, verdict, digest, because, createdAt, bytes, commitmentKey, hold, ...rest } = call
  const kept = JSON.stringify({ session, callId, createdAt, ...rest })
  return [
    session,
    callId,
    verdict,
    digest,
    because,
    String(createdAt),
    bytes,
    commitmentKey,
    kept,
    optional(hold?.version),
    optional(hold === undefined ? undefined : JSON.stringify(hold)),
  ]
}

export function changeParameters(change: Change): string[] {
  const { id, version, from, to, progress, deadline, guard, grant, result, entry } = change
  return [
    id,
    String(version),
    from,
    to,
    JSON.stringify(progress),
    deadlineParameter(deadline),
    guard === undefined ? '' : guard === 'before_deadline' ? 'before' : 'after',
    ...(grant === undefined ? ['0'] : ['1', ...grantParameters(grant)]),
    optional(result),
    ...entryParameters(entry),
  ]
}

function deadlineParameter(deadline: Change['deadline']): string {
  if (typeof deadline === 'string') return deadline
  return 'at' in deadline ? `@${milliseconds(deadline.at)}` : milliseconds(deadline.inMs)
}

/** Only what is final is followed. */
export function followingParameters(succeeds: string | undefined): string[] {
  return [optional(succeeds), ...counted(succeeds === undefined ? [] : STATES.filter(isFinal))]
}

function grantParameters(grant: Grant): string[] {
  const { id, tool, session, expiresAt, usesLeft, uses, revoked: _, ...rest } = grant
  const kept = JSON.stringify(rest)
  return [id, tool, optional(session), optional(expiresAt), optional(usesLeft), String(uses), kept]
}

export function tokenParameters(token: Token): string[] {
  return [token.id, token.secretHash, token.use, optional(token.expiresAt), JSON.stringify(token)]
}
