import type { JsonValue } from '../../../../../src/client/index.ts'
import { useOwnWords } from '../../../context/context.ts'
import { visible } from '../../../model/text/visible-line.ts'
import { EDIT_WORDS } from '../../words/edit-words.ts'
import { isSameJson } from '../draft/json-at.ts'
import { countLinesUpTo } from './count-lines-up-to.ts'
import type { FieldPlan } from './field-plan.ts'

export interface FieldControlProps {
  id: string
  plan: FieldPlan
  value: JsonValue
  /** What stands in it, which may be no value yet. */
  text: string
  isWrong: boolean
  write(text: string): void
  set(value: JsonValue): void
  /** Something else in the place of what is masked. */
  replace(): void
}

/** What somebody writes into, chooses from or ticks. */
export function FieldControl({ id, plan, value, text, isWrong, write, set, replace }: FieldControlProps) {
  const words = useOwnWords(EDIT_WORDS)
  const { kind, choices, isRequired } = plan
  const common = {
    id,
    'aria-describedby': plan.description === undefined ? undefined : `${id}-hint`,
    'aria-invalid': isWrong,
    'aria-required': isRequired,
  }
  const written = {
    ...common,
    dir: 'auto',
    spellcheck: false,
    autocapitalize: 'none',
    autocomplete: 'off',
    value: text,
  } as const
  switch (kind) {
    case 'mask':
      return (
        <span class="masked">
          <code>{String(value)}</code>
          <span class="hint">{words.masked}</span>
          <button type="button" class="chip" id={id} onClick={replace}>
            {words.replace}
          </button>
        </span>
      )
    case 'boolean':
      return (
        <select
          {...common}
          value={String(value)}
          onChange={(event) => set(event.currentTarget.value === 'true')}
        >
          <option value="true">{words.yes}</option>
          <option value="false">{words.no}</option>
        </select>
      )
    case 'choice':
      return (
        <select
          {...common}
          value={String(choices.findIndex((choice) => isSameJson(choice, value)))}
          onChange={(event) => set(choices[Number(event.currentTarget.value)] ?? null)}
        >
          {choices.map((choice, index) => (
            <option key={index} value={String(index)}>
              {typeof choice === 'string' ? visible(choice) : JSON.stringify(choice)}
            </option>
          ))}
        </select>
      )
    case 'text':
    case 'json':
      return (
        <textarea
          {...written}
          class="code"
          rows={Math.max(2, countLinesUpTo(text, 15) + (kind === 'json' ? 0 : 1))}
          onInput={(event) => write(event.currentTarget.value)}
        />
      )
    default:
      return (
        <input
          {...written}
          class="code"
          inputMode={kind === 'line' ? 'text' : 'decimal'}
          onInput={(event) => write(event.currentTarget.value)}
        />
      )
  }
}
