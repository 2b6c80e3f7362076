import { useId, useMemo } from 'preact/hooks'
import type { JsonObject, WireRequest } from '../../../../src/client/index.ts'
import { valueAt } from '../../../../src/display/pointer.ts'
import { useOwnWords } from '../../shell/context.ts'
import { type EditDraft, readEdit, switchTo, writeJson } from './edit-draft.ts'
import { type FieldPlan, planFields } from './field-plan.ts'
import { FieldGroup, mistakeText } from './field-view.tsx'
import type { Issue } from './use-preview.ts'
import { EDIT_WORDS } from './words.ts'

export interface EditFieldsProps {
  draft: EditDraft
  schema: JsonObject | undefined
  masks: WireRequest['masks']
  issues: readonly Issue[]
  change(next: EditDraft): void
}

/** The arguments to be changed, in one of two ways that hold the same value. */
export function EditFields({ draft, schema, masks, issues, change }: EditFieldsProps) {
  const words = useOwnWords(EDIT_WORDS)
  const name = useId()
  const plans = useMemo(() => plansOf(draft, schema, masks), [draft.layout, schema, masks])
  const maySwitch = readEdit(draft).kind === 'value'
  return (
    <>
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
      {maySwitch ? null : <p class="hint">{words.cantSwitch}</p>}
      {draft.mode === 'form' ? (
        <div class="edit-fields">
          <FieldGroup plans={plans} editing={{ draft, issues, change }} />
        </div>
      ) : (
        <JsonText draft={draft} change={change} />
      )}
    </>
  )
}

/** The pointers of the fields that can show what is wrong with them. */
export function placedPointers(
  draft: EditDraft,
  schema: JsonObject | undefined,
  masks: WireRequest['masks'],
): ReadonlySet<string> {
  const all = (plans: readonly FieldPlan[]): string[] =>
    plans.flatMap(({ pointer, kind, fields }) => [pointer, ...(kind === 'group' ? all(fields) : [])])
  return new Set(all(plansOf(draft, schema, masks)))
}

/** A mask is one only as long as it stands where it stood. */
function plansOf({ before, layout }: EditDraft, schema: JsonObject | undefined, masks: WireRequest['masks']) {
  const untouched = masks.filter(({ pointer }) => valueAt(layout, pointer) === valueAt(before, pointer))
  return planFields(layout, schema, new Set(untouched.map(({ pointer }) => pointer)))
}

function JsonText({ draft, change }: Pick<EditFieldsProps, 'draft' | 'change'>) {
  const words = useOwnWords(EDIT_WORDS)
  const id = useId()
  const read = readEdit(draft)
  return (
    <div class="field">
      <label for={id}>{words.json}</label>
      <textarea
        id={id}
        class="code"
        dir="ltr"
        rows={Math.min(20, Math.max(6, draft.json.split('\n').length + 1))}
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
