/** A grant in a sentence: who allowed what, where, when and for how long. It is why a call runs that nobody was asked about. */
import type { Grant } from '../../core/grants/grant.ts'

export function grantSentence(grant: Grant, session: string): string {
  const { createdBy, match, createdAt, expiresAt, usesLeft, uses } = grant
  const what = match.kind === 'exact' ? 'exactly this call' : match.words
  const bounds = [
    ...(expiresAt === undefined ? [] : [`until ${momentText(expiresAt)}`]),
    ...(usesLeft === undefined ? [] : [`for ${countText(uses + usesLeft)}`]),
  ]
  return `${createdBy} allowed ${what} ${[whereText(grant, session), ...bounds].join(', ')}, on ${momentText(createdAt)}`
}

function whereText({ session }: Grant, calling: string): string {
  if (session === undefined) return 'in every session'
  return session === calling ? 'in this session' : `in session ${session} and what it starts`
}

function countText(count: number): string {
  return count === 1 ? 'one call' : `${count} calls`
}

/** `2026-11-15 17:20 UTC` */
function momentText(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
