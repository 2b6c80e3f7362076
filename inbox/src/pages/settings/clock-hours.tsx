import type { QuietHours } from '../../../../src/client/index.ts'
import { useOwnWords } from '../../context/context.ts'
import { SETTINGS_WORDS } from './words.ts'

type Hours = Pick<QuietHours, 'from' | 'to'>

/** From when to when, by the clock. */
export function ClockHours({ hours, change }: { hours: Hours; change(part: Partial<Hours>): void }) {
  const words = useOwnWords(SETTINGS_WORDS).quiet
  return (
    <div class="hours">
      {(['from', 'to'] as const).map((end) => (
        <label key={end}>
          <span>{words[end]}</span>
          <input
            type="time"
            required
            value={hours[end]}
            onInput={({ currentTarget }) => change({ [end]: currentTarget.value })}
          />
        </label>
      ))}
    </div>
  )
}
