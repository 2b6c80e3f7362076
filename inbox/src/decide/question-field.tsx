import type { Question } from '../../../src/client/index.ts'
import { visible, visibleBlock } from '../model/visible-line.ts'
import { useOwnWords } from '../shell/context.ts'
import { choose, type Draft, takesText } from './answer-draft.ts'
import { DECIDE_WORDS } from './words.ts'

export interface QuestionFieldProps {
  question: Question
  /** Groups the options of one question. */
  name: string
  draft: Draft
  isMissing: boolean
  change(draft: Draft): void
}

/** One question with its options, or a place to write. */
export function QuestionField({ question, name, draft, isMissing, change }: QuestionFieldProps) {
  const words = useOwnWords(DECIDE_WORDS).question
  const { header, options = [], multiSelect } = question
  return (
    <fieldset class="question">
      <legend>
        {header === undefined ? null : <span class="tag">{visible(header)}</span>}
        {visibleBlock(question.question)}
      </legend>
      {options.length > 0 ? <p class="hint">{multiSelect === true ? words.several : words.one}</p> : null}
      {options.map(({ label, description }) => (
        <label key={label} class="option">
          <input
            type={multiSelect === true ? 'checkbox' : 'radio'}
            name={name}
            checked={draft.choices.includes(label)}
            onChange={(event) => change(choose(question, draft, label, event.currentTarget.checked))}
          />
          <span>
            {visible(label)}
            {description === undefined ? null : <small>{visibleBlock(description)}</small>}
          </span>
        </label>
      ))}
      {takesText(question) ? (
        <label class="own-answer">
          <span>{options.length > 0 ? words.ownAnswer : words.ownOnly}</span>
          <textarea
            rows={2}
            value={draft.text}
            onInput={(event) => change({ ...draft, text: event.currentTarget.value })}
          />
        </label>
      ) : null}
      {isMissing ? (
        <p class="note failure" role="alert">
          {words.missing}
        </p>
      ) : null}
    </fieldset>
  )
}
