import { useEffect, useRef, useState } from 'preact/hooks'
import type { RequestState, WireHistoryItem } from '../../../../../src/client/index.ts'
import { sayState } from '../../../../../src/display/words/request-states.ts'
import { useLocale, useOwnWords } from '../../../context/context.ts'
import { visible } from '../../../model/text/visible-line.ts'
import { HISTORY_WORDS } from '../words/history-words.ts'
import {
  countFilters,
  type FilterName,
  type HistoryFilters,
  readFilters,
  STATE_FILTERS,
  VERDICT_FILTERS,
} from './filters.ts'

export interface FilterBarProps {
  filters: HistoryFilters
  set(filters: HistoryFilters): void
  /** What is listed: it says which names there are. */
  items: readonly WireHistoryItem[]
}

type NameFilter = 'tool' | 'session' | 'by' | 'rule'

/** What is wanted of the past. What is chosen stands in the address, so that it can be kept and sent to others. */
export function FilterBar({ filters, set, items }: FilterBarProps) {
  const words = useOwnWords(HISTORY_WORDS)
  const locale = useLocale()
  const change = (name: FilterName, value: string) => set(readFilters({ ...filters, [name]: value }))
  const { text: _text, verdict: _verdict, ...others } = filters
  const count = countFilters(others)
  return (
    <search class="filters">
      <Field name="text" value={filters.text ?? ''} placeholder={words.search} isSearch change={change} />
      <fieldset class="choices" aria-label={words.filter.verdict}>
        {[undefined, ...VERDICT_FILTERS].map((verdict) => (
          <button
            key={verdict ?? ''}
            type="button"
            aria-pressed={filters.verdict === verdict}
            onClick={() => change('verdict', verdict ?? '')}
          >
            {verdict === undefined ? words.all : words.verdict[verdict]}
          </button>
        ))}
      </fieldset>
      {count === 0 ? null : (
        <ul class="chips">
          {(Object.keys(others) as (keyof typeof others)[]).map((name) => (
            <li key={name}>
              <button type="button" onClick={() => change(name, '')}>
                <span>
                  {words.chip(
                    words.filter[name],
                    name === 'state' && others.state !== undefined
                      ? sayState(others.state, locale)
                      : visible(others[name] ?? ''),
                  )}
                </span>
                <span aria-hidden="true">×</span>
                <span class="unseen">{words.remove}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <details class="more-filters">
        <summary>{words.moreFilters(count)}</summary>
        <div class="form-fields">
          <label>
            <span>{words.filter.state}</span>
            <select
              value={filters.state ?? ''}
              onChange={(event) => change('state', event.currentTarget.value)}
            >
              <option value="">{words.anyState}</option>
              {STATE_FILTERS.map((state: RequestState) => (
                <option key={state} value={state}>
                  {sayState(state, locale)}
                </option>
              ))}
            </select>
          </label>
          {(['tool', 'session', 'by', 'rule'] as const).map((name) => (
            <Field
              key={name}
              name={name}
              value={filters[name] ?? ''}
              known={namesIn(items, name)}
              change={change}
            />
          ))}
          <Field name="since" value={filters.since ?? ''} isDay change={change} />
          <Field name="until" value={filters.until ?? ''} isDay change={change} />
          <button type="button" disabled={countFilters(filters) === 0} onClick={() => set({})}>
            {words.clear}
          </button>
        </div>
      </details>
    </search>
  )
}

interface FieldProps {
  name: Exclude<FilterName, 'verdict' | 'state'>
  value: string
  known?: string[]
  placeholder?: string
  isSearch?: boolean
  isDay?: boolean
  change(name: FilterName, value: string): void
}

/** Long enough that not every letter asks the server. */
const TYPING_MS = 500

/** What is being written takes effect after a pause, and at once with Enter or when the field is left. */
function Field({ name, value, known = [], placeholder, isSearch, isDay, change }: FieldProps) {
  const label = useOwnWords(HISTORY_WORDS).filter[name]
  const [draft, setDraft] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => setDraft(value), [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const put = (next: string) => {
    clearTimeout(timer.current)
    if (next.trim() !== value) change(name, next)
  }
  const list = known.length === 0 ? undefined : `known-${name}`
  return (
    <label>
      <span class={isSearch ? 'unseen' : undefined}>{label}</span>
      <input
        type={isDay ? 'date' : isSearch ? 'search' : 'text'}
        value={draft}
        placeholder={placeholder}
        list={list}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        data-key={isSearch ? '/' : undefined}
        onInput={(event) => {
          const next = event.currentTarget.value
          setDraft(next)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => put(next), TYPING_MS)
        }}
        onChange={(event) => put(event.currentTarget.value)}
      />
      {list === undefined ? null : (
        <datalist id={list}>
          {known.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </label>
  )
}

const MOST_NAMES = 50

/** Only names that look like what they are: choosing one must not mean another. */
function namesIn(items: readonly WireHistoryItem[], name: NameFilter): string[] {
  const found = new Set<string>()
  for (const item of items) {
    for (const value of valuesOf(item, name))
      if (value !== undefined && visible(value) === value) found.add(value)
    if (found.size >= MOST_NAMES) break
  }
  return [...found].sort()
}

function valuesOf(item: WireHistoryItem, name: NameFilter): (string | undefined)[] {
  const { tool, session } = item.kind === 'asked' ? item.request : item.call
  if (name === 'tool') return [tool]
  if (name === 'session') return [session]
  if (name === 'by')
    return item.kind === 'asked' ? [item.request.decision?.by, ...item.request.votes.map(({ by }) => by)] : []
  return item.kind === 'asked' ? item.request.rules : [item.call.rule]
}
