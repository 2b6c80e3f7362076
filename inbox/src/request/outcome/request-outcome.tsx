import type { WireRequest } from '../../../../src/client/index.ts'
import { sayDecided } from '../../../../src/display/words/decisions.ts'
import { sayOutcome, sayOutcomeSource } from '../../../../src/display/words/outcomes.ts'
import { sayState } from '../../../../src/display/words/request-states.ts'
import { sayStateMeaning } from '../../../../src/display/words/state-meanings.ts'
import { useDeciders } from '../../components/deciders.tsx'
import { FoldedSpans } from '../../components/text/folded-spans.tsx'
import { serverTextSpans } from '../../components/text/server-text-spans.ts'
import { ServerText } from '../../components/text/spans.tsx'
import { useInbox, useLanguage, useLocale, useOwnWords, useWords } from '../../context/context.ts'
import { visible, visibleBlock } from '../../model/text/visible-line.ts'
import { wordFor } from '../../words/words.ts'
import { VoteList } from '../approval/vote-list.tsx'
import { VALUE_LIMITS } from '../call/fold-limits.ts'
import { REQUEST_WORDS } from '../words/words.ts'
import { GivenAnswers } from './given-answers.tsx'
import { ReportOutcomeForm } from './report-outcome-form.tsx'

export interface RequestOutcomeProps {
  request: WireRequest
  /** The reader saw it waiting: then somebody else's answer is news. */
  wasPending: boolean
}

/** What was decided, by whom, what came of it, and what that means for the agent. */
export function RequestOutcome({ request, wasPending }: RequestOutcomeProps) {
  const { answers } = useInbox()
  const locale = useLocale()
  const own = useOwnWords(REQUEST_WORDS).result
  const { state, decision, outcome, cancelled } = request
  const isFromHere = answers.isFromHere(request)
  const isElsewhere = wasPending && decision !== undefined && !isFromHere
  const isTooLate = wasPending && !isFromHere && answers.failures.value.has(request.id)
  return (
    <section class={`note result state-${state === 'done' && outcome?.kind === 'error' ? 'failed' : state}`}>
      {isElsewhere ? <strong>{own.elsewhere}</strong> : null}
      {isTooLate ? <strong>{own.tooLate}</strong> : null}
      {decision === undefined || state === 'unknown' || state === 'lapsed' || state === 'cancelled' ? (
        <strong>{sayState(state, locale)}</strong>
      ) : null}
      {decision === undefined ? null : <Decided request={request} decision={decision} />}
      <VoteList request={request} />
      {cancelled === undefined ? null : (
        <p>
          {own.cancelledBy(visible(cancelled.by))}
          {cancelled.reason === undefined ? null : (
            <>
              : <ServerText text={cancelled.reason} />
            </>
          )}
        </p>
      )}
      <Outcome request={request} />
      <Meaning request={request} />
      {state === 'unknown' && request.notReported !== true ? <ReportOutcomeForm request={request} /> : null}
    </section>
  )
}

function Decided({
  request,
  decision,
}: {
  request: WireRequest
  decision: NonNullable<WireRequest['decision']>
}) {
  const { time } = useLanguage()
  const words = useWords()
  const locale = useLocale()
  const own = useOwnWords(REQUEST_WORDS).result
  const who = useDeciders(request) ?? ''
  const { kind, at, scope, reason, text, answers } = decision
  return (
    <>
      <p>
        <strong>{own.by(who, sayDecided(kind, locale, request.kind), time(at))}</strong>
        {scope === undefined ? null : ` · ${wordFor(words.scope, scope)}`}
      </p>
      {reason === undefined ? null : <p class="quote">{visibleBlock(reason)}</p>}
      {text === undefined ? null : <p class="quote">{visibleBlock(text)}</p>}
      {answers === undefined ? null : <GivenAnswers questions={request.questions ?? []} answers={answers} />}
    </>
  )
}

function Outcome({ request }: { request: WireRequest }) {
  const { outcome } = request
  const { time } = useLanguage()
  const locale = useLocale()
  const own = useOwnWords(REQUEST_WORDS).result
  if (outcome === undefined) return null
  return (
    <>
      <p>
        {sayOutcome(outcome.kind, locale)}{' '}
        <span class="hint">
          {own.outcomeBy(sayOutcomeSource({ ...request, outcome }, locale), time(outcome.at))}
          {outcome.late ? ` · ${own.late}` : null}
        </span>
      </p>
      {outcome.summary === undefined ? null : (
        <pre class="call">
          <FoldedSpans spans={serverTextSpans(outcome.summary, { lines: 'keep' })} room={VALUE_LIMITS} />
        </pre>
      )}
    </>
  )
}

/** In plain words, so that nobody takes "expired" for "refused" or "approved" for "done". */
function Meaning({ request }: { request: WireRequest }) {
  const { time } = useLanguage()
  const locale = useLocale()
  const own = useOwnWords(REQUEST_WORDS).result
  const { sentences } = useWords()
  const { state, stop, expiresAt } = request
  const meaning = sayStateMeaning(request, locale)
  return (
    <>
      {meaning === undefined ? null : (
        <p class="meaning">
          {sentences(meaning, state === 'approved' && expiresAt !== null && own.lapsesAt(time(expiresAt)))}
        </p>
      )}
      {stop === undefined ? null : (
        <p class="meaning">
          {own.stopped(visible(stop.by))}{' '}
          {stop.reason === undefined ? null : <ServerText text={stop.reason} />}
        </p>
      )}
    </>
  )
}
