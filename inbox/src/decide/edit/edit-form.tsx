import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { JsonObject, WireView } from '../../../../src/client/index.ts'
import { useArmed } from '../../components/use-armed.ts'
import { useOwnWords } from '../../context/context.ts'
import type { ShowCall } from '../decide.tsx'
import type { DecisionDraft } from '../drafts/decision-drafts.ts'
import { ConfirmForm } from '../forms/confirm-form.tsx'
import { FormFrame, type FormStep } from '../forms/form-frame.tsx'
import { EDIT_WORDS } from '../words/edit-words.ts'
import { DECIDE_WORDS } from '../words/words.ts'
import { ChangeList } from './changes/change-list.tsx'
import { type Changes, changesOf } from './changes/changes.ts'
import { CommandLineChange } from './changes/command-line-change.tsx'
import { beginEdit, type EditDraft, moveEdit, readEdit } from './draft/edit-draft.ts'
import { usePreview } from './draft/use-preview.ts'
import { riskOf, submitWords } from './edit-severity.ts'
import { EditFields, placedPointers, planFor } from './fields/edit-fields.tsx'
import { PreviewNote } from './preview-note.tsx'
import { useDebouncedEdit } from './use-debounced-edit.ts'
import './edit.css'

const NOTHING: Changes = { list: [], more: 0 }

export interface EditFormProps {
  step: FormStep
  view: WireView
  draft: Signal<DecisionDraft>
  /** Whether the second step is open. It is a step of its own, which takes input half a second after it came. */
  isConfirming: boolean
  showCall: ShowCall
  confirm(isConfirming: boolean): void
  /** What would be left behind, in words, and what the button says of it. */
  leaves: string | undefined
  /** Undefined: as for a call that leaves nothing behind. */
  submit: string | undefined
  isGrantSound: boolean
  /** `shown` is the digest of what stood here when the edit began: an edit of anything else is refused. */
  send(args: JsonObject, shown: string): void
  children: ComponentChildren
}

/** The call as somebody wants it: in a form or as JSON, with what changes and what the policy says of it before it is sent. */
export function EditForm(props: EditFormProps) {
  const { step, view, draft, isConfirming, showCall, confirm, leaves, isGrantSound, send, children } = props
  const { confirm: confirmWords } = useOwnWords(DECIDE_WORDS)
  const words = useOwnWords(EDIT_WORDS)
  const submit = props.submit ?? words.approve
  const { request, schema } = view
  const { id, digest, masks } = request
  const [begun] = useState(() => beginEdit(digest, request.arguments))
  const edit = draft.value.edit ?? begun
  const change = (next: EditDraft) => {
    draft.value = { ...draft.peek(), edit: next }
  }
  const settled = useDebouncedEdit(edit)
  const read = useMemo(
    () => (settled === begun ? { kind: 'value' as const, value: begun.before } : readEdit(settled)),
    [settled],
  )
  const value = read.kind === 'value' ? read.value : undefined
  const masked = useMemo(() => new Set(masks.map(({ pointer }) => pointer)), [masks])
  const changes = useMemo(
    () => (value === undefined ? NOTHING : changesOf(settled.before, value, masked)),
    [value, settled.before, masked],
  )
  const { mode, before, layout } = edit
  const plan = useMemo(
    () => (mode === 'form' ? planFor({ before, layout }, schema, masks) : undefined),
    [mode, before, layout, schema, masks],
  )
  const isOutdated = edit.digest !== digest
  // Only what was read and is shown below can be sent.
  const isRead = settled === edit
  const isWhole = value !== undefined && isRead && changes.list.length > 0 && !isOutdated
  const previewed = usePreview(isWhole ? { id, digest, arguments: value } : undefined)
  const preview = previewed.kind === 'known' ? previewed.preview : undefined
  const isReady = isWhole && isGrantSound && preview?.verdict !== 'deny' && previewed.kind !== 'misfit'
  const risk = riskOf(request.severity, preview)
  const { severity, isKnown, takesSecondStep } = risk
  const isSettled = useArmed(`${severity} ${isKnown} ${takesSecondStep}`)
  const armed = { ...step, isArmed: step.isArmed && isSettled }
  const issues = previewed.kind === 'misfit' ? previewed.issues : []

  if (isConfirming && isReady) {
    return (
      <ConfirmForm
        isMirrored
        step={{ ...armed, back: () => confirm(false) }}
        title={confirmWords.editTitle}
        submit={submit}
        severity={severity}
        warnings={preview?.warnings ?? []}
        call={preview}
        showCall={showCall}
        leaves={leaves}
        send={() => send(value, edit.digest)}
      >
        {isKnown ? null : (
          <p class="note warning" role="status">
            {words.notKnown}
          </p>
        )}
        <CommandLineChange before={view.line} after={preview?.line} />
        <ChangeList changes={changes} />
      </ConfirmForm>
    )
  }
  return (
    <FormFrame
      step={armed}
      label={words.label}
      submit={submitWords(submit, risk)}
      tone="approve"
      isReady={isReady}
      send={() => {
        if (takesSecondStep) confirm(true)
        else if (value !== undefined) send(value, edit.digest)
      }}
    >
      {isOutdated ? (
        <div class="note warning" role="alert">
          <p>{words.outdated}</p>
          <div class="chips">
            <button
              type="button"
              class="chip"
              onClick={() => change(moveEdit(edit, digest, request.arguments))}
            >
              {words.keep}
            </button>
            <button
              type="button"
              class="chip"
              onClick={() => change(beginEdit(digest, request.arguments, edit.mode))}
            >
              {words.startAgain}
            </button>
          </div>
        </div>
      ) : null}
      <EditFields draft={edit} read={read} plan={plan} issues={issues} change={change} />
      <section class="what-changes">
        <h3>{words.changes}</h3>
        {isRead ? null : <p class="hint">{words.later}</p>}
        {value === undefined ? (
          <p class="hint">{words.wrongField}</p>
        ) : changes.list.length === 0 ? (
          <p class="hint">{words.nothing}</p>
        ) : (
          <>
            <CommandLineChange before={view.line} after={preview?.line} />
            <ChangeList changes={changes} />
          </>
        )}
      </section>
      <PreviewNote
        previewed={previewed}
        placed={placedPointers(plan)}
        raised={severity === request.severity ? undefined : severity}
      />
      {children}
    </FormFrame>
  )
}
