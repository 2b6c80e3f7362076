/** A grant in a sentence: who allowed what, where, when and for how long. It is why a call runs that nobody was asked about. */
import type { Grant } from '../../core/grants/grant.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'

export function grantReason(grants: readonly Grant[], session: string): Reason {
  const each = grants.map((grant) => oneGrant(grant, session))
  return reasonOf('allow.granted', { grants: each.length === 1 ? each[0]! : each })
}

function oneGrant(grant: Grant, session: string): Reason {
  const { createdBy: by, match, createdAt } = grant
  const what =
    match.kind === 'exact'
      ? reasonOf('grant.this-call')
      : (match.reason ?? reasonOf('written', { words: match.words }))
  return reasonOf('granted', {
    by,
    what,
    where: bounded(grant, whereOf(grant, session)),
    at: momentText(createdAt),
  })
}

function whereOf({ session }: Grant, calling: string): Reason {
  if (session === undefined) return reasonOf('granted.always')
  return session === calling ? reasonOf('granted.session') : reasonOf('granted.sessions', { session })
}

function bounded({ expiresAt, usesLeft, uses }: Grant, where: Reason): Reason {
  const until =
    expiresAt === undefined ? where : reasonOf('granted.until', { where, until: momentText(expiresAt) })
  if (usesLeft === undefined) return until
  const count = uses + usesLeft
  return count === 1
    ? reasonOf('granted.once', { where: until })
    : reasonOf('granted.times', { where: until, count })
}

/** `2026-11-15 17:20 UTC` */
function momentText(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
