import type { WireOversight } from '../../../../src/client/index.ts'
import { useLanguage, useOwnWords } from '../../context/context.ts'
import { barsOf, middleOf, namedDays } from './scales.ts'
import { HEALTH_WORDS } from './words.ts'

type Days = WireOversight['perDay']
type PlottedVerdict = 'asked' | 'allowed' | 'denied'

const KINDS: readonly PlottedVerdict[] = ['asked', 'allowed', 'denied']

/**
 * Calls by day, a row for each thing that can be said of them. Thousands that are allowed would make the few that are asked
 * about invisible on one scale, so each row has its own.
 */
export function DayPlots({ perDay }: { perDay: Days }) {
  const words = useOwnWords(HEALTH_WORDS).perDay
  const name = useDayName()
  const named = namedDays(perDay.length)
  return (
    <section class="panel wide" aria-labelledby="per-day">
      <h3 id="per-day">{words.title}</h3>
      <p class="hint">{words.about}</p>
      <div class="day-plots">
        {KINDS.map((kind) => (
          <DayPlot key={kind} kind={kind} perDay={perDay} />
        ))}
        <div class="axis" aria-hidden="true">
          {named.map((index) => (
            <span key={index} style={{ left: `${middleOf(index, perDay.length)}%` }}>
              {name(perDay[index]!.day)}
            </span>
          ))}
        </div>
        <p class="axis-name" aria-hidden="true">
          {words.axis}
        </p>
      </div>
      <details>
        <summary>{words.table}</summary>
        <div class="scrolls">
          <table>
            <thead>
              <tr>
                <th scope="col">{words.day}</th>
                {KINDS.map((kind) => (
                  <th key={kind} scope="col" class="number">
                    {words[kind]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {perDay.toReversed().map((day) => (
                <tr key={day.day}>
                  <th scope="row">{name(day.day)}</th>
                  {KINDS.map((kind) => (
                    <td key={kind} class="number">
                      {day[kind]}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  )
}

function DayPlot({ kind, perDay }: { kind: PlottedVerdict; perDay: Days }) {
  const words = useOwnWords(HEALTH_WORDS).perDay
  const name = useDayName()
  const values = perDay.map((day) => day[kind])
  const most = Math.max(0, ...values)
  const total = values.reduce((sum, value) => sum + value, 0)
  const at = perDay[values.indexOf(most)]
  const bars = barsOf(values, Math.max(1, most))
  const place = 100 / Math.max(1, values.length)
  return (
    <figure class={`day-plot is-${kind}`}>
      <figcaption>
        <strong>{words[kind]}</strong> <span class="hint">{words.scale(most)}</span>
      </figcaption>
      <svg
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        role="img"
        aria-labelledby={`plot-${kind} plot-${kind}-what`}
      >
        <title id={`plot-${kind}`}>{words[kind]}</title>
        <desc id={`plot-${kind}-what`}>
          {words.describe(total, most, at === undefined ? '' : name(at.day))}
        </desc>
        {bars.map(({ x, y, width, height }, index) => (
          <g key={perDay[index]!.day}>
            <title>{`${name(perDay[index]!.day)}: ${values[index]}`}</title>
            <rect class="hover-place" x={index * place} y="0" width={place} height="100" />
            <rect class="bar" x={x} y={y} width={width} height={height} />
          </g>
        ))}
      </svg>
    </figure>
  )
}

/** The day is the reader's already: it must not be moved by their zone once more. */
function useDayName(): (day: string) => string {
  const { language } = useLanguage()
  const format = new Intl.DateTimeFormat(language.value, { month: 'short', day: 'numeric', timeZone: 'UTC' })
  return (day) => format.format(new Date(`${day}T00:00:00Z`))
}
