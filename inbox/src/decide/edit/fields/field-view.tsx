import { useId } from 'preact/hooks'
import { valueAt } from '../../../../../src/display/masks/json-pointer.ts'
import { makeVisibleWithin } from '../../../../../src/display/text/shorten.ts'
import { useOwnWords } from '../../../context/context.ts'
import { visible } from '../../../model/text/visible-line.ts'
import { EDIT_WORDS, type EditWords } from '../../words/edit-words.ts'
import {
  dropField,
  type EditDraft,
  type EditMistake,
  putField,
  setField,
  shownIn,
  writeField,
} from '../draft/edit-draft.ts'
import { isPlainText } from '../draft/editable-json.ts'
import type { PreviewIssue } from '../draft/use-preview.ts'
import { FieldControl } from './field-control.tsx'
import type { FieldPlan, FormPlan } from './field-plan.ts'

const LONGEST_NAME = 200

export interface Editing {
  draft: EditDraft
  issues: readonly PreviewIssue[]
  change(next: EditDraft): void
}

/** The fields of one object: those that are given, and the way to give the others. */
export function FieldGroup({ plan, editing }: { plan: FormPlan; editing: Editing }) {
  const words = useOwnWords(EDIT_WORDS)
  const { fields, notOffered } = plan
  const isShown = ({ isPresent, isRequired }: FieldPlan) => isPresent || isRequired
  const given = fields.filter(isShown)
  const others = fields.filter((field) => !isShown(field))
  return (
    <>
      {given.length === 0 ? <p class="hint">{words.none}</p> : null}
      {given.map((field) => (
        <FieldView key={field.pointer} plan={field} editing={editing} />
      ))}
      {others.length === 0 ? null : (
        <fieldset class="chips" aria-label={words.more}>
          <span class="hint">{words.more}</span>
          {others.map((field) => (
            <AddButton key={field.pointer} plan={field} editing={editing} />
          ))}
        </fieldset>
      )}
      {notOffered === 0 ? null : <p class="hint">{words.notOffered(notOffered)}</p>}
    </>
  )
}

/** One argument, whatever it is: its name, what the tool says of it, what stands in it, and what is wrong with that. */
function FieldView({ plan, editing }: { plan: FieldPlan; editing: Editing }) {
  const words = useOwnWords(EDIT_WORDS)
  const id = useId()
  const { pointer, key, kind, isRequired, isPresent, description } = plan
  const { draft, issues, change } = editing
  const value = valueAt(draft.value, pointer)
  const mistake = draft.unread.get(pointer)?.why
  const wrong = [
    ...(mistake === undefined ? [] : [mistakeText(words, mistake)]),
    ...issues.filter((issue) => issue.pointer === pointer).map(({ message }) => visible(message)),
  ]
  const isHidden = (kind === 'line' || kind === 'text') && typeof value === 'string' && !isPlainText(value)
  const isNested = kind === 'group' || kind === 'list'
  const name = nameOf(key)
  const head = (
    <>
      <code>{name}</code> <small>{isRequired ? words.required : words.optional}</small>
      {kind === 'json' ? <small> · {words.asJson}</small> : null}
    </>
  )
  const body = (
    <>
      {description === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {description}
        </p>
      )}
      {isPresent && value !== undefined ? (
        <FieldBody plan={plan} editing={editing} id={id} isWrong={wrong.length > 0} />
      ) : (
        <AddButton plan={plan} editing={editing} />
      )}
      {isHidden ? <p class="note warning">{words.hidden}</p> : null}
      {wrong.map((each) => (
        <p key={each} class="note failure" role="alert">
          {each}
        </p>
      ))}
    </>
  )
  const remove =
    isPresent && !isRequired ? (
      <button
        type="button"
        class="quiet remove"
        aria-label={words.remove(name)}
        onClick={() => change(dropField(draft, pointer))}
      >
        ✕
      </button>
    ) : null
  return isNested ? (
    <fieldset class="field nested">
      <legend>{head}</legend>
      {remove}
      {body}
    </fieldset>
  ) : (
    <div class="field">
      <div class="field-head">
        <label for={id}>{head}</label>
        {remove}
      </div>
      {body}
    </div>
  )
}

interface FieldBodyProps {
  plan: FieldPlan
  editing: Editing
  id: string
  isWrong: boolean
}

function FieldBody({ plan, editing, id, isWrong }: FieldBodyProps) {
  const { draft, change } = editing
  const { pointer, kind } = plan
  if (kind === 'group') return <FieldGroup plan={plan} editing={editing} />
  if (kind === 'list') return <ListField plan={plan} editing={editing} />
  const value = valueAt(draft.value, pointer) ?? null
  return (
    <FieldControl
      id={id}
      plan={plan}
      value={value}
      text={shownIn(draft, pointer, kind, value)}
      isWrong={isWrong}
      write={(text) => change(writeField(draft, pointer, kind, text))}
      set={(next) => change(setField(draft, pointer, next))}
      replace={() => change(putField(draft, pointer, ''))}
    />
  )
}

/** Simple values one after another. */
function ListField({ plan, editing }: { plan: FieldPlan; editing: Editing }) {
  const words = useOwnWords(EDIT_WORDS)
  const { draft, change } = editing
  const { pointer, fields, freshItem } = plan
  return (
    <>
      <ol class="items">
        {fields.map((item, index) => (
          <ListItem key={item.pointer} plan={item} name={words.item(index + 1)} editing={editing} />
        ))}
      </ol>
      <button
        type="button"
        class="chip"
        onClick={() => change(putField(draft, `${pointer}/${fields.length}`, freshItem))}
      >
        + {words.addItem}
      </button>
    </>
  )
}

function ListItem({ plan, name, editing }: { plan: FieldPlan; name: string; editing: Editing }) {
  const words = useOwnWords(EDIT_WORDS)
  const id = useId()
  const { draft, change } = editing
  const { pointer } = plan
  const mistake = draft.unread.get(pointer)?.why
  return (
    <li>
      <label class="unseen" for={id}>
        {name}
      </label>
      <FieldBody plan={plan} editing={editing} id={id} isWrong={mistake !== undefined} />
      <button
        type="button"
        class="quiet remove"
        aria-label={words.remove(name)}
        onClick={() => change(dropField(draft, pointer))}
      >
        ✕
      </button>
      {mistake === undefined ? null : (
        <p class="note failure" role="alert">
          {mistakeText(words, mistake)}
        </p>
      )}
    </li>
  )
}

function AddButton({ plan, editing }: { plan: FieldPlan; editing: Editing }) {
  const words = useOwnWords(EDIT_WORDS)
  const { pointer, key, fresh } = plan
  return (
    <button
      type="button"
      class="chip"
      aria-label={words.add(nameOf(key))}
      onClick={() => editing.change(putField(editing.draft, pointer, fresh))}
    >
      + {nameOf(key)}
    </button>
  )
}

function nameOf(key: string): string {
  return makeVisibleWithin(key, LONGEST_NAME).value.text
}

/** In the reader's language where it can be said so; else in the words of who read it, with its place. */
export function mistakeText(words: EditWords, { message, line, column, wanted }: EditMistake): string {
  if (wanted !== undefined) return words.wanted[wanted]
  const place = line === undefined || column === undefined ? '' : `${words.place(line, column)} `
  return `${place}${visible(message)}`
}
