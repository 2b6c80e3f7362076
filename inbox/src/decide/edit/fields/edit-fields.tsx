import { useId, useMemo } from 'preact/hooks'
import type { JsonObject, WireRequest } from '../../../../../src/client/index.ts'
import { valueAt } from '../../../../../src/display/masks/json-pointer.ts'
import { useOwnWords } from '../../../context/context.ts'
import { EDIT_WORDS } from '../../words/edit-words.ts'
import { type EditDraft, switchTo, writeJson } from '../draft/edit-draft.ts'
import type { JsonRead } from '../draft/editable-json.ts'
import { hasForm } from '../draft/form-limits.ts'
import type { PreviewIssue } from '../draft/use-preview.ts'
import { countLinesUpTo } from './count-lines-up-to.ts'
import { type FieldPlan, type FormPlan, planForm } from './field-plan.ts'
import { FieldGroup, mistakeText } from './field-view.tsx'

export interface EditFieldsProps {
  draft: EditDraft
  /** What is written, as far as it was read yet. */
  read: JsonRead<JsonObject>
  /** Undefined while it is edited as JSON. */
  plan: FormPlan | undefined
  issues: readonly PreviewIssue[]
  change(next: EditDraft): void
}

/** The arguments to be changed, in one of two ways that hold the same value. */
export function EditFields({ draft, read, plan, issues, change }: EditFieldsProps) {
  const words = useOwnWords(EDIT_WORDS)
  const name = useId()
  const maySwitch = read.kind === 'value'
  const isTooLarge = useMemo(
    () => plan === undefined && read.kind === 'value' && !hasForm(read.value),
    [plan === undefined, read],
  )
  return (
    <>
      {isTooLarge ? (
        <p class="hint">{words.tooLarge}</p>
      ) : (
        <fieldset class="spans modes" disabled={!maySwitch}>
          <legend class="unseen">{words.mode}</legend>
          {(['form', 'json'] as const).map((mode) => (
            <label key={mode} class="chip">
              <input
                type="radio"
                name={name}
                data-first={mode === draft.mode ? '' : undefined}
                checked={mode === draft.mode}
                onChange={() => change(switchTo(draft, mode))}
              />
              <span>{words.modes[mode]}</span>
            </label>
          ))}
        </fieldset>
      )}
      {maySwitch ? null : <p class="hint">{words.cantSwitch}</p>}
      {plan === undefined ? (
        <JsonText draft={draft} read={read} isFirst={isTooLarge} change={change} />
      ) : (
        <div class="edit-fields">
          <FieldGroup plan={plan} editing={{ draft, issues, change }} />
        </div>
      )}
    </>
  )
}

/** The pointers of the fields that can show what is wrong with them. */
export function placedPointers(plan: FormPlan | undefined): ReadonlySet<string> {
  const all = (fields: readonly FieldPlan[]): string[] =>
    fields.flatMap((field) => [field.pointer, ...(field.kind === 'group' ? all(field.fields) : [])])
  return new Set(plan === undefined ? [] : all(plan.fields))
}

/** A mask is one only as long as it stands where it stood. */
export function planFor(
  { before, layout }: Pick<EditDraft, 'before' | 'layout'>,
  schema: JsonObject | undefined,
  masks: WireRequest['masks'],
): FormPlan {
  const untouched = masks.filter(({ pointer }) => valueAt(layout, pointer) === valueAt(before, pointer))
  return planForm(layout, schema, new Set(untouched.map(({ pointer }) => pointer)))
}

interface JsonTextProps extends Pick<EditFieldsProps, 'draft' | 'read' | 'change'> {
  /** Whether it is what somebody who opens the form wants first. */
  isFirst: boolean
}

function JsonText({ draft, read, isFirst, change }: JsonTextProps) {
  const words = useOwnWords(EDIT_WORDS)
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{words.json}</label>
      <textarea
        id={id}
        class="code"
        dir="ltr"
        data-first={isFirst ? '' : undefined}
        rows={Math.max(6, countLinesUpTo(draft.json, 19) + 1)}
        spellcheck={false}
        autocapitalize="none"
        aria-invalid={read.kind === 'wrong'}
        aria-describedby={`${id}-hint`}
        value={draft.json}
        onInput={(event) => change(writeJson(draft, event.currentTarget.value))}
      />
      <p class="hint" id={`${id}-hint`}>
        {words.jsonHint}
      </p>
      {read.kind === 'wrong' ? (
        <p class="note failure" role="alert">
          {mistakeText(words, read)}
        </p>
      ) : null}
    </div>
  )
}
