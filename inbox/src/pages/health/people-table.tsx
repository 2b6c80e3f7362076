import type { WireOversight } from '../../../../src/client/index.ts'
import { useInbox, useOwnWords } from '../../context/context.ts'
import { visible } from '../../model/text/visible-line.ts'
import { HEALTH_WORDS } from './words.ts'

/** Who answers. */
export function PeopleTable({ people }: { people: WireOversight['people'] }) {
  const { go } = useInbox()
  const { people: words, duration, number, percent } = useOwnWords(HEALTH_WORDS)
  return (
    <section class="panel" aria-labelledby="people">
      <h3 id="people">{words.title}</h3>
      {people.length === 0 ? (
        <p class="hint">{words.none}</p>
      ) : (
        <div class="scrolls">
          <table>
            <thead>
              <tr>
                <th scope="col">{words.who}</th>
                <th scope="col" class="number">
                  {words.decided}
                </th>
                <th scope="col" class="number">
                  {words.approved}
                </th>
                <th scope="col" class="number">
                  {words.median}
                </th>
              </tr>
            </thead>
            <tbody>
              {people.map(({ by, decided, approved, medianMs }) => (
                <tr key={by}>
                  <th scope="row">
                    <button
                      type="button"
                      class="as-link"
                      onClick={() => go({ page: 'history', query: { by } })}
                    >
                      {visible(by)}
                    </button>
                  </th>
                  <td class="number">{number(decided)}</td>
                  <td class="number">{percent(decided === 0 ? 0 : approved / decided)}</td>
                  <td class="number">{medianMs === null ? '–' : duration(medianMs)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
