import type { Answers, Question } from '../../../../src/client/index.ts'
import { useWords } from '../../context/context.ts'
import { visible, visibleBlock } from '../../model/text/visible-line.ts'

/** What was answered to each question. */
export function GivenAnswers({ questions, answers }: { questions: Question[]; answers: Answers }) {
  const { list } = useWords()
  return (
    <dl class="stacked">
      {questions.map(({ id, question }) => {
        const answer = Object.hasOwn(answers, id) ? answers[id] : undefined
        return (
          <div key={id}>
            <dt>{visible(question)}</dt>
            <dd>
              {list([...(answer?.choices ?? []), answer?.text ?? ''].filter(Boolean).map(visibleBlock))}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
