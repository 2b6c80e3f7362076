import type { WireEarlier, WireView } from '../../../src/client/index.ts'
import { sayApprovedBefore } from '../../../src/display/deciders.ts'
import { useArmed } from '../decide/use-armed.ts'
import { useDeciders } from '../parts/deciders.tsx'
import { Told } from '../parts/spans.tsx'
import { useInbox, useOwnWords, useSpeech, useWords } from '../shell/context.ts'
import { wordFor } from '../words/words.ts'
import { REQUEST_WORDS } from './words.ts'

/** What was decided on calls like this one. */
export function Earlier({ view: { request, earlier } }: { view: WireView }) {
  const words = useOwnWords(REQUEST_WORDS).earlier
  const isArmed = useArmed(request.id)
  return (
    <section class="earlier">
      <h3>{words.title}</h3>
      {earlier.length === 0 ? (
        <p class="hint">{words.none}</p>
      ) : (
        <ul class="past">
          {earlier.map((one) => (
            <EarlierRow key={one.id} one={one} isArmed={isArmed} />
          ))}
        </ul>
      )}
    </section>
  )
}

function EarlierRow({ one, isArmed }: { one: WireEarlier; isArmed: boolean }) {
  const { open } = useInbox()
  const { time } = useSpeech()
  const words = useWords()
  const own = useOwnWords(REQUEST_WORDS)
  const deciders = useDeciders(one)
  const before = sayApprovedBefore(one, useSpeech().language.value)
  const { id, likeness, summary, state, outcome, decision, createdAt } = one
  const tag = outcome === undefined ? state : outcome === 'ok' ? 'done' : 'failed'
  return (
    <li>
      <button type="button" class="past-row" onClick={() => isArmed && open(id)}>
        <span class="past-head">
          <span class={`tag likeness-${likeness}`}>{wordFor(own.earlier.likeness, likeness)}</span>
          <span class={`tag state-${tag}`}>
            {outcome === undefined ? wordFor(words.state, state) : words.result.outcome(outcome === 'ok')}
          </span>
        </span>
        <code class="past-gist" dir="ltr">
          <Told text={summary} />
        </code>
        <span class="hint">
          {decision === undefined
            ? `${own.earlier.undecided}, ${time(createdAt)}`
            : own.result.by(deciders ?? '', wordFor(words.decided, decision.kind), time(decision.at))}
          {decision?.scope === undefined || decision.scope === 'once'
            ? null
            : ` · ${wordFor(words.scope, decision.scope)}`}
          {before === undefined ? null : ` · ${before}`}
        </span>
        {decision?.reason === undefined ? null : (
          <span class="quote">
            <Told text={decision.reason} isBlock />
          </span>
        )}
      </button>
    </li>
  )
}
