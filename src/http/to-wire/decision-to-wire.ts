/** Votes, decisions and outcomes as they go over the wire. */
import type { GrantTerms } from '../../core/decision.ts'
import type { Outcome } from '../../core/request.ts'
import { durationText } from '../../core/time/duration.ts'
import type { WireRequest } from '../../wire/types/request.ts'
import type { WireGrantTerms } from '../../wire/types/values.ts'
import { maskedReason } from './shown-words.ts'
import { toTime } from './time-to-wire.ts'

export function outcomeToWire(
  { said: _, ...outcome }: Outcome,
  shown: (words: string) => string = maskedReason,
): NonNullable<WireRequest['outcome']> {
  const { summary } = outcome
  return withIsoTime(summary === undefined ? outcome : { ...outcome, summary: shown(summary) })
}

/** The reason is shown to people and handed to agents: hidden characters in it are visible, and a secret is masked. */
export function decisionOrVoteToWire<T extends { at: number; reason?: string; grant?: GrantTerms }>(
  { grant, ...said }: T,
  shown: (words: string) => string = maskedReason,
) {
  const { reason } = said
  return {
    ...withIsoTime(said),
    ...(reason === undefined ? {} : { reason: shown(reason) }),
    ...(grant === undefined ? {} : { grant: grantTermsToWire(grant) }),
  }
}

function withIsoTime<T extends { at: number }>(what: T): Omit<T, 'at'> & { at: string } {
  return { ...what, at: toTime(what.at) }
}

function grantTermsToWire({ expiresInMs, ...terms }: GrantTerms): WireGrantTerms {
  return { ...terms, ...(expiresInMs === undefined ? {} : { expiresIn: durationText(expiresInMs) }) }
}
