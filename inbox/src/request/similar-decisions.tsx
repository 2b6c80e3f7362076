import type { WireEarlier, WireView } from '../../../src/client/index.ts'
import { sayApprovedBefore } from '../../../src/display/words/deciders.ts'
import { sayDecided } from '../../../src/display/words/decisions.ts'
import { sayState } from '../../../src/display/words/request-states.ts'
import { useDeciders } from '../components/deciders.tsx'
import { ServerText } from '../components/text/spans.tsx'
import { useArmed } from '../components/use-armed.ts'
import { whenArmed } from '../components/when-armed.ts'
import { useInbox, useLanguage, useLocale, useOwnWords, useWords } from '../context/context.ts'
import { wordFor } from '../words/words.ts'
import { REQUEST_WORDS } from './words/words.ts'

/** What was decided on calls like this one. */
export function SimilarDecisions({ view: { request, earlier } }: { view: WireView }) {
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
  const { time } = useLanguage()
  const words = useWords()
  const own = useOwnWords(REQUEST_WORDS)
  const deciders = useDeciders(one)
  const locale = useLocale()
  const before = sayApprovedBefore(one, locale)
  const { id, likeness, summary, state, outcome, decision, createdAt } = one
  const tag = outcome === undefined ? state : outcome === 'ok' ? 'done' : 'failed'
  return (
    <li>
      <button type="button" class="past-row" onClick={() => whenArmed(isArmed, () => open(id))}>
        <span class="past-head">
          <span class={`tag likeness-${likeness}`}>{wordFor(own.earlier.likeness, likeness)}</span>
          <span class={`tag state-${tag}`}>{sayState(state, locale, outcome)}</span>
        </span>
        <code class="past-gist" dir="ltr">
          <ServerText text={summary} />
        </code>
        <span class="hint">
          {decision === undefined
            ? `${own.earlier.undecided}, ${time(createdAt)}`
            : own.result.by(deciders ?? '', sayDecided(decision.kind, locale), time(decision.at))}
          {decision?.scope === undefined || decision.scope === 'once'
            ? null
            : ` · ${wordFor(words.scope, decision.scope)}`}
          {before === undefined ? null : ` · ${before}`}
        </span>
        {decision?.reason === undefined ? null : (
          <span class="quote">
            <ServerText text={decision.reason} isBlock />
          </span>
        )}
      </button>
    </li>
  )
}
