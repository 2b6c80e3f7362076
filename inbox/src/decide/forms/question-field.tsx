import type { Question } from '../../../../src/client/index.ts'
import { useOwnWords } from '../../context/context.ts'
import { visible, visibleBlock } from '../../model/text/visible-line.ts'
import { type AnswerDraft, chooseAnswer, takesText } from '../drafts/answer-draft.ts'
import { DECIDE_WORDS } from '../words/words.ts'

export interface QuestionFieldProps {
  question: Question
  /** Groups the options of one question. */
  name: string
  draft: AnswerDraft
  isMissing: boolean
  change(draft: AnswerDraft): void
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
            onChange={(event) => change(chooseAnswer(question, draft, label, event.currentTarget.checked))}
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
