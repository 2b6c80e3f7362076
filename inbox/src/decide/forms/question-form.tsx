import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import type { Answers, Question } from '../../../../src/client/index.ts'
import { sayDecisionAction } from '../../../../src/display/words/decisions.ts'
import { isEarly } from '../../components/when-armed.ts'
import { useLocale, useWords } from '../../context/context.ts'
import { type AnswerDraft, EMPTY_ANSWER_DRAFT, isAnswered, toAnswer } from '../drafts/answer-draft.ts'
import type { DecisionDraft } from '../drafts/decision-drafts.ts'
import { QuestionField } from './question-field.tsx'

export interface QuestionFormProps {
  questions: Question[]
  draft: Signal<DecisionDraft>
  isSending: boolean
  isArmed: boolean
  send(answers: Answers): void
  /** The way to give no answer, beside the button. */
  children: ComponentChildren
}

/** The agent's questions, all of which want an answer. */
export function QuestionForm({ questions, draft, isSending, isArmed, send, children }: QuestionFormProps) {
  const words = useWords()
  const locale = useLocale()
  const name = useId()
  const form = useRef<HTMLFormElement>(null)
  const [isChecked, setChecked] = useState(false)
  const { answers } = draft.value
  const answerTo = (id: string) => answers.get(id) ?? EMPTY_ANSWER_DRAFT
  const change = (id: string, answer: AnswerDraft) => {
    draft.value = { ...draft.peek(), answers: new Map(answers).set(id, answer) }
  }
  const press = () => {
    if (isSending || isEarly(isArmed)) return
    setChecked(true)
    const missing = questions.findIndex(({ id }) => !isAnswered(answerTo(id)))
    if (missing === -1) {
      send(Object.fromEntries(questions.map(({ id }) => [id, toAnswer(answerTo(id))])))
      return
    }
    form.current
      ?.querySelectorAll('fieldset')
      [missing]?.querySelector<HTMLElement>('input, textarea')
      ?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    press()
  }
  return (
    <form ref={form} class="questions" onSubmit={(event) => event.preventDefault()} onKeyDown={onKeyDown}>
      {questions.map((question, index) => (
        <QuestionField
          key={question.id}
          question={question}
          name={`${name}-${index}`}
          draft={answerTo(question.id)}
          isMissing={isChecked && !isAnswered(answerTo(question.id))}
          change={(answer) => change(question.id, answer)}
        />
      ))}
      <div class={isArmed ? 'buttons pair' : 'buttons pair is-unarmed'}>
        <button type="button" class="approve" data-key="a" disabled={isSending} onClick={press}>
          {isSending ? words.sending : sayDecisionAction('answer', locale)}
        </button>
        {children}
      </div>
    </form>
  )
}
