import type { WireRequest } from '../../../src/client/index.ts'
import { visible, visibleBlock } from '../model/visible-line.ts'
import { wordFor } from '../words/words.ts'
import { useInbox, useSpeech, useWords } from './context.ts'
import { GivenAnswers } from './given-answers.tsx'

export interface ResultProps {
  request: WireRequest
  /** The reader saw it waiting: then somebody else's answer is news. */
  wasPending: boolean
}

/** What was decided, by whom, and what came of it. */
export function Result({ request, wasPending }: ResultProps) {
  const { answers, identity } = useInbox()
  const { time } = useSpeech()
  const words = useWords()
  const { state, decision, outcome, cancelled } = request
  const isElsewhere = wasPending && decision !== undefined && !answers.isFromHere(request)
  const isTooLate = wasPending && !answers.isFromHere(request) && answers.failures.value.has(request.id)
  return (
    <section class={`note result state-${state === 'done' && outcome?.kind === 'error' ? 'failed' : state}`}>
      {isElsewhere ? <strong>{words.result.elsewhere}</strong> : null}
      {isTooLate ? <strong>{words.result.tooLate}</strong> : null}
      {decision === undefined ? (
        <strong>{wordFor(words.state, state)}</strong>
      ) : (
        <>
          <p>
            {words.result.by(
              decision.by === identity.subject ? words.result.you : visible(decision.by),
              wordFor(words.decided, decision.kind),
              time(decision.at),
            )}
            {decision.scope === undefined ? null : ` · ${wordFor(words.scope, decision.scope)}`}
          </p>
          {decision.reason === undefined ? null : <p class="quote">{visibleBlock(decision.reason)}</p>}
          {decision.text === undefined ? null : <p class="quote">{visibleBlock(decision.text)}</p>}
          {decision.answers === undefined ? null : (
            <GivenAnswers questions={request.questions ?? []} answers={decision.answers} />
          )}
        </>
      )}
      {cancelled === undefined ? null : (
        <p>
          {words.result.cancelledBy(visible(cancelled.by))} ({cancelled.cause}) {cancelled.reason}
        </p>
      )}
      {outcome === undefined ? null : (
        <>
          <p>
            {words.result.outcome(outcome.kind === 'ok')}, {time(outcome.at)}.{' '}
            {outcome.late ? words.result.late : null}
          </p>
          {outcome.summary === undefined ? null : <pre class="json">{outcome.summary}</pre>}
        </>
      )}
    </section>
  )
}
