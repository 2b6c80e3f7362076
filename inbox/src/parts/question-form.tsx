import { useState } from 'preact/hooks'
import type { Answers, Question } from '../../../src/client/index.ts'
import { type Draft, EMPTY_DRAFT, isAnswered, toAnswer } from '../model/answer-draft.ts'
import { useWords } from './context.ts'
import { QuestionField } from './question-field.tsx'

export interface QuestionFormProps {
  questions: Question[]
  isSending: boolean
  isArmed: boolean
  send(answers: Answers): void
}

/** The agent's questions, all of which want an answer. */
export function QuestionForm({ questions, isSending, isArmed, send }: QuestionFormProps) {
  const words = useWords()
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map())
  const [isChecked, setChecked] = useState(false)
  const draftOf = (id: string) => drafts.get(id) ?? EMPTY_DRAFT
  const submit = (event: Event) => {
    event.preventDefault()
    setChecked(true)
    if (isSending || !questions.every(({ id }) => isAnswered(draftOf(id)))) return
    send(Object.fromEntries(questions.map(({ id }) => [id, toAnswer(draftOf(id))])))
  }
  return (
    <form class="questions" onSubmit={submit}>
      {questions.map((question, index) => (
        <QuestionField
          key={question.id}
          question={question}
          name={`question-${index}`}
          draft={draftOf(question.id)}
          isMissing={isChecked && !isAnswered(draftOf(question.id))}
          change={(draft) => setDrafts(new Map(drafts).set(question.id, draft))}
        />
      ))}
      <div class={isArmed ? 'buttons' : 'buttons is-unarmed'}>
        <button type="submit" class="approve" data-key="a" disabled={isSending}>
          {isSending ? words.sending : words.decision.answer}
        </button>
      </div>
    </form>
  )
}
