/**
 * Takes Banksman away from a coding agent. A file that only we have written is as it was before, to the byte; from one that others have
 * changed since, our entries are taken out and nothing else.
 */
import type { AgentPlace, AgentSetup, SetupFile } from '../../coding-agents/setup/agent-setup.ts'
import { type ConnectionRecord, forgetConnection, wiringOf } from './connection-record.ts'
import { type PlannedFile, planRemoving, writePlanned } from './planned-file.ts'

export interface PlannedRemoval extends PlannedFile {
  /** Ours is there, but somebody has changed it. */
  isChanged: boolean
}

export function planDisconnection(
  setup: AgentSetup,
  place: AgentPlace,
  record: ConnectionRecord,
): PlannedRemoval[] {
  return setupFiles(setup, place, record).map((file) => {
    const planned = planRemoving(file, record)
    return { ...planned, isChanged: planned.isTouched && file.find(planned.now) === 'changed' }
  })
}

/** Every file that has something of ours, as it was set up. */
export function setupFiles(setup: AgentSetup, place: AgentPlace, record: ConnectionRecord): SetupFile[] {
  const files = setup.files(place, wiringOf(record, place.environment, setup))
  if (setup.trust !== undefined && record.trusted.length > 0) files.push(setup.trust(place, record.trusted))
  return files
}

/** The hooks go first: what they run and who they are is of no use without them, but not the other way. */
export function disconnectAgent(setup: AgentSetup, place: AgentPlace, files: readonly PlannedFile[]): void {
  for (const file of files) writePlanned(file)
  forgetConnection(place.environment, setup.name)
}
