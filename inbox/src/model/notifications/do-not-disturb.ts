/**
 * When this device is not to disturb anybody: quiet hours that come back every day, and "nothing until" a moment. Kept in
 * this browser; a subscription to Web Push takes the hours along to the server.
 */
import { type ReadonlySignal, signal } from '@preact/signals'
import type { QuietHours } from '../../../../src/client/index.ts'
import {
  CLOCK_TIME,
  isQuiet as isQuietHour,
  isTimeZone,
  quietUntil,
} from '../../../../src/core/time/quiet-hours.ts'
import { createStoredValue } from '../browser/stored-value.ts'

export interface DoNotDisturbSettings {
  readonly hours?: QuietHours
  /** Nothing is shown before this moment. */
  readonly snoozedUntil?: number
}

export interface DoNotDisturb {
  readonly settings: ReadonlySignal<DoNotDisturbSettings>
  setHours(hours: QuietHours | undefined): void
  snooze(until: number): void
  wake(): void
}

const NAME = 'banksman.quiet'

export function createDoNotDisturb(storage: () => Storage): DoNotDisturb {
  const kept = createStoredValue(storage, NAME, readSettings)
  const settings = signal<DoNotDisturbSettings>(kept.read() ?? {})

  function set(next: DoNotDisturbSettings): void {
    settings.value = next
    kept.write(Object.keys(next).length === 0 ? undefined : next)
  }

  return {
    settings,
    setHours(hours) {
      const { hours: _, ...rest } = settings.value
      set(hours === undefined ? rest : { ...rest, hours })
    },
    snooze: (until) => set({ ...settings.value, snoozedUntil: until }),
    wake() {
      const { snoozedUntil: _, ...rest } = settings.value
      set(rest)
    },
  }
}

export function isQuiet({ hours, snoozedUntil }: DoNotDisturbSettings, at: number): boolean {
  if (snoozedUntil !== undefined && at < snoozedUntil) return true
  return hours !== undefined && isQuietHour(hours, at)
}

/** When it is over; the moment itself where it is not quiet. It may be quiet for another reason then: ask again. */
export function quietEnd({ hours, snoozedUntil }: DoNotDisturbSettings, at: number): number {
  return Math.max(at, snoozedUntil ?? 0, hours === undefined ? 0 : quietUntil(hours, at))
}

/** Whether these are hours that the server would take too. */
export function areHours({ from, to, zone }: QuietHours): boolean {
  return CLOCK_TIME.test(from) && CLOCK_TIME.test(to) && from !== to && isTimeZone(zone)
}

function readSettings(value: unknown): DoNotDisturbSettings | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { hours, snoozedUntil } = value as Record<string, unknown>
  return {
    ...(isHours(hours) ? { hours } : {}),
    ...(typeof snoozedUntil === 'number' && Number.isFinite(snoozedUntil) ? { snoozedUntil } : {}),
  }
}

function isHours(value: unknown): value is QuietHours {
  if (typeof value !== 'object' || value === null) return false
  const { from, to, zone } = value as Record<string, unknown>
  if (typeof from !== 'string' || typeof to !== 'string' || typeof zone !== 'string') return false
  return areHours({ from, to, zone })
}
