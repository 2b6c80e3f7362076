/**
 * Coding sessions, put together: records, folders, the supervisor around an engine, notices, and the secretary once there is a session
 * host that has the engine among its agents.
 */
import type { SessionProgress } from '../../core/progress.ts'
import type { Secretary } from '../../core/secretary.ts'
import type { Actor } from '../../core/session.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { RecordVerbs } from '../../stores/record-verbs.ts'
import type { Engine } from '../sessions/engine.ts'
import type { Agent } from '../sessions/session-host.ts'
import { createSecretary } from './create-secretary.ts'
import { createSessionFolders, type SessionFoldersOptions } from './folders.ts'
import type { NotifyChannel } from './notices/notice-queue.ts'
import { createSessionNotices } from './notices/session-notices.ts'
import { routeMessages } from './route-messages.ts'
import type { SecretarySettings } from './secretary-settings.ts'
import { createSessionPlaces, type PlaceOf } from './session-places.ts'
import { createSessionRecords } from './session-records.ts'
import { superviseEngine } from './supervision/supervise-engine.ts'
import { createTurnJournal } from './turn-journal.ts'

export interface CodingSessionsParts {
  gateway: Pick<Gateway, 'session' | 'setMode' | 'endSession' | 'waiting' | 'get' | 'list' | 'turns'>
  records: RecordVerbs
  folders: SessionFoldersOptions
  settings: SecretarySettings & { idleMs: number }
  /** Writes to a chat, by the name of its channel. */
  notify: NotifyChannel
  /** Who reads requests and sessions for the secretary. An administrator. */
  self: Actor
  clock: Clock
  newSessionId(): string
  report(fault: { doing: string; error: unknown }): void
}

export interface CodingSessions {
  placeOf: PlaceOf
  /** What works in the folders, within its limits. */
  supervise(engine: Engine): Engine
  connect(host: Agent, agents: readonly [string, ...string[]]): ConnectedSecretary
}

export interface ConnectedSecretary {
  secretary: Secretary
  /** The host, with messages to coding sessions taken by the secretary. */
  agent: Agent
  /** Tells what was not told before. To be called when chats can be written to. */
  resume(): Promise<void>
  close(): void
}

const MAX_EXPIRED = 20

export function composeCodingSessions(parts: CodingSessionsParts): CodingSessions {
  const { gateway, settings, clock, self, report } = parts
  const records = createSessionRecords(parts.records)
  const folders = createSessionFolders(parts.folders)
  const placeOf = createSessionPlaces({ records, folders })
  let connected: Agent | undefined

  async function progress(session: string, turn?: string): Promise<SessionProgress> {
    if (connected === undefined) throw new Error('there is no session host yet')
    return connected.progress(session, self, turn)
  }

  const journal = createTurnJournal({ turns: gateway.turns, records, progress, report })
  const notices = createSessionNotices({
    records,
    notify: parts.notify,
    clock,
    report,
    progress,
    async expiredIn(session) {
      const { items } = await gateway.list({ state: 'expired', session, limit: MAX_EXPIRED }, self)
      return items.toSorted((one, other) => (one.id < other.id ? 1 : -1))
    },
  })

  return {
    placeOf,
    supervise: (engine) =>
      superviseEngine(engine, {
        records,
        placeOf,
        settings,
        idleMs: settings.idleMs,
        reasonOf: async (request) => (await gateway.get(request, self)).progress.decision?.reason,
        observe(event) {
          journal.observe(event)
          notices.observe(event)
        },
        expired: notices.expired,
        clock,
        report,
      }),
    connect(host, agents) {
      connected = host
      const { newSessionId } = parts
      const secretary = createSecretary({
        gateway,
        host,
        records,
        folders,
        agents,
        settings,
        clock,
        newSessionId,
      })
      const agent = routeMessages(host, secretary, records)
      return {
        secretary,
        agent,
        async resume() {
          await journal.resume()
          await notices.resume()
        },
        close: notices.close,
      }
    },
  }
}
