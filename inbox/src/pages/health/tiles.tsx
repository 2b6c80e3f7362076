import type { WireOversight } from '../../../../src/client/index.ts'
import { useInbox, useOwnWords } from '../../context/context.ts'
import { HEALTH_WORDS } from './words.ts'

/** The few numbers that say most. */
export function Tiles({ figures }: { figures: WireOversight }) {
  const { go } = useInbox()
  const words = useOwnWords(HEALTH_WORDS)
  const { tiles, number, percent, duration } = words
  const { calls, perDay, timeToDecide, expiredShare, states } = figures
  const asked = perDay.reduce((sum, day) => sum + day.asked, 0)
  return (
    <dl class="tiles wide">
      <div>
        <dt>{tiles.asked}</dt>
        <dd>{number(asked)}</dd>
        <dd class="hint">{tiles.askedPerDay(number(asked / Math.max(1, perDay.length)))}</dd>
      </div>
      <div>
        <dt>{tiles.median}</dt>
        <dd>{timeToDecide.medianMs === null ? '–' : duration(timeToDecide.medianMs)}</dd>
        <dd class="hint">
          {timeToDecide.p90Ms === null ? tiles.noneYet : tiles.p90(duration(timeToDecide.p90Ms))}
        </dd>
      </div>
      <div>
        <dt>{tiles.expired}</dt>
        <dd>{expiredShare === null ? '–' : percent(expiredShare)}</dd>
        <dd class="hint">
          {expiredShare === null ? (
            tiles.noneYet
          ) : (states.expired ?? 0) > 0 ? (
            <button
              type="button"
              class="as-link"
              onClick={() => go({ page: 'history', query: { state: 'expired' } })}
            >
              {tiles.ofOver}
            </button>
          ) : (
            tiles.ofOver
          )}
        </dd>
      </div>
      <div>
        <dt>{tiles.calls}</dt>
        <dd>{number(calls)}</dd>
        <dd class="hint">{tiles.ofCalls(percent(calls === 0 ? 0 : asked / calls))}</dd>
      </div>
    </dl>
  )
}
