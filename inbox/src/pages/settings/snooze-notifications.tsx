import { useLanguage, useOwnWords } from '../../context/context.ts'
import { now } from '../../model/browser/now.ts'
import type { DoNotDisturb } from '../../model/notifications/do-not-disturb.ts'
import { SETTINGS_WORDS } from './words.ts'

const MINUTE_MS = 60_000
const MORNING = 8

/** No notification of the page for a while. */
export function SnoozeNotifications({ quiet }: { quiet: DoNotDisturb }) {
  const speech = useLanguage()
  const words = useOwnWords(SETTINGS_WORDS).snooze
  const { snoozedUntil } = quiet.settings.value
  const isSnoozed = snoozedUntil !== undefined && snoozedUntil > now.value
  const choices: readonly (readonly [string, () => number])[] = [
    [words.halfHour, () => Date.now() + 30 * MINUTE_MS],
    [words.hour, () => Date.now() + 60 * MINUTE_MS],
    [words.morning, () => nextMorning(new Date())],
  ]
  return (
    <section aria-labelledby="snooze-title">
      <h3 id="snooze-title">{words.title}</h3>
      <p>{words.explain}</p>
      <p role="status">{isSnoozed ? words.until(speech.time(snoozedUntil)) : ''}</p>
      <div class="setting-choices">
        {isSnoozed ? (
          <button type="button" onClick={quiet.wake}>
            {words.resume}
          </button>
        ) : (
          choices.map(([text, until]) => (
            <button key={text} type="button" onClick={() => quiet.snooze(until())}>
              {text}
            </button>
          ))
        )}
      </div>
    </section>
  )
}

/** By the clock of this device. */
function nextMorning(from: Date): number {
  const morning = new Date(from)
  morning.setHours(MORNING, 0, 0, 0)
  if (morning <= from) morning.setDate(morning.getDate() + 1)
  return morning.getTime()
}
