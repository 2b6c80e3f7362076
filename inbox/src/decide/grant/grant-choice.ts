/** How long and how far an approval holds, while somebody chooses: what is chosen, and what of it goes into the decision. */

import type { DecisionInput, GrantScope } from '../../../../src/client/index.ts'
import { defined } from '../../../../src/core/defined.ts'

/** What is offered at first sight, from narrow to wide. `times` and `hour` are bounds on one of the scopes. */
export type Span = 'once' | 'times' | 'hour' | 'session' | 'always'

export type Where = Exclude<GrantScope, 'once'>

export interface GrantChoice {
  span: Span
  where: Where
  /** Empty: without an end. */
  expiresIn: Duration | ''
  /** As it was typed; empty: any number. */
  uses: string
  /** The id of a suggestion; empty: exactly this call. */
  suggestion: string
  /** What that lets through, in words. */
  what: string
  withSubSessions: boolean
}

export const DURATIONS = ['15m', '1h', '8h', '1d', '7d', '30d'] as const

export type Duration = (typeof DURATIONS)[number]

export const ONCE: GrantChoice = {
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
export function wheresOf(scopes: readonly GrantScope[]): Where[] {
  return (['session', 'always'] as const).filter((where) => scopes.includes(where))
}

/** Approving leaves nothing behind unless somebody says so: `once` is always there. */
export function spansOf(scopes: readonly GrantScope[]): Span[] {
  const wheres = wheresOf(scopes)
  return ['once', ...(wheres.length === 0 ? [] : (['times', 'hour'] as const)), ...wheres]
}

/** The narrowest that the words can mean. */
export function chooseSpan(
  span: Span,
  scopes: readonly GrantScope[],
  before: GrantChoice = ONCE,
): GrantChoice {
  const [narrowest] = wheresOf(scopes)
  if (span === 'once' || narrowest === undefined) return ONCE
  const { suggestion, what } = before
  const which = { suggestion, what }
  if (span === 'hour') return { ...ONCE, span, where: narrowest, ...which, expiresIn: '1h' }
  if (span === 'times') return { ...ONCE, span, where: narrowest, ...which, uses: '5' }
  return { ...ONCE, span, where: span, ...which }
}

/** Undefined where what was typed is no number of calls. */
export function usesOf({ uses }: GrantChoice): number | undefined {
  const count = Number(uses)
  return /^[0-9]+$/.test(uses) && count >= 1 && count <= MOST_USES ? count : undefined
}

export function isSound(choice: GrantChoice, scopes: readonly GrantScope[]): boolean {
  if (choice.span === 'once') return true
  if (choice.span === 'times' && choice.uses === '') return false
  if (choice.span === 'hour' && choice.expiresIn === '') return false
  return scopes.includes(choice.where) && (choice.uses === '' || usesOf(choice) !== undefined)
}

/** What goes into the decision. Only ever what was offered; anything else leaves nothing behind. */
export function termsOf(
  choice: GrantChoice,
  scopes: readonly GrantScope[],
): Pick<DecisionInput, 'scope' | 'grant'> {
  if (choice.span === 'once' || !isSound(choice, scopes)) return {}
  const { where, expiresIn, suggestion, withSubSessions } = choice
  const uses = usesOf(choice)
  const grant = {
    ...(suggestion === '' ? {} : { suggestion }),
    ...(expiresIn === '' ? {} : { expiresIn }),
    ...defined({ uses }),
    ...(where === 'session' && withSubSessions ? { includeSubSessions: true } : {}),
  }
  return { scope: where, ...(Object.keys(grant).length === 0 ? {} : { grant }) }
}
