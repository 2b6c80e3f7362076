import type { WireOversight } from '../../../../src/client/index.ts'
import { useOwnWords } from '../../context/context.ts'
import { ShareBar } from './share-bar.tsx'
import { HEALTH_WORDS } from './words.ts'

/** How long people took: a bar for each stretch of time. */
export function TimePlot({ figures }: { figures: WireOversight['timeToDecide'] }) {
  const { time: words, duration, number } = useOwnWords(HEALTH_WORDS)
  const { decided, medianMs, p90Ms, buckets } = figures
  const most = Math.max(1, ...buckets.map(({ count }) => count))
  const label = (index: number) => {
    const from = index === 0 ? null : (buckets[index - 1]?.belowMs ?? null)
    const to = buckets[index]?.belowMs ?? null
    if (from === null) return to === null ? '' : words.below(duration(to))
    return to === null ? words.above(duration(from)) : words.between(duration(from), duration(to))
  }
  return (
    <section class="panel" aria-labelledby="time">
      <h3 id="time">{words.title}</h3>
      {decided === 0 || medianMs === null || p90Ms === null ? (
        <p class="hint">{words.none}</p>
      ) : (
        <>
          <p>{words.summary(duration(medianMs), duration(p90Ms))}</p>
          <table class="bar-table">
            <thead class="hint">
              <tr>
                <th scope="col">{words.took}</th>
                <th scope="col" class="number" colSpan={2}>
                  {words.decisions}
                </th>
              </tr>
            </thead>
            <tbody>
              {buckets.map(({ belowMs, count }, index) => (
                <tr key={belowMs ?? 'above'}>
                  <th scope="row">{label(index)}</th>
                  <td class="number">{number(count)}</td>
                  <td class="bar-cell">
                    <ShareBar parts={[{ kind: 'plain', value: count }]} of={most} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  )
}
