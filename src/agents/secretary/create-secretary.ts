/** The secretary (`core/secretary.ts`) on a session host: its own records beside the sessions that the host keeps. */

import type { Origin } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError, isBanksmanError } from '../../core/errors.ts'
import { waitsForAnswer } from '../../core/progress.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import {
  type CodingSession,
  modeNamed,
  SESSION_MODE_NAMES,
  type Secretary,
  type SessionModeName,
} from '../../core/secretary.ts'
import type { Actor, Mode, Session } from '../../core/session.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import { checkMessage } from '../sessions/check-message.ts'
import type { Agent } from '../sessions/session-host.ts'
import { answerOf } from './answer-of.ts'
import type { SessionFolders } from './folders.ts'
import { limitsOf, type SecretarySettings } from './secretary-settings.ts'
import type { SessionRecord, SessionRecords } from './session-records.ts'

export interface SecretaryParts {
  gateway: Pick<Gateway, 'session' | 'setMode' | 'endSession' | 'waiting'>
  host: Pick<Agent, 'say' | 'open' | 'sleep' | 'isAwake' | 'interrupt' | 'progress' | 'running' | 'events'>
  records: SessionRecords
  folders: SessionFolders
  /** The names of the agents that work in folders. */
  agents: readonly [string, ...string[]]
  settings: SecretarySettings
  clock: Pick<Clock, 'now'>
  /** For the name of a session. */
  newSessionId(): string
}

/** Of the first words. */
const MAX_TITLE = 120

