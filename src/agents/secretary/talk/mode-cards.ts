/**
 * Modes that ask less than `default` are set from a chat only by a click on a card: a message can be forged, guessed or said by a
 * model, and the mode decides what runs without anybody. The request is a call like any other, so it is on the record, and high risk, so
 * that no text approves it. One that was pending when the server stopped goes on after the start.
 */
import type { Origin } from '../../../core/call.ts'
import type { JsonValue } from '../../../core/json/json.ts'
import type { Secretary, SessionModeName } from '../../../core/secretary.ts'
import type { Actor } from '../../../core/session.ts'
import { readAllPages } from '../../../core/support/read-pages.ts'
import type { Locale } from '../../../display/words/rendering-words.ts'
import type { GuardVerbs } from '../../../gateway/guarding/guard.ts'
import type { RecordVerbs } from '../../../stores/record-verbs.ts'
import type { LaterWords } from './later-words.ts'
import { nameOf } from './quote-words.ts'
import { folderName } from './say-sessions.ts'
import { talkWords } from './talk-words.ts'

export interface ModeCards {
  /** Resolves when it is kept; the card follows. */
  ask(wanted: WantedMode): Promise<void>
  resume(): Promise<void>
}

export interface WantedMode {
  session: string
  folder: string
  mode: SessionModeName
  /** Who wants it. */
  actor: Actor
  origin: Origin & { conversation: string }
  /** The session that the request belongs to: the person's own with the secretary, whatever the mode of the other. */
  askedIn: string
  locale: Locale
}

export interface ModeCardsParts {
  guard: GuardVerbs['guard']
  secretary: Pick<Secretary, 'setMode'>
  records: RecordVerbs
  later: Pick<LaterWords, 'say'>
  randomId(): string
  report(fault: { doing: string; error: unknown }): void
}

const KIND = 'talk_mode'
const TOOL = 'set_session_mode'
/** What somebody wanted half an hour ago may no longer be what they want. */
const EXPIRES_MS = 30 * 60_000
const DESCRIPTION = 'Sets how much a coding session may do without asking.'

export function createModeCards(parts: ModeCardsParts): ModeCards {
  const { guard, secretary, records, later, randomId, report } = parts

  async function pursue(callId: string, wanted: WantedMode): Promise<void> {
    const { session, folder, mode, actor, origin, askedIn, locale } = wanted
    const words = talkWords(locale)
    const result = await guard(
      {
        tool: TOOL,
        callId,
        session: askedIn,
        arguments: { session, folder, mode },
        definition: { description: DESCRIPTION },
        origin,
      },
      () => secretary.setMode(session, mode, actor),
      {
        as: actor,
        asks: { because: words.modeBecause(mode, folderName(folder)), isHighRisk: true },
        expiresInMs: EXPIRES_MS,
        durable: true,
        // What was clicked is what is set.
        can: { edit: false, respond: false, terminate: false },
      },
    )
    if (result.kind === 'pending') return
    const text = textFor(result, words, mode)
    if (text !== undefined) {
      const { channel, conversation } = origin
      await later.say(callId, { channel, conversation, owner: actor.subject, words: { title: text } })
    }
    const kept = await records.get(KIND, callId)
    if (kept !== undefined) await records.change([{ kind: KIND, key: callId, version: kept.version }])
  }

  const begin = (callId: string, wanted: WantedMode): void => {
    pursue(callId, wanted).catch((error) => report({ doing: 'asking for the mode of a session', error }))
  }

  return {
    async ask(wanted) {
      const callId = `mode_${randomId()}`
      const value = wanted as unknown as JsonValue
      await records.change([{ kind: KIND, key: callId, version: 0, value, expiresInMs: 2 * EXPIRES_MS }])
      begin(callId, wanted)
    },
    async resume() {
      const kept = await readAllPages((next) => records.list({ kind: KIND, ...next }))
      for (const { key, value } of kept) begin(key, value as unknown as WantedMode)
    },
  }
}

/** Undefined: the card says it already. */
function textFor(
  result: Awaited<ReturnType<GuardVerbs['guard']>>,
  words: ReturnType<typeof talkWords>,
  mode: SessionModeName,
): string | undefined {
  if (result.kind === 'ran')
    return result.ok ? words.mode(mode) : words.modeRefused(nameOf(String((result.error as Error)?.message)))
  if (result.kind === 'refused' && (result.state === 'denied' || result.state === 'error'))
    return words.modeRefused(nameOf(result.because))
  return undefined
}
