/** How long and how far an approval holds, while somebody chooses: what is chosen, and what of it goes into the decision. */

import type { DecisionInput, GrantScope } from '../../../../src/client/index.ts'
import { defined } from '../../../../src/core/defined.ts'
import { GRANT_SCOPES } from '../../../../src/core/verdict.ts'

/** What is offered at first sight, from narrow to wide. `times` and `hour` are bounds on one of the scopes. */
export type GrantSpan = 'once' | 'times' | 'hour' | 'session' | 'always'

export type GrantReach = Exclude<GrantScope, 'once'>

export interface GrantDraft {
  span: GrantSpan
  where: GrantReach
  /** Empty: without an end. */
  expiresIn: GrantDuration | ''
  /** As it was typed; empty: any number. */
  uses: string
  /** The id of a suggestion; empty: exactly this call. */
  suggestion: string
  /** What that lets through, in words. */
  what: string
  withSubSessions: boolean
}

export const DURATIONS = ['15m', '1h', '8h', '1d', '7d', '30d'] as const

export type GrantDuration = (typeof DURATIONS)[number]

export const GRANT_ONCE: GrantDraft = {
  span: 'once',
  where: 'session',
  expiresIn: '',
  uses: '',
  suggestion: '',
  what: '',
  withSubSessions: false,
}

const MOST_USES = 1_000_000

/** The places in which a grant may hold, the narrow one first. */
export function grantReachesOf(scopes: readonly GrantScope[]): GrantReach[] {
  return GRANT_SCOPES.filter((where) => scopes.includes(where))
}

/** Approving leaves nothing behind unless somebody says so: `once` is always there. */
export function grantSpansOf(scopes: readonly GrantScope[]): GrantSpan[] {
  const wheres = grantReachesOf(scopes)
  return ['once', ...(wheres.length === 0 ? [] : (['times', 'hour'] as const)), ...wheres]
}

/** The narrowest that the words can mean. */
export function chooseGrantSpan(
  span: GrantSpan,
  scopes: readonly GrantScope[],
  before: GrantDraft = GRANT_ONCE,
): GrantDraft {
  const [narrowest] = grantReachesOf(scopes)
  if (span === 'once' || narrowest === undefined) return GRANT_ONCE
  const { suggestion, what } = before
  const which = { suggestion, what }
  if (span === 'hour') return { ...GRANT_ONCE, span, where: narrowest, ...which, expiresIn: '1h' }
  if (span === 'times') return { ...GRANT_ONCE, span, where: narrowest, ...which, uses: '5' }
  return { ...GRANT_ONCE, span, where: span, ...which }
}

/** Undefined where what was typed is no number of calls. */
export function grantUsesOf({ uses }: GrantDraft): number | undefined {
  const count = Number(uses)
  return /^[0-9]+$/.test(uses) && count >= 1 && count <= MOST_USES ? count : undefined
}

export function isValidGrant(choice: GrantDraft, scopes: readonly GrantScope[]): boolean {
  if (choice.span === 'once') return true
  if (choice.span === 'times' && choice.uses === '') return false
  if (choice.span === 'hour' && choice.expiresIn === '') return false
  return scopes.includes(choice.where) && (choice.uses === '' || grantUsesOf(choice) !== undefined)
}

/** What goes into the decision. Only ever what was offered; anything else leaves nothing behind. */
export function grantTermsOf(
  choice: GrantDraft,
  scopes: readonly GrantScope[],
): Pick<DecisionInput, 'scope' | 'grant'> {
  if (choice.span === 'once' || !isValidGrant(choice, scopes)) return {}
  const { where, expiresIn, suggestion, withSubSessions } = choice
  const uses = grantUsesOf(choice)
  const grant = {
    ...(suggestion === '' ? {} : { suggestion }),
    ...(expiresIn === '' ? {} : { expiresIn }),
    ...defined({ uses }),
    ...(where === 'session' && withSubSessions ? { includeSubSessions: true } : {}),
  }
  return { scope: where, ...(Object.keys(grant).length === 0 ? {} : { grant }) }
}
