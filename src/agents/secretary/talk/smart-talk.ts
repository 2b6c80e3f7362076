/**
 * Words for the secretary itself. It is an agent with a conversation for each person and chat; when its turn is over, its last words
 * are told in that chat. Which turns those are is kept, so that a restart loses no answer.
 */
import type { Origin } from '../../../core/call.ts'
import type { Conversations, TurnEvent } from '../../../core/conversation.ts'
import type { JsonValue } from '../../../core/json/json.ts'
import type { Actor } from '../../../core/session.ts'
import { readAllPages } from '../../../core/support/read-pages.ts'
import type { Locale } from '../../../display/words/rendering-words.ts'
import type { NoticeWords } from '../../../people/channel.ts'
import type { RecordVerbs } from '../../../stores/record-verbs.ts'
import type { LaterWords } from './later-words.ts'
import { talkWords } from './talk-words.ts'

export interface SmartTalk {
  /** Resolves when it is on the record. */
  say(words: SmartWords): Promise<void>
  resume(): Promise<void>
  close(): void
}

export interface SmartWords {
  text: string
  /** The conversation with the secretary. */
  session: string
  actor: Actor
  origin: Origin & { conversation: string }
  locale: Locale
}

export interface SmartTalkParts {
  /** The secretary's name among the agents. */
  agent: string
  conversations: Pick<Conversations, 'say' | 'events'>
  records: RecordVerbs
  later: Pick<LaterWords, 'say'>
  report(fault: { doing: string; error: unknown }): void
}

/** A turn whose last words somebody waits for. */
interface AwaitedTurn extends Omit<SmartWords, 'text'> {
  turn: string
  after: string
}

const KIND = 'talk_turn'
/** A turn waits as long for people as their requests do. */
const KEPT_MS = 30 * 86_400_000

export function createSmartTalk({ agent, conversations, records, later, report }: SmartTalkParts): SmartTalk {
  const closing = new AbortController()
  const following = new Set<string>()

  async function follow(key: string, awaited: AwaitedTurn): Promise<void> {
    const ended = await endOf(awaited)
    if (ended === undefined) return
    const { origin, actor, locale } = awaited
    const { channel, conversation } = origin
    const words = wordsOf(ended, locale)
    if (words !== undefined)
      await later.say(`turn:${key}`, { channel, conversation, owner: actor.subject, words })
    const kept = await records.get(KIND, key)
    if (kept !== undefined) await records.change([{ kind: KIND, key, version: kept.version }])
  }

  /** Undefined: this process ends first. */
  async function endOf({ session, turn, after, actor }: AwaitedTurn) {
    for await (const event of conversations.events(session, { after, signal: closing.signal }, actor))
      if (event.kind === 'turn_ended' && event.turn === turn && event.session === session) return event
    return undefined
  }

  function begin(key: string, awaited: AwaitedTurn): void {
    if (following.has(key)) return
    following.add(key)
    follow(key, awaited)
      .catch((error) => {
        if (!closing.signal.aborted) report({ doing: 'waiting for the words of the secretary', error })
      })
      .finally(() => following.delete(key))
  }

  return {
    async say({ text, ...rest }) {
      const { session, origin, actor } = rest
      const { turn, after } = await conversations.say({ session, text, origin, agent }, actor)
      const awaited: AwaitedTurn = { ...rest, turn, after }
      const value = awaited as unknown as JsonValue
      // The turns of every conversation are t1, t2 and so on.
      const key = JSON.stringify([session, turn])
      // Words that steer a turn find it there already.
      await records.change([{ kind: KIND, key, version: 0, value, expiresInMs: KEPT_MS }])
      begin(key, awaited)
    },
    async resume() {
      const kept = await readAllPages((next) => records.list({ kind: KIND, ...next }))
      for (const { key, value } of kept) begin(key, value as unknown as AwaitedTurn)
    },
    close() {
      closing.abort()
    },
  }
}

/** A model's words are quoted like everybody else's: it has read what sessions say. */
function wordsOf(
  { status, text, reason }: Extract<TurnEvent, { kind: 'turn_ended' }>,
  locale: Locale,
): NoticeWords | undefined {
  const { title, says, failed } = talkWords(locale).secretary
  const said = text.trim()
  if (said !== '') return { sign: '💬', title, label: says, quoted: said }
  if (status === 'completed' || status === 'interrupted') return undefined
  return { sign: '❌', title: failed, ...(reason === undefined ? {} : { label: says, quoted: reason }) }
}
