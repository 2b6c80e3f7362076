/**
 * How people talk to the secretary in chats: commands, and words for a session (direct) or for the secretary (smart).
 *
 * Only people whose account is linked are heard, and only their own sessions are there for them. In a group a message counts if it is a
 * command or names the bot. A message is done at most once. Without a model every message goes straight to the session.
 */
import { randomUUID } from 'node:crypto'
import { isBanksmanError } from '../../../core/errors.ts'
import type { Secretary } from '../../../core/secretary.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { sayError } from '../../../display/reasons/say-error.ts'
import type { FindPerson } from '../../../gateway/access/find-person.ts'
import type { SecretaryTalk, TalkAnswer, TalkMessage, TalkPlace } from '../../../people/driver.ts'
import type { RecordVerbs } from '../../../stores/record-verbs.ts'
import { createLaterWords, type LaterWordsParts } from './later-words.ts'
import { createModeCards, type ModeCardsParts } from './mode-cards.ts'
import { parseTalk, type Talk } from './parse-talk.ts'
import { isQuoted, nameOf } from './quote-words.ts'
import { createRunCommand, type TalkCommandParts, type TalkContext } from './run-command.ts'
import { createSmartTalk, type SmartTalkParts } from './smart-talk.ts'
import { createTalkRecords, type KeptPlace, type MessageFrom } from './talk-records.ts'
import { talkWords } from './talk-words.ts'

export interface SecretaryTalkParts {
  secretary: Secretary
  findPerson: FindPerson
  guard: ModeCardsParts['guard']
  settableModes: TalkCommandParts['settableModes']
  records: RecordVerbs
  notify: LaterWordsParts['notify']
  /** The agent that answers in smart mode. Absent: there is no model. */
  smart: Pick<SmartTalkParts, 'agent' | 'conversations'> | undefined
  /** What commands begin with. */
  prefix: string
  clock: Pick<Clock, 'now' | 'after'>
  report(fault: { doing: string; error: unknown }): void
}

export interface OpenSecretaryTalk extends SecretaryTalk {
  /** Goes on with what the last run left: cards for modes, answers of the secretary, what was not told. */
  resume(): Promise<void>
  close(): void
}

/** Of all that a service waits for, a click is the first to be late. */
const ANSWER_WITHIN_MS = 2_000
/** Longer than anything that a message leads to. */
const GIVE_UP_AFTER_MS = 60_000

