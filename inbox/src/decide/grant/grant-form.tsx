import { useId } from 'preact/hooks'
import type { WireRequest } from '../../../../src/client/index.ts'
import { FailureNote } from '../../components/failure-note.tsx'
import { useOwnWords } from '../../context/context.ts'
import { GRANT_WORDS } from '../words/grant-words.ts'
import { DECIDE_WORDS } from '../words/words.ts'
import {
  chooseGrantSpan,
  DURATIONS,
  type GrantDraft,
  grantReachesOf,
  grantSpansOf,
  grantUsesOf,
} from './grant-draft.ts'
import { grantSpanText } from './grant-phrases.ts'
import { EXACTLY, SuggestionList } from './suggestion-list.tsx'
import { useSuggestions } from './use-suggestions.ts'

export interface GrantFormProps {
  request: WireRequest
  choice: GrantDraft
  /** An edited call is another one than the suggestions are made for: it is allowed exactly as it is. */
  isEdit: boolean
  change(choice: GrantDraft): void
}

/** What an approval allows beside this call: which calls, narrowest first, and for how long. An edit allows one call, unless somebody says otherwise. */
export function GrantForm({ request, choice, isEdit, change }: GrantFormProps) {
  const words = useOwnWords(GRANT_WORDS)
  const shared = useOwnWords(DECIDE_WORDS).grant
  const name = useId()
  const { scopes } = request
  const isOnce = choice.span === 'once'
  const spans = grantSpansOf(scopes).filter((span) => isEdit || span !== 'once')
  return (
    <div class="grant-form">
      {isOnce || isEdit ? null : <GrantPatterns request={request} choice={choice} change={change} />}
      <fieldset class="spans">
        <legend>{words.legend}</legend>
        {spans.map((span) => (
          <label key={span} class="chip">
            <input
              type="radio"
              name={name}
              checked={span === choice.span}
              onChange={() => change(chooseGrantSpan(span, scopes, choice))}
            />
            <span>{grantSpanText(shared, span, choice)}</span>
          </label>
        ))}
      </fieldset>
      {isOnce ? null : <GrantBounds request={request} choice={choice} change={change} />}
      {!isOnce && isEdit ? <p class="hint">{words.exactEdit}</p> : null}
    </div>
  )
}

type PartProps = Omit<GrantFormProps, 'isEdit'>

/** Where it holds, until when, and how often. */
function GrantBounds({ request, choice, change }: PartProps) {
  const words = useOwnWords(GRANT_WORDS)
  const { duration } = useOwnWords(DECIDE_WORDS).grant
  const id = useId()
  const wheres = grantReachesOf(request.scopes)
  const isFixed = choice.span === 'session' || choice.span === 'always'
  const isBad = choice.uses === '' ? choice.span === 'times' : grantUsesOf(choice) === undefined
  return (
    <div class="bounds">
      {isFixed || wheres.length < 2 ? null : (
        <label>
          <span>{words.where}</span>
          <select
            value={choice.where}
            onChange={({ currentTarget: { value } }) =>
              change({ ...choice, where: value === 'always' ? 'always' : 'session', withSubSessions: false })
            }
          >
            {wheres.map((where) => (
              <option key={where} value={where}>
                {words.wheres[where]}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        <span>{words.howLong}</span>
        <select
          value={choice.expiresIn}
          onChange={({ currentTarget: { value } }) =>
            change({ ...choice, expiresIn: DURATIONS.find((each) => each === value) ?? '' })
          }
        >
          {choice.span === 'hour' ? null : <option value="">{words.noEnd}</option>}
          {DURATIONS.map((each) => (
            <option key={each} value={each}>
              {duration[each]}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{words.howOften}</span>
        <input
          inputMode="numeric"
          autocomplete="off"
          placeholder={choice.span === 'times' ? '' : words.anyNumber}
          value={choice.uses}
          aria-invalid={isBad}
          aria-describedby={isBad ? id : undefined}
          onInput={({ currentTarget: { value } }) => change({ ...choice, uses: value.trim() })}
        />
      </label>
      {choice.where === 'session' ? (
        <label class="option">
          <input
            type="checkbox"
            checked={choice.withSubSessions}
            onChange={({ currentTarget: { checked } }) => change({ ...choice, withSubSessions: checked })}
          />
          <span>{words.subSessions}</span>
        </label>
      ) : null}
      {isBad ? (
        <p class="note failure" id={id} role="alert">
          {words.badNumber}
        </p>
      ) : null}
    </div>
  )
}

/** The calls that are let through. */
function GrantPatterns({ request, choice, change }: PartProps) {
  const words = useOwnWords(GRANT_WORDS)
  const name = useId()
  const suggested = useSuggestions(request, true)
  if (suggested.kind === 'known' && suggested.suggestions.length > 0) {
    return (
      <SuggestionList
        name={name}
        suggestions={suggested.suggestions}
        chosen={choice.suggestion}
        choose={({ id, words: what }) =>
          change({ ...choice, suggestion: id === EXACTLY ? '' : id, what: id === EXACTLY ? '' : what })
        }
      />
    )
  }
  if (suggested.kind === 'failed') {
    return (
      <>
        <FailureNote error={suggested.error} />
        <p class="hint">{words.unknown}</p>
      </>
    )
  }
  return (
    <p class="hint" role="status">
      {suggested.kind === 'loading' ? words.loading : words.exact}
    </p>
  )
}
