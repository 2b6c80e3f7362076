/** What each command does, and what is answered. None of them needs a model. */
import type { Origin } from '../../../core/call.ts'
import {
  type CodingSession,
  modeNamed,
  type Secretary,
  type SessionModeName,
} from '../../../core/secretary.ts'
import type { Actor, Mode } from '../../../core/session.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { Locale } from '../../../display/words/rendering-words.ts'
import type { TalkAnswer } from '../../../people/driver.ts'
import { findSession } from './find-session.ts'
import type { ModeCards } from './mode-cards.ts'
import { asksLess } from './mode-names.ts'
import type { TalkCommand } from './parse-talk.ts'
import { nameOf } from './quote-words.ts'
import { folderName, sayProgress, saySessions } from './say-sessions.ts'
import type { KeptPlace, PlaceKey, TalkRecords } from './talk-records.ts'
import { type TalkWords, talkWords } from './talk-words.ts'

/** Who wrote, and where. */
export interface TalkContext {
  actor: Actor
  key: PlaceKey
  place: KeptPlace
  origin: Origin & { conversation: string }
  isPrivate: boolean
  locale: Locale
}

export interface TalkCommandParts {
  secretary: Secretary
  places: Pick<TalkRecords, 'change'>
  modes: Pick<ModeCards, 'ask'>
  /** The person's conversation with the secretary in this chat: requests of ours are asked in it. */
  ownSession(context: TalkContext): Promise<string>
  /** The modes that somebody may set in a session. */
  settableModes(session: string, actor: Actor): Promise<readonly Mode[]>
  prefix: string
  hasModel: boolean
  clock: Pick<Clock, 'now'>
}

export type RunCommand = (command: TalkCommand, context: TalkContext) => Promise<TalkAnswer>

export function createRunCommand(parts: TalkCommandParts): RunCommand {
  const { secretary, places, modes, prefix, hasModel, clock } = parts

  /** The one that was named, else the current one; or what is answered. */
  async function sessionFor(
    written: string | undefined,
    { actor, place, locale }: TalkContext,
  ): Promise<CodingSession | TalkAnswer> {
    const words = talkWords(locale)
    const wanted = written ?? place.session
    if (wanted === undefined) return { text: words.noSession(prefix) }
    const found = await findSession(secretary, wanted, actor)
    switch (found.kind) {
      case 'one':
        return found.session
      case 'none':
        return {
          text:
            written === undefined ? words.noSession(prefix) : words.noSuchSession(nameOf(written), prefix),
          isAlone: true,
        }
      case 'several': {
        const ids = found.sessions.slice(0, 10).map(({ id }) => id)
        return { text: words.severalSessions(nameOf(wanted), ids.join(', ')), isAlone: true }
      }
    }
  }

  async function startSession(
    { folder, text, mode }: Extract<TalkCommand, { name: 'new' }>,
    context: TalkContext,
    words: TalkWords,
  ): Promise<TalkAnswer> {
    const { actor, key, origin } = context
    const isAsked = mode !== undefined && asksLess(mode)
    const { session } = await secretary.start(
      {
        folder,
        origin,
        ...(text === undefined ? {} : { text }),
        ...(mode === undefined || isAsked ? {} : { mode }),
      },
      actor,
    )
    await places.change(key, { session: session.id })
    const name = folderName(session.folder)
    const head =
      text === undefined ? words.waitsForMessage(name, session.id) : words.startedIn(name, session.id)
    return { text: isAsked ? `${head}\n${await askMode(session, mode, context)}` : head }
  }

  async function askMode(
    { id, folder }: CodingSession,
    mode: SessionModeName,
    context: TalkContext,
  ): Promise<string> {
    const { actor, origin, locale } = context
    const words = talkWords(locale)
    // Nobody is asked to approve what could not be done.
    if (!(await parts.settableModes(id, actor)).includes(modeNamed(mode))) return words.modeNotAllowed(mode)
    const askedIn = await parts.ownSession(context)
    await modes.ask({ session: id, folder, mode, actor, origin, askedIn, locale })
    return words.modeAsked(mode)
  }

  async function onSession(
    command: Extract<TalkCommand, { name: 'switch' | 'progress' | 'stop' | 'close' | 'mode' }>,
    context: TalkContext,
    words: TalkWords,
  ): Promise<TalkAnswer> {
    const { actor, key, place, isPrivate, locale } = context
    const found = await sessionFor('session' in command ? command.session : undefined, context)
    if (!('id' in found)) return found
    const { id, folder, state } = found
    const name = folderName(folder)
    switch (command.name) {
      case 'switch':
        await places.change(key, { session: id })
        return { text: words.switched(name, id) }
      case 'progress': {
        const progress = await secretary.progress(id, actor)
        // What a session says isn't for a group.
        return { text: sayProgress(progress, { state, locale }), isAlone: !isPrivate }
      }
      case 'stop': {
        const wasRunning = await secretary.interrupt(id, { kind: 'hard', reason: 'stopped in a chat' }, actor)
        return { text: wasRunning ? words.stopped : words.nothingRuns }
      }
      case 'close':
        await secretary.close(id, actor)
        if (place.session === id) await places.change(key, { session: undefined })
        return { text: words.closed(name) }
      case 'mode':
        if (asksLess(command.mode)) return { text: await askMode(found, command.mode, context) }
        await secretary.setMode(id, command.mode, actor)
        return { text: words.mode(command.mode) }
    }
  }

  return async (command, context) => {
    const { actor, key, place, isPrivate, locale } = context
    const words = talkWords(locale)
    switch (command.name) {
      case 'new':
        return startSession(command, context, words)
      case 'list': {
        const all = actor.role === 'admin'
        const sessions = await secretary.list(all ? { all } : {}, actor)
        const text =
          sessions.length === 0
            ? words.noSessions(prefix)
            : saySessions(sessions, { current: place.session, now: clock.now(), locale })
        return { text, isAlone: !isPrivate }
      }
      case 'direct': {
        await places.change(key, { isDirect: true })
        const session = place.session === undefined ? undefined : await sessionFor(undefined, context)
        const folder = session !== undefined && 'id' in session ? folderName(session.folder) : undefined
        return { text: words.direct(folder, prefix) }
      }
      case 'smart':
        if (!hasModel) return { text: words.noModel(prefix) }
        await places.change(key, { isDirect: false })
        return { text: words.smart }
      case 'help':
        return { text: words.help(prefix, hasModel) }
      default:
        return onSession(command, context, words)
    }
  }
}
