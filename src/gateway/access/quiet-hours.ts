/** When people are not to be disturbed, as they set it themselves. It wins over what the configuration says of them. */

import type { Directory } from '../../core/authority.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { Actor } from '../../core/session.ts'
import { CLOCK_TIME, isTimeZone, type QuietHours } from '../../core/time/quiet-hours.ts'
import type { Store } from '../../stores/store.ts'
import { checkOwnCredential } from './check-own-credential.ts'

export interface QuietHoursVerbs {
  /** What counts for them now, and whose word it is. */
  of(subject: string): Promise<SetQuietHours | undefined>
  set(hours: QuietHours, actor: Actor): Promise<void>
  /** What the configuration says counts again. */
  clear(actor: Actor): Promise<void>
}

export interface SetQuietHours {
  hours: QuietHours
  from: 'configuration' | 'person'
}

export interface QuietHoursPorts {
  records: Store['records']
  directory(): Directory
}

const KIND = 'quiet_hours'
const MAX_TRIES = 10

export function createQuietHours({ records, directory }: QuietHoursPorts): QuietHoursVerbs {
  async function change(subject: string, hours: QuietHours | undefined): Promise<void> {
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const before = await records.get(KIND, subject)
      if (before === undefined && hours === undefined) return
      const value = hours === undefined ? {} : { value: { ...hours } }
      const { won } = await records.change([
        { kind: KIND, key: subject, version: before?.version ?? 0, ...value },
      ])
      if (won) return
    }
    throw reasonedError('store_unavailable', reasonOf('quiet.changing'))
  }

  return {
    async of(subject) {
      const record = await records.get(KIND, subject)
      if (record !== undefined) return { hours: record.value as unknown as QuietHours, from: 'person' }
      const hours = directory().people.get(subject)?.quietHours
      return hours && { hours, from: 'configuration' }
    },
    async set({ from, to, zone }, actor) {
      checkOwnCredential(actor, 'sets quiet hours')
      if (!CLOCK_TIME.test(from) || !CLOCK_TIME.test(to))
        throw reasonedError('invalid', reasonOf('quiet.times'))
      if (!isTimeZone(zone)) throw reasonedError('invalid', reasonOf('quiet.zone'))
      await change(actor.subject, { from, to, zone })
    },
    async clear(actor) {
      checkOwnCredential(actor, 'sets quiet hours')
      await change(actor.subject, undefined)
    },
  }
}