export function createSecretaryTalk(parts: SecretaryTalkParts): OpenSecretaryTalk {
  const { secretary, findPerson, guard, records, notify, prefix, clock, report } = parts
  const kept = createTalkRecords(records)
  const later = createLaterWords({ records, notify, clock, report })
  const modes = createModeCards({ guard, secretary, records, later, randomId: randomUUID, report })
  const smart = parts.smart && createSmartTalk({ ...parts.smart, records, later, report })
  const runCommand = createRunCommand({
    secretary,
    places: kept,
    modes,
    ownSession,
    settableModes: parts.settableModes,
    prefix,
    hasModel: smart !== undefined,
    clock,
  })
  /** What one person writes in one chat is taken in its order. */
  const lines = new Map<string, Promise<unknown>>()

  let isClosed = false

  const isDirectAt = ({ isDirect }: KeptPlace) => smart === undefined || isDirect === true

  async function ownSession({ key, place }: TalkContext): Promise<string> {
    if (place.ownSession !== undefined) return place.ownSession
    const { ownSession: made } = await kept.change(key, { ownSession: `secretary_${randomUUID()}` })
    return made!
  }

  async function toSession(
    text: string,
    { actor, place, key, origin, locale }: TalkContext,
  ): Promise<TalkAnswer> {
    const words = talkWords(locale)
    if (place.session === undefined) return { text: words.noSession(prefix) }
    try {
      await secretary.send(place.session, { text, origin }, actor)
      return { text: words.started }
    } catch (error) {
      if (!isBanksmanError(error, 'unknown_id')) throw error
      await kept.change(key, { session: undefined })
      return { text: words.noSession(prefix) }
    }
  }

  /** A conversation that somebody has ended is begun anew. */
  async function toSecretary(text: string, context: TalkContext): Promise<TalkAnswer> {
    const { actor, origin, locale, key } = context
    const say = (session: string) => smart!.say({ text, session, actor, origin, locale })
    try {
      await say(await ownSession(context))
    } catch (error) {
      if (!isBanksmanError(error, 'session_ended')) throw error
      const place = await kept.change(key, { ownSession: undefined })
      await say(await ownSession({ ...context, place }))
    }
    return {}
  }

  async function answer(talk: Talk, context: TalkContext): Promise<TalkAnswer> {
    const words = talkWords(context.locale)
    try {
      if (talk.kind === 'mistake') return { text: nameOf(words.mistake(talk.mistake, prefix), 1_000) }
      if (talk.kind === 'command') return await runCommand(talk.command, context)
      return isDirectAt(context.place)
        ? await toSession(talk.text, context)
        : await toSecretary(talk.text, context)
    } catch (error) {
      if (!isBanksmanError(error) || isFaultOfOurs(error.code)) throw error
      return { text: words.failed(nameOf(sayError(error, context.locale), 500)), isAlone: true }
    }
  }

  /** The first answer in a chat says that there is no model. */
  async function withFirstWords(given: TalkAnswer, { key, place, locale }: TalkContext): Promise<TalkAnswer> {
    if (smart !== undefined || place.wasTold === true || given.text === undefined) return given
    await kept.change(key, { wasTold: true })
    return { ...given, text: `${given.text}\n\n${talkWords(locale).directByDefault(prefix)}` }
  }

  /**
   * A session that is interrupted first may take ten seconds to stop, and others stand behind this message. So after a moment it
   * counts as heard, and the answer comes as a notice.
   */
  async function answerSoon(
    taking: Promise<TalkAnswer>,
    { event, service, account }: TalkMessage,
    from: MessageFrom,
  ) {
    let isLate = false
    const { promise: late, resolve } = Promise.withResolvers<TalkAnswer>()
    const timer = clock.after(ANSWER_WITHIN_MS, () => {
      isLate = true
      resolve({})
    })
    const tell = ({ text, isAlone = false }: TalkAnswer) =>
      text === undefined
        ? undefined
        : tellLater(
            JSON.stringify([service, event]),
            isAlone ? { ...from, conversation: account } : from,
            text,
          )
    const done = taking.finally(() => timer.cancel())
    done
      .then(
        (given) => (isLate ? tell(given) : undefined),
        (error: unknown) => {
          if (!isLate) return undefined
          report({ doing: 'taking a message to the secretary', error })
          return tell({ text: talkWords(from.locale).repeated, isAlone: true })
        },
      )
      .catch((error) => report({ doing: 'answering a message to the secretary', error }))
    return Promise.race([done, late])
  }

  function tellLater(key: string, from: MessageFrom, text: string): Promise<void> {
    const { channel, conversation, owner } = from
    const [title = '', ...rest] = text.split('\n').filter((line) => line !== '')
    // With words of a session among them they are no words of ours (P9).
    const more = rest.some(isQuoted) ? { quoted: rest.join('\n') } : { detail: rest.join(' · ') }
    const words = rest.length === 0 ? { title } : { title, ...more }
    return later.say(`answer:${key}`, { channel, conversation, owner, words })
  }

  /** What another process was at when it ended is not done again; whoever wrote it is told. It may run elsewhere, so that takes a while. */
  async function giveUpUnfinished(): Promise<void> {
    for (const { key, from } of await kept.unfinished()) {
      clock.after(GIVE_UP_AFTER_MS, () => {
        giveUp(key, from).catch((error) => report({ doing: 'giving up a message to the secretary', error }))
      })
    }
  }

  async function giveUp(key: string, from: MessageFrom): Promise<void> {
    if (!isClosed && (await kept.giveUp(key))) await tellLater(key, from, talkWords(from.locale).repeated)
  }

  async function take(
    message: TalkMessage,
    talk: Talk,
    context: Omit<TalkContext, 'place'>,
    from: MessageFrom,
  ): Promise<TalkAnswer> {
    const done = await kept.once(message, from, async () => {
      const whole = { ...context, place: await kept.place(context.key) }
      return withFirstWords(await answer(talk, whole), whole)
    })
    return done === 'unknown' ? { text: talkWords(message.locale).repeated, isAlone: true } : done
  }

  function inLine<T>(key: string, work: () => Promise<T>): Promise<T> {
    const done = (lines.get(key) ?? Promise.resolve()).then(work)
    const settled = done.catch(() => {})
    lines.set(key, settled)
    void settled.then(() => {
      if (lines.get(key) === settled) lines.delete(key)
    })
    return done
  }

  return {
    async isDirect(place, by) {
      const { subject } = await findPerson(by)
      return isDirectAt(await kept.place({ service: place.service, chat: place.chat, subject }))
    },
    async hear(message, by) {
      const { service, chat, isPrivate, isAddressed, locale } = message
      const talk = parseTalk(message.text, prefix)
      if (talk.kind === 'words' && (talk.text === '' || !(isPrivate || isAddressed === true)))
        return undefined
      const actor = await findPerson(by)
      const key = { service, chat, subject: actor.subject }
      const context = { actor, key, origin: originOf(message), isPrivate, locale }
      const from = { ...context.origin, owner: actor.subject, locale }
      return answerSoon(
        inLine(JSON.stringify(key), () => take(message, talk, context, from)),
        message,
        from,
      )
    },
    async resume() {
      await later.resume()
      await modes.resume()
      await smart?.resume()
      await giveUpUnfinished()
    },
    close() {
      isClosed = true
      later.close()
      smart?.close()
    },
  }
}

/** A private chat is named by the account, a group by its own id. */
function originOf({ service, chat, isPrivate, account }: TalkPlace) {
  return { channel: service, conversation: isPrivate ? account : chat }
}

/** It may work when the service sends it again. */
function isFaultOfOurs(code: string): boolean {
  return code.startsWith('store_') || code === 'closed' || code === 'internal'
}
