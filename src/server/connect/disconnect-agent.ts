/**
 * Takes Banksman away from a coding agent. A file that only we have written is as it was before, to the byte; from one that others have
 * changed since, our entries are taken out and nothing else.
 */
import type { AgentPlace, AgentSetup, SetupFile } from '../../coding-agents/setup/agent-setup.ts'
import { type ConnectionRecord, forgetConnection, wiringOf } from './connection-record.ts'
import { type PlannedFile, planRemoving, removeEmptyFolders, writePlanned } from './planned-file.ts'
import { recordedPlace } from './recorded-place.ts'

export interface PlannedRemoval extends PlannedFile {
  /** Ours is there, but somebody has changed it. */
  isChanged: boolean
}

export function planDisconnection(
  setup: AgentSetup,
  placeNow: AgentPlace,
  record: ConnectionRecord,
): PlannedRemoval[] {
  const place = recordedPlace(setup, placeNow, record)
  const wiring = wiringOf(record, place.environment, setup)
  const plan = (file: SetupFile): PlannedRemoval => {
    const planned = planRemoving(file, record)
    return { ...planned, isChanged: planned.isTouched && file.find(planned.now) === 'changed' }
  }
  const files = setup.files(place, wiring).map(plan)
  if (setup.trust === undefined || record.trusted.length === 0) return files
  return [...files, plan(setup.trust(place, { wiring, ours: record.trusted, changes: files }))]
}

/** Every file that has something of ours, as it was set up. */
export function setupFiles(setup: AgentSetup, placeNow: AgentPlace, record: ConnectionRecord): SetupFile[] {
  const place = recordedPlace(setup, placeNow, record)
  const wiring = wiringOf(record, place.environment, setup)
  const files = setup.files(place, wiring)
  if (setup.trust !== undefined && record.trusted.length > 0)
    files.push(setup.trust(place, { wiring, ours: record.trusted }))
  return files
}

/** The hooks go first: what they run and who they are is of no use without them, but not the other way. */
export function disconnectAgent(
  setup: AgentSetup,
  place: AgentPlace,
  { folders }: ConnectionRecord,
  files: readonly PlannedFile[],
): void {
  for (const file of files) writePlanned(file)
  removeEmptyFolders(folders)
  forgetConnection(place.environment, setup.name)
}
