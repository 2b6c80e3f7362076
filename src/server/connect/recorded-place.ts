/**
 * Where an agent's settings were when it was connected. The environment of today may name another folder; what we wrote is in the one of
 * that day, and has to be looked after, and taken out, there.
 */
import { isAbsolute } from 'node:path'
import type { AgentPlace, AgentSetup } from '../../coding-agents/setup/agent-setup.ts'
import { BanksmanError } from '../../core/errors.ts'
import { realPath } from '../facts/real-path.ts'
import { type ConnectionRecord, wiringOf } from './connection-record.ts'

/** The place by which the agent's files are those of the record. */
export function recordedPlace(setup: AgentSetup, place: AgentPlace, record: ConnectionRecord): AgentPlace {
  const folder = recordedFolder(setup, place, record)
  const { [setup.movedBy]: _, ...environment } = place.environment
  const places = [place, { ...place, environment }]
  return (
    places.find((one) => isSamePath(setup.folder(one), folder)) ?? {
      ...place,
      environment: { ...environment, [setup.movedBy]: folder },
    }
  )
}

export function recordedFolder(setup: AgentSetup, place: AgentPlace, record: ConnectionRecord): string {
  const [first] = setup.files(place, wiringOf(record, place.environment, setup))
  const inside = first?.path.slice(setup.folder(place).length) ?? ''
  const path = record.files[0]?.path ?? ''
  if (inside === '' || !path.endsWith(inside))
    throw new BanksmanError(
      'invalid',
      `the record of ${setup.title} names ${JSON.stringify(path)}, which is no file that Banksman writes to`,
    )
  return path.slice(0, -inside.length)
}

/** A folder that depends on where somebody stands is another one for each command. */
export function checkPlace(setup: AgentSetup, place: AgentPlace): void {
  const folder = setup.folder(place)
  if (!isAbsolute(folder))
    throw new BanksmanError(
      'invalid',
      `the folder with the settings of ${setup.title} must be absolute; found ${JSON.stringify(folder)} (see ${setup.movedBy} and the like)`,
    )
}

/** With links followed. */
export function isSamePath(one: string, other: string): boolean {
  return one === other || realPath(one) === realPath(other)
}
