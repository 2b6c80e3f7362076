import { BanksmanError } from '../../core/errors.ts'
import type { SessionFolders, SessionPlace } from './folders.ts'
import type { SessionRecords } from './session-records.ts'

/** Where a session works, checked anew each time it is asked. Throws where it may not work there any more. */
export type PlaceOf = (session: { id: string }) => Promise<SessionPlace>

export function createSessionPlaces({
  records,
  folders,
}: {
  records: Pick<SessionRecords, 'find'>
  folders: SessionFolders
}): PlaceOf {
  return async ({ id }) => {
    const record = await records.find(id)
    if (record === undefined)
      throw new BanksmanError(
        'invalid',
        `session ${JSON.stringify(id)} has no folder: it was not started as a coding session; start one with POST /v1/sessions or banksman sessions start`,
      )
    return folders.check(record.folder)
  }
}