export function createSecretary(parts: SecretaryParts): Secretary {
  const { gateway, host, records, folders, agents, settings, clock } = parts
  /** Starts of a person, one after the other: of two at once, both would find room. */
  const starting = new Map<string, Promise<unknown>>()

  async function access(session: string, actor: Actor): Promise<SessionRecord> {
    person(actor)
    const record = await records.find(session)
    if (record !== undefined && mayUse(record, actor)) return record
    throw unknownSession(session)
  }

  async function stateOf(
    session: string,
    { closedAt }: SessionRecord,
    { ended }: Session,
    actor: Actor,
  ): Promise<Pick<CodingSession, 'state' | 'waitsFor'>> {
    if (ended !== undefined) return { state: 'ended' }
    if (closedAt !== undefined) return { state: 'closed' }
    if ((await host.running(session, actor)) !== undefined) {
      const waiting = (await gateway.waiting(session, actor))?.items.map(({ request }) => request) ?? []
      if (waiting.length === 0) return { state: 'running' }
      return { state: 'waiting', ...(waitsForAnswer(waiting) ? { waitsFor: 'answer' } : {}) }
    }
    return { state: (await host.isAwake(session)) ? 'idle' : 'asleep' }
  }

  async function describe(id: string, record: SessionRecord, actor: Actor): Promise<CodingSession> {
    const session = await gateway.session(id, actor)
    const { owner, agent, folder, createdAt, lastAt, title } = record
    return {
      id,
      owner,
      agent,
      folder,
      mode: modeOf(session),
      ...(await stateOf(id, record, session, actor)),
      createdAt,
      lastAt,
      ...defined({ title }),
    }
  }

  /** What is open of a person's sessions, without the one that is to be opened. */
  async function refuseTooMany(owner: string, actor: Actor, but?: string): Promise<void> {
    const open = (await records.all()).filter(
      ({ session, record }) => record.owner === owner && record.closedAt === undefined && session !== but,
    )
    if (open.length < settings.sessionsPerPerson) return
    const ended = await Promise.all(
      open.map(async ({ session }) => (await gateway.session(session, actor)).ended !== undefined),
    )
    const count = ended.filter((isEnded) => !isEnded).length
    if (count < settings.sessionsPerPerson) return
    const limit = settings.sessionsPerPerson
    throw reasonedError('rate_limited', reasonOf('coding.many', { owner, count, limit }), { limit })
  }

  function inLine<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const done = (starting.get(owner) ?? Promise.resolve()).then(work)
    const settled = done.catch(() => {})
    starting.set(owner, settled)
    void settled.then(() => {
      if (starting.get(owner) === settled) starting.delete(owner)
    })
    return done
  }

  async function say(session: string, text: string, { askedAt, agent }: SessionRecord, actor: Actor) {
    return host.say({ session, text, agent, ...defined({ origin: askedAt }) }, actor, 'manage')
  }

  /** A closed session is open again with the next message. Its owner is told where they said it, not where an admin did. */
  async function noteMessage(
    session: string,
    record: SessionRecord,
    { text, origin }: { text: string; origin?: Origin },
    actor: Actor,
  ): Promise<SessionRecord> {
    const note = () =>
      records.change(session, ({ title, toldAt }) => ({
        closedAt: undefined,
        lastAt: clock.now(),
        title: title ?? titleOf(text),
        toldAt: actor.subject === record.owner ? (origin ?? toldAt) : toldAt,
      }))
    const noted =
      record.closedAt === undefined
        ? await note()
        : await inLine(record.owner, async () => {
            await refuseTooMany(record.owner, actor, session)
            return note()
          })
    if (noted === undefined) throw unknownSession(session)
    return noted
  }

  const secretary: Secretary = {
    offers(actor) {
      person(actor)
      return { folders: folders.list(), agents: [...agents] }
    },
    async start({ folder: wanted, text, mode, origin, agent = agents[0] }, actor) {
      person(actor)
      const wantedMode = mode === undefined ? undefined : toMode(mode)
      if (!agents.includes(agent))
        throw reasonedError('invalid', reasonOf('coding.no-agent', { agent, agents }))
      const session = parts.newSessionId()
      if (text !== undefined) checkMessage({ session, text })
      const { folder } = folders.find(wanted)
      const at = clock.now()
      const record: SessionRecord = {
        owner: actor.subject,
        agent,
        folder,
        createdAt: at,
        lastAt: at,
        used: { turns: 0, workedMs: 0 },
        extended: 0,
        ...defined({
          askedAt: origin,
          toldAt: origin,
          title: text === undefined ? undefined : titleOf(text),
        }),
      }
      await inLine(actor.subject, async () => {
        await refuseTooMany(actor.subject, actor)
        // The session first: a record without one would be listed, and could be talked to by nobody.
        await host.open({ session, agent }, actor)
        await records.create(session, record)
      })
      // The policy may have a mode of its own: `default` is set where it is asked for.
      if (wantedMode !== undefined) {
        await gateway.setMode(session, wantedMode, actor).catch(async (error: unknown) => {
          await records.remove(session)
          await gateway.endSession(session, { reason: 'its mode was refused' }, actor)
          throw error
        })
      }
      const said = text === undefined ? undefined : await say(session, text, record, actor)
      return { session: await describe(session, record, actor), ...defined({ said }) }
    },
    async list({ all = false, closed = false }, actor) {
      person(actor)
      if (all && actor.role !== 'admin') throw reasonedError('forbidden', reasonOf('coding.everybody'))
      const found = (await records.all()).filter(
        ({ record }) => (all || record.owner === actor.subject) && (closed || record.closedAt === undefined),
      )
      const sessions = await Promise.all(
        found.map(({ session, record }) => describe(session, record, actor).catch(unlessGone)),
      )
      return sessions
        .filter((each) => each !== undefined)
        .filter(({ state }) => closed || state !== 'ended')
        .toSorted((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1))
    },
    async find(session, actor) {
      return describe(session, await access(session, actor), actor)
    },
    async send(session, message, actor) {
      const record = await access(session, actor)
      checkMessage({ session, text: message.text })
      return say(session, message.text, await noteMessage(session, record, message, actor), actor)
    },
    async sendAndWait(session, message, actor, { signal } = {}) {
      const said = await secretary.send(session, message, actor)
      return answerOf(host.events(session, { after: said.after, ...defined({ signal }) }, actor), said.turn)
    },
    async progress(session, actor) {
      const record = await access(session, actor)
      const [progress, found] = await Promise.all([
        host.progress(session, actor),
        gateway.session(session, actor),
      ])
      const { turn, state } = progress
      return {
        ...progress,
        folder: record.folder,
        mode: modeOf(found),
        elapsedMs: turn === undefined || state === 'idle' ? 0 : Math.max(0, clock.now() - turn.begunAt),
        used: record.used,
        limits: limitsOf(settings, record),
      }
    },
    async interrupt(session, input, actor) {
      await access(session, actor)
      return host.interrupt(session, input, actor)
    },
    async setMode(session, name, actor) {
      await access(session, actor)
      const mode = toMode(name)
      await gateway.setMode(session, mode, actor)
      return mode
    },
    async close(session, actor) {
      await access(session, actor)
      // First of all: what the stop ends is not told.
      await records.change(session, ({ closedAt }) => ({ closedAt: closedAt ?? clock.now() }))
      await host.sleep(session, { reason: 'the session was closed' }, actor)
    },
  }
  return secretary
}

function mayUse({ owner }: SessionRecord, actor: Actor): boolean {
  return owner === actor.subject || actor.role === 'admin'
}

function modeOf({ mode }: Session): Mode {
  return (mode ?? 'default') as Mode
}

function toMode(name: SessionModeName): Mode {
  if (!SESSION_MODE_NAMES.includes(name))
    throw new BanksmanError(
      'invalid',
      `mode must be one of ${SESSION_MODE_NAMES.join(', ')}; found ${JSON.stringify(name)}`,
    )
  return modeNamed(name)
}

function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE).toWellFormed()}…` : line
}

function unlessGone(error: unknown): undefined {
  if (!isBanksmanError(error, 'unknown_id')) throw error
}

function person(actor: Actor): void {
  if (actor.role === 'agent')
    throw new BanksmanError('forbidden', "an agent's credential can't use coding sessions")
}

function unknownSession(id: string): BanksmanError {
  return reasonedError('unknown_id', reasonOf('coding.none', { id }))
}
