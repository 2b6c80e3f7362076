import type { WireMatched, WireSuggestion } from '../../../../src/client/index.ts'
import { useOwnWords, useWords } from '../../context/context.ts'
import { GRANT_WORDS } from '../words/grant-words.ts'

export interface SuggestionListProps {
  /** From narrow to wide. */
  suggestions: readonly WireSuggestion[]
  /** Groups the choices. */
  name: string
  /** Empty: exactly this call. */
  chosen: string
  choose(suggestion: WireSuggestion): void
}

/** What an approval is for where nothing else is said. It comes first. */
export const EXACTLY = 'call'

/** What could be let through from now on, and what that would have been so far. */
export function SuggestionList({ suggestions, name, chosen, choose }: SuggestionListProps) {
  const words = useOwnWords(GRANT_WORDS)
  return (
    <fieldset class="suggestions">
      <legend>{words.what}</legend>
      {suggestions.map((suggestion) => {
        const { id, width, words: said, matched } = suggestion
        return (
          <label key={id} class="option">
            <input
              type="radio"
              name={name}
              checked={id === (chosen || EXACTLY)}
              onChange={() => choose(suggestion)}
            />
            <span>
              <span dir="auto">{said}</span> <span class={`tag width-${width}`}>{words.width[width]}</span>
              <Matched matched={matched} />
              {isWarned(suggestion, chosen) ? <small class="wide">{words.wide}</small> : null}
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}

/** The widest in any case; a wide one when somebody is about to take it. */
function isWarned({ id, width }: WireSuggestion, chosen: string): boolean {
  return width === 'tool' || (width === 'argument' && id === chosen)
}

function Matched({ matched }: { matched: WireMatched }) {
  const words = useOwnWords(GRANT_WORDS)
  const { sentences } = useWords()
  const { calls, of, days, asked, rejected, denied, examples, cut } = matched
  if (calls === 0) return <small>{words.never(of, days)}</small>
  return (
    <>
      <small>
        {sentences(
          words.wouldHave(calls, of, days),
          asked > 0 && words.asked(asked, rejected),
          denied > 0 && words.denied(denied),
          cut === true && words.cut,
        )}
      </small>
      {examples.length === 0 ? null : (
        <small>
          {words.examples}{' '}
          {examples.map((example, index) => (
            <code key={`${index} ${example}`} dir="ltr">
              {example}
            </code>
          ))}
        </small>
      )}
    </>
  )
}
