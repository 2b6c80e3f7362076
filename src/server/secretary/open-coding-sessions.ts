/** Coding sessions of this server: their engine for the session host, and the secretary once the host is there. */
import { homedir } from 'node:os'
import { CODER } from '../../agents/secretary/agent-names.ts'
import { createSecretary } from '../../agents/secretary/create-secretary.ts'
import { createSessionFolders } from '../../agents/secretary/folders.ts'
import { routeMessages } from '../../agents/secretary/route-messages.ts'
import { createSessionPlaces } from '../../agents/secretary/session-places.ts'
import { createSessionRecords } from '../../agents/secretary/session-records.ts'
import type { Agent } from '../../agents/sessions/session-host.ts'
import type { Secretary } from '../../core/secretary.ts'
import type { RecordVerbs } from '../../stores/record-verbs.ts'
import type { OpenedAgent, ServerAgentParts } from '../agent/engine-registration.ts'
import type { SecretaryConfiguration } from '../configuration/secretary-configuration.ts'
import { createHostIds, hostClock } from '../host/host.ts'
import { openCodingEngine } from './open-coding-engine.ts'

export interface CodingSessions {
  coder: OpenedAgent
  /** `agent`: the host, with messages to coding sessions taken by the secretary. */
  connect(host: Agent): { secretary: Secretary; agent: Agent }
}

export interface CodingSessionsParts extends ServerAgentParts {
  records: RecordVerbs
  /** Banksman's own folders. */
  ownFolders: readonly string[]
}

export async function openCodingSessions(
  settings: SecretaryConfiguration,
  parts: CodingSessionsParts,
): Promise<CodingSessions> {
  const { gateway, configuration } = parts
  const records = createSessionRecords(parts.records)
  const allowed = settings.folders ?? configuration.roots.map((path) => ({ path }))
  const folders = createSessionFolders({
    allowed: () => allowed,
    own: parts.ownFolders,
    home: homedir(),
  })
  const placeOf = createSessionPlaces({ records, folders })
  const workspace = allowed[0]?.path ?? process.cwd()
  const coder = await openCodingEngine({ ...parts, settings, placeOf, workspace })
  const ids = createHostIds()
  return {
    coder,
    connect(host) {
      const secretary = createSecretary({
        gateway,
        host,
        records,
        folders,
        agents: [CODER],
        settings,
        clock: hostClock,
        newSessionId: () => ids('ses'),
      })
      return { secretary, agent: routeMessages(host, secretary, records) }
    },
  }
}
