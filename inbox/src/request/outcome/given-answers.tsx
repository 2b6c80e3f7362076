import type { Answers, Question } from '../../../../src/client/index.ts'
import { visible, visibleBlock } from '../../model/text/visible-line.ts'

/** What was answered to each question. */
export function GivenAnswers({ questions, answers }: { questions: Question[]; answers: Answers }) {
  return (
    <dl class="stacked">
      {questions.map(({ id, question }) => {
        const answer = Object.hasOwn(answers, id) ? answers[id] : undefined
        return (
          <div key={id}>
            <dt>{visible(question)}</dt>
            <dd>
              {[...(answer?.choices ?? []), answer?.text ?? ''].filter(Boolean).map(visibleBlock).join(', ')}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
