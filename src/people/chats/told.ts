/** What somebody is told who has acted: what was recorded, or why nothing was. */
import type { Decision, DecisionKind, Vote } from '../../core/decision.ts'
import { type BanksmanError, type ErrorCode, isBanksmanError } from '../../core/errors.ts'
import type { Request, RequestState } from '../../core/request.ts'
import { sayDeciders } from '../../display/words/deciders.ts'
import { sayDecided, sayRecorded } from '../../display/words/decisions.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import { sayState } from '../../display/words/request-states.ts'
import { type ChatWords, chatWords } from './card/words.ts'

export interface ToldWords {
  text: string
  /** They have to see it: it isn't what they wanted. */
  isAlert: boolean
}

export function sayResult(
  { request, decided }: { request: Request; decided: boolean },
  decision: DecisionKind,
  locale: Locale,
): ToldWords {
  if (!decided) return { text: chatWords(locale).told.voted, isAlert: false }
  return { text: sayRecorded(decision, locale, request.kind), isAlert: false }
}

/** Undefined for what isn't theirs to know or can't be told yet: faults of the store and of our own. */
export function sayRefusal(error: unknown, locale: Locale): ToldWords | undefined {
  if (!isBanksmanError(error) || isFaultOfOurs(error)) return undefined
  const { told } = chatWords(locale)
  const named = CODES[error.code]
  if (named !== undefined) return alert(told[named] as string)
  const { state, ...decided } = error.details as Decided & { state?: RequestState }
  if (state === undefined || state === 'pending') return alert(told.failed)
  return sayOver(state, decided, locale)
}

interface Decided {
  decision?: Decision
  votes?: Vote[]
}

/** For who comes too late. */
export function sayOver(state: RequestState, { decision, votes }: Decided, locale: Locale): ToldWords {
  const { told } = chatWords(locale)
  if (decision === undefined) return alert(told.over(sayState(state, locale)))
  const by = sayDeciders({ decision, votes }, locale) ?? ''
  return alert(told.decidedBy(by, sayDecided(decision.kind, locale)))
}

/** Something that may work when it is tried again. */
export function isFaultOfOurs({ code }: BanksmanError): boolean {
  return code.startsWith('store_') || code === 'closed' || code === 'internal'
}

export function alert(text: string): ToldWords {
  return { text, isAlert: true }
}

type FixedWords = {
  [K in keyof ChatWords['told']]: ChatWords['told'][K] extends string ? K : never
}[keyof ChatWords['told']]

const CODES: Partial<Record<ErrorCode, FixedWords>> = {
  unlinked_account: 'unlinked',
  not_yours: 'notYours',
  forbidden: 'notYours',
  approve_elsewhere: 'elsewhere',
  uncover_first: 'elsewhere',
  digest_mismatch: 'changed',
  stale_action: 'changed',
  expired: 'expired',
  unknown_id: 'unknownCard',
}
