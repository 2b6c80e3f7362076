/** Coding sessions of this server: their engine for the session host, and the secretary once the host is there. */
import { homedir } from 'node:os'
import { CODER, SECRETARY } from '../../agents/secretary/agent-names.ts'
import {
  type ConnectedSecretary,
  composeCodingSessions,
} from '../../agents/secretary/compose-coding-sessions.ts'
import { createSessionFolders, type SessionFoldersOptions } from '../../agents/secretary/folders.ts'
import type { NotifyChannel } from '../../agents/secretary/notices/notice-queue.ts'
import { createSecretaryTalk } from '../../agents/secretary/talk/create-secretary-talk.ts'
import type { Agent } from '../../agents/sessions/session-host.ts'
import { isBanksmanError } from '../../core/errors.ts'
import type { Secretary } from '../../core/secretary.ts'
import type { SecretaryTalk } from '../../people/driver.ts'
import type { RecordVerbs } from '../../stores/record-verbs.ts'
import type { CodingPreset, OpenedAgent, ServerAgentParts } from '../agent/engine-registration.ts'
import type { SecretaryConfiguration } from '../configuration/secretary-configuration.ts'
import { createHostIds, hostClock } from '../host/host.ts'
import { openCodingEngine } from './open-coding-engine.ts'
import { openDemonstrationCoder } from './open-demonstration-coder.ts'
import { openSecretaryAgent } from './open-secretary-agent.ts'

export interface OpenedCodingSessions {
  /** What works in folders; and the secretary itself, where there is a model for it. */
  agents: ReadonlyMap<string, OpenedAgent>
  connect(host: Agent): ConnectedSecretary & { talk: SecretaryTalk }
}

export interface ServerCodingParts extends ServerAgentParts {
  records: RecordVerbs
  /** Banksman's own folders: no coding session works there. */
  ownFolders: readonly string[]
  notify: NotifyChannel
  /** The demonstration's, where the settings are. */
  preset?: CodingPreset
}

export async function openCodingSessions(
  settings: SecretaryConfiguration,
  parts: ServerCodingParts,
): Promise<OpenedCodingSessions> {
  const { gateway, configuration, records, ownFolders, notify, report, say } = parts
  const allowed = settings.folders ?? configuration.roots.map((path) => ({ path }))
  const places = { allowed: () => allowed, own: ownFolders, home: homedir() }
  tellUnusable(places, say)
  const ids = createHostIds()
  const sessions = composeCodingSessions({
    gateway,
    records,
    folders: places,
    settings,
    notify,
    self: { subject: configuration.owner, role: 'admin', via: 'secretary' },
    clock: hostClock,
    newSessionId: () => ids('ses'),
    report,
  })
  const workspace = allowed[0]?.path ?? process.cwd()
  const engineParts = { ...parts, settings, placeOf: sessions.placeOf, workspace }
  const coder =
    parts.preset === undefined
      ? await openCodingEngine(engineParts)
      : await openDemonstrationCoder(parts.preset, engineParts)
  let connected: Secretary | undefined
  const self = await openSecretaryAgent(settings, parts, () => {
    if (connected === undefined) throw new Error('there is no session host yet')
    return connected
  }).catch(async (error: unknown) => {
    await coder.close()
    throw error
  })
  return {
    agents: new Map([
      [CODER, { ...coder, engine: sessions.supervise(coder.engine) }],
      ...(self === undefined ? [] : ([[SECRETARY, self]] as const)),
    ]),
    connect(host) {
      const { secretary, agent, ...notices } = sessions.connect(host, [CODER])
      connected = secretary
      const talk = createSecretaryTalk({
        secretary,
        findPerson: gateway.findPerson,
        guard: gateway.guard,
        settableModes: async (id, actor) => gateway.settableModes(await gateway.session(id, actor), actor),
        records,
        notify,
        smart: self && { agent: SECRETARY, conversations: agent },
        prefix: settings.prefix,
        clock: hostClock,
        report,
      })
      return {
        secretary,
        agent,
        talk,
        async resume() {
          await notices.resume()
          await talk.resume()
        },
        close() {
          notices.close()
          talk.close()
        },
      }
    },
  }
}

/** The server starts all the same: a folder may be made later. */
function tellUnusable(places: SessionFoldersOptions, say: (line: string) => void): void {
  const folders = createSessionFolders(places)
  for (const { path } of places.allowed()) {
    try {
      folders.find(path)
    } catch (error) {
      if (!isBanksmanError(error, 'invalid')) throw error
      say(`secretary.folders: ${error.message}`)
    }
  }
}
