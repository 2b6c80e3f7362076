/**
 * Notices of sessions: written to their owner, or to the group that the owner talked in, if the configuration names it. What is ours
 * in a notice is shown strong; what a session said is made visible, its secrets masked, and drawn as somebody else's words (P9).
 *
 * A chat gets so many of them in a minute. Those beyond that wait: a session must not bury cards.
 */
import { createTextMasks } from '../../display/masks/mask-text.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import { type ChannelNotice, type NoticeWords, NotNow } from '../channel.ts'
import { line, within } from './card/call-texts.ts'
import { chatWords } from './card/words.ts'
import { type ChatAddress, ChatFault, type ChatService, type ShownNotice } from './contract.ts'
import type { ChatMoves } from './moves.ts'
import { createPace, type Pace } from './pace.ts'
import type { CardPlace, Routing } from './routing.ts'

export interface ChatNoticesParts {
  service: Pick<ChatService, 'name' | 'notify'>
  routing: Pick<Routing, 'noticePlaces'>
  moves: ChatMoves
  /** The one of the cards: both are messages to the service. */
  pace: Pace
  locale: Locale
  now(): number
  report(fault: { doing: string; error: unknown }): void
}

/** Of one chat. As many as there are cards before a summary stands for them. */
const NOTICES = { count: 5, inMs: 60_000 }
const LONGEST_TITLE = 200
/** Made visible, a text can be many times as long. */
const LONGEST_QUOTED = 1_500
const MAX_READ = 20_000
const RETRY_MS = 5_000

export function createChatNotices(
  parts: ChatNoticesParts,
): (notice: ChannelNotice) => Promise<'told' | 'gone'> {
  const { service, routing, moves, pace, locale, now, report } = parts
  const floods = createPace({ person: NOTICES, chat: NOTICES }, now)

  /** False: it can't be written there. */
  async function write({ to, isSilent, notBefore }: CardPlace, shown: ShownNotice): Promise<boolean> {
    if (notBefore !== undefined && notBefore > now()) throw new NotNow(notBefore - now())
    // What waits for the service doesn't use up a place among the notices.
    const waitMs = floods.look(to) || pace.take(to) || floods.take(to)
    if (waitMs > 0) throw new NotNow(waitMs)
    try {
      await service.notify(to, shown, { isSilent })
      return true
    } catch (error) {
      return settle(error, { to, isSilent }, shown)
    }
  }

  async function settle(error: unknown, place: { to: ChatAddress; isSilent: boolean }, shown: ShownNotice) {
    if (!(error instanceof ChatFault)) throw error
    const { to, isSilent } = place
    const { what } = error
    if (what.kind === 'retry') {
      report({ doing: `writing a notice to ${service.name}`, error })
      throw new NotNow(what.afterMs ?? RETRY_MS)
    }
    if (what.kind === 'moved' && to.kind === 'chat' && what.chat !== to.chat) {
      await moves.note(to.chat, what.chat)
      return write({ to: { kind: 'chat', chat: what.chat }, mentions: [], isSilent }, shown)
    }
    report({ doing: `writing a notice to ${service.name}`, error })
    return false
  }

  return async (notice) => {
    const shown = shownNotice(notice.words(locale), locale)
    for (const place of await routing.noticePlaces(notice)) if (await write(place, shown)) return 'told'
    return 'gone'
  }
}

/** Texts that every service takes. */
export function shownNotice(
  { sign = '', title, detail = '', quoted, label }: NoticeWords,
  locale: Locale,
): ShownNotice {
  const said = quoted === undefined ? '' : quoted.slice(0, MAX_READ).toWellFormed().trim()
  const text = said === '' ? '' : within(createTextMasks()(said), LONGEST_QUOTED)
  return {
    sign,
    title: line(title, LONGEST_TITLE),
    detail: line(detail, LONGEST_TITLE),
    ...(text === '' ? {} : { quoted: { label: label ?? chatWords(locale).sessionSays, text } }),
  }
}
