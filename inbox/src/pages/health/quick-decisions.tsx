import type { WireOversight } from '../../../../src/client/index.ts'
import { useInbox, useLanguage, useOwnWords } from '../../context/context.ts'
import { visible } from '../../model/text/visible-line.ts'
import { isQuickNotable } from './policy-hints.ts'
import { HEALTH_WORDS } from './words.ts'

/** Decisions that came faster than anyone reads. It blames nobody: mostly the rules are at fault. */
export function QuickDecisions({ figures }: { figures: Pick<WireOversight, 'quick' | 'timeToDecide'> }) {
  const { go } = useInbox()
  const { quick: words } = useOwnWords(HEALTH_WORDS)
  const { time } = useLanguage()
  const { quick, timeToDecide } = figures
  return (
    <section class="panel" aria-labelledby="quick">
      <h3 id="quick">{words.title}</h3>
      <p>{quick.decisions === 0 ? words.none : words.some(quick.decisions, timeToDecide.decided)}</p>
      {isQuickNotable(figures) ? <p class="hint">{words.explain}</p> : null}
      <ul class="streaks">
        {quick.streaks.map(({ by, count, from, to }) => (
          <li key={`${by} ${from}`}>
            <span>{words.streak(visible(by), count, time(from), time(to))}</span>
            <button
              type="button"
              class="as-link"
              onClick={() => go({ page: 'history', query: { by, since: dayOf(from), until: dayOf(to) } })}
            >
              {words.look}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The reader's own day, as the filters of the history have it. */
function dayOf(moment: string): string {
  const date = new Date(moment)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
