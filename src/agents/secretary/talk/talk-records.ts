/** What is kept of a chat for each person: which session they talk to there, and whether straight to it. And what was heard already. */
import { defined } from '../../../core/defined.ts'
import { BanksmanError } from '../../../core/errors.ts'
import type { JsonValue } from '../../../core/json/json.ts'
import { readAllPages } from '../../../core/support/read-pages.ts'
import type { Locale } from '../../../display/words/rendering-words.ts'
import type { TalkAnswer } from '../../../people/driver.ts'
import type { RecordVerbs } from '../../../stores/record-verbs.ts'

/** Where to tell somebody of a message of theirs. */
export interface MessageFrom {
  channel: string
  conversation: string
  owner: string
  locale: Locale
}

/** One person in one chat. */
export interface PlaceKey {
  service: string
  chat: string
  subject: string
}

export interface KeptPlace {
  /** The session that messages go to. */
  session?: string
  /** Absent: as it is by default. */
  isDirect?: boolean
  /** The conversation with the secretary itself, in which it also asks. */
  ownSession?: string
  /** They were told that there is no model. */
  wasTold?: true
}

export type PlaceChange = { [Name in keyof KeptPlace]?: KeptPlace[Name] | undefined }

export interface TalkRecords {
  place(key: PlaceKey): Promise<KeptPlace>
  /** Undefined takes a member away. */
  change(key: PlaceKey, change: PlaceChange): Promise<KeptPlace>
  /**
   * Does what a message wants, once: it is noted before and after. A message that was under way when a process died is not done again:
   * nobody knows how far it came. `from` is kept meanwhile, to tell them.
   */
  once(
    message: { service: string; event: string },
    from: MessageFrom,
    work: () => Promise<TalkAnswer>,
  ): Promise<TalkAnswer | 'unknown'>
  /** Those that were begun and not ended, here or elsewhere. */
  unfinished(): Promise<{ key: string; from: MessageFrom }[]>
  /** Nobody goes on with it. False: somebody has ended it. */
  giveUp(key: string): Promise<boolean>
}

interface HeardMessage {
  from?: MessageFrom
  answer?: TalkAnswer
}

const PLACE = 'talk_place'
const HEARD = 'talk_heard'
/** Longer than any service tries to deliver. */
const HEARD_MS = 3 * 86_400_000
const MAX_TRIES = 20

export function createTalkRecords(records: RecordVerbs): TalkRecords {
  const keyOf = ({ service, chat, subject }: PlaceKey) => JSON.stringify([service, chat, subject])

  return {
    place: async (key) => ((await records.get(PLACE, keyOf(key)))?.value as KeptPlace | undefined) ?? {},
    async change(place, change) {
      const key = keyOf(place)
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const record = await records.get(PLACE, key)
        const value = defined({ ...(record?.value as KeptPlace | undefined), ...change }) as KeptPlace
        const { won } = await records.change([
          { kind: PLACE, key, version: record?.version ?? 0, value: value as unknown as JsonValue },
        ])
        if (won) return value
      }
      throw new BanksmanError('store_locked', `a chat changed ${MAX_TRIES} times meanwhile`)
    },
    async once({ service, event }, from, work) {
      const key = JSON.stringify([service, event])
      const note = (version: number, value: HeardMessage) =>
        records.change([
          { kind: HEARD, key, version, value: value as unknown as JsonValue, expiresInMs: HEARD_MS },
        ])
      const begun = await note(0, { from })
      if (!begun.won) {
        const before = (await records.get(HEARD, key))?.value as HeardMessage | undefined
        return before?.answer ?? 'unknown'
      }
      const answer = await work()
      await note(begun.versions[0]!, { answer })
      return answer
    },
    async unfinished() {
      const all = await readAllPages((next) => records.list({ kind: HEARD, ...next }))
      return all.flatMap(({ key, value }) => {
        const { from, answer } = value as HeardMessage
        return from === undefined || answer !== undefined ? [] : [{ key, from }]
      })
    },
    async giveUp(key) {
      const record = await records.get(HEARD, key)
      if (record === undefined || (record.value as HeardMessage).answer !== undefined) return false
      const { version } = record
      const value = { answer: {} }
      return (await records.change([{ kind: HEARD, key, version, value, expiresInMs: HEARD_MS }])).won
    },
  }
}
