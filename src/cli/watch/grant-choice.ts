/**
 * What an approval can allow beyond one call, as a numbered choice: each width that the request offers, in this session
 * or always, and for how long.
 */

import type { DecisionInput, WireRequest, WireSuggestion } from '../../client/index.ts'
import { MAX_GRANT_MS } from '../../core/decision.ts'
import { defined } from '../../core/defined.ts'
import { durationIn } from '../../core/time/duration.ts'
import { GRANT_SCOPES } from '../../core/verdict.ts'
import { READING_MS } from '../output/terminal.ts'
import type { AdvanceWatch, OfferedGrant } from './watch-state.ts'
import { intoMode, stay } from './watch-steps.ts'
import type { WatchWords } from './watch-words.ts'

export type ReadChoice =
  | { kind: 'good'; remembered: Pick<DecisionInput, 'scope' | 'grant'> }
  | { kind: 'bad'; why: string }

export const offerChoices: AdvanceWatch<'suggested'> = (state, input, words) => {
  const { current } = state
  if (current?.kind !== 'shown' || current.id !== input.id || current.mode.kind !== 'suggesting') {
    return stay(state)
  }
  const shown = { ...current, quietUntil: input.at + READING_MS }
  const choices = choicesOf(current.request, input.suggestions)
  if (choices.length === 0) {
    return intoMode(state, shown, { kind: 'reading' }, { kind: 'bad', text: words.noChoices })
  }
  const purpose = { kind: 'grant' as const, choices }
  return intoMode(state, shown, { kind: 'line', purpose, typed: '' }, { kind: 'choices', choices })
}

/** `2`, or `2 1h`: the number of a choice, and for how long. */
export function readChoice(choices: readonly OfferedGrant[], line: string, words: WatchWords): ReadChoice {
  const [, number = '', span] = /^(\d{1,3})(?:\s+(\S+))?$/.exec(line) ?? []
  const choice = choices[Number(number) - 1]
  if (number === '' || choice === undefined) return { kind: 'bad', why: words.noSuchOption(choices.length) }
  if (span !== undefined && !isSpan(span)) return { kind: 'bad', why: words.noSuchSpan }
  const { scope, suggestion } = choice
  const grant = { suggestion: suggestion.id, ...defined({ expiresIn: span }) }
  return { kind: 'good', remembered: { scope, grant } }
}

/** From narrow to wide, as they are offered; of one width the session comes first. */
function choicesOf({ scopes }: WireRequest, suggestions: readonly WireSuggestion[]): OfferedGrant[] {
  const wider = GRANT_SCOPES.filter((scope) => scopes.includes(scope))
  return suggestions.flatMap((suggestion) => wider.map((scope) => ({ scope, suggestion })))
}

function isSpan(text: string): boolean {
  return durationIn(text, MAX_GRANT_MS) !== undefined
}
