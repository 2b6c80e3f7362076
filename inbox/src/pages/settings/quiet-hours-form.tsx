import { useState } from 'preact/hooks'
import type { QuietHours } from '../../../../src/client/index.ts'
import { useOwnWords } from '../../context/context.ts'
import { areHours } from '../../model/notifications/do-not-disturb.ts'
import type { Notifications } from '../../model/notifications/notifications.ts'
import { ClockHours } from './clock-hours.tsx'
import { SETTINGS_WORDS } from './words.ts'

const USUAL = { from: '22:00', to: '07:00' }

/** Quiet hours, by the clock of this device. */
export function QuietHoursForm({ quiet, push }: Pick<Notifications, 'quiet' | 'push'>) {
  const words = useOwnWords(SETTINGS_WORDS).quiet
  const kept = quiet.settings.value.hours
  const zone = kept?.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const [typed, setTyped] = useState<Pick<QuietHours, 'from' | 'to'>>(kept ?? USUAL)
  const isWrong = !areHours({ ...typed, zone })

  function keep(hours: QuietHours | undefined): void {
    quiet.setHours(hours)
    // The server has them too, where it pushes to this browser. It is told again at the next visit.
    if (push.isChosen()) push.renew().catch(() => {})
  }

  function change(part: Partial<QuietHours>): void {
    const next = { ...typed, ...part }
    setTyped(next)
    if (areHours({ ...next, zone })) keep({ ...next, zone })
  }

  return (
    <section aria-labelledby="quiet-title">
      <h3 id="quiet-title">{words.title}</h3>
      <p>{words.explain}</p>
      <label class="choice">
        <input
          type="checkbox"
          checked={kept !== undefined}
          onChange={({ currentTarget }) =>
            keep(currentTarget.checked ? { ...(isWrong ? USUAL : typed), zone } : undefined)
          }
        />
        <span>{words.each}</span>
      </label>
      {kept === undefined ? null : (
        <>
          <ClockHours hours={typed} change={change} />
          <p class="hint">{words.zone(zone)}</p>
          {isWrong ? (
            <p class="note failure" role="alert">
              {words.wrong}
            </p>
          ) : null}
        </>
      )}
    </section>
  )
}
