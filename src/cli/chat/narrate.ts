/**
 * What happens in a conversation, as a terminal tells it. After a break the server may send a turn again from its
 * beginning: nothing is told twice.
 *
 * Text from outside that the server hasn't rendered is made visible here, and so is fit for a terminal. The deltas aren't:
 * they come in pieces of words.
 */

import type { WireTurnEvent } from '../../client/index.ts'
import { sayTurnStatus } from '../../display/words/turn-statuses.ts'
import { rendered, visible, visibleLines } from '../output/safe-text.ts'
import type { CliChatWords } from './chat-words.ts'
import { agentPrefix, createCallNarrator, fileNames, MOST_CALLS, oneLine } from './narrate-calls.ts'

export type NarratedPiece =
  /** What the agent says or thinks, as it came. */
  | { kind: 'text' | 'thinking'; delta: string }
  /** The end of that, if there was any. */
  | { kind: 'pause' }
  /** Words of a person. */
  | { kind: 'said'; text: string; by: string }
  | { kind: 'call' | 'good' | 'bad' | 'note'; text: string; more?: string }
  | { kind: 'waiting'; request: string }
  | { kind: 'begun'; turn: string }
  | { kind: 'over'; turn: string; status: NarratedTurnStatus; text: string }

type NarratedTurnStatus = Extract<WireTurnEvent, { kind: 'turn_ended' }>['status']

export interface Narrator {
  tell(event: WireTurnEvent): NarratedPiece[]
}

export function createNarrator(session: string, words: CliChatWords): Narrator {
  /** What was told, by kind and call, step or turn. */
  const told = new Set<string>()
  /** What failed, by turn. */
  const failures = new Map<string, string>()
  /** Whether something of the answer that is under way was told in pieces. */
  let isStreaming = false

  /** True for the first time. */
  function once(...key: (string | number)[]): boolean {
    const name = key.join(' ')
    if (told.has(name)) return false
    told.add(name)
    if (told.size > MOST_CALLS) told.delete(told.values().next().value ?? '')
    return true
  }

  const calls = createCallNarrator(once, words)

  function answered(event: Extract<WireTurnEvent, { kind: 'model_answered' }>): NarratedPiece[] {
    const isSub = event.session !== session
    const isNew = once('answered', event.session, event.turn, event.step)
    if (isSub)
      return isNew && event.text !== ''
        ? [{ kind: 'note', text: agentPrefix(event), more: visibleLines(event.text) }]
        : []
    const wasStreamed = isStreaming
    isStreaming = false
    if (wasStreamed || !isNew) return [{ kind: 'pause' }]
    const thoughts: NarratedPiece[] =
      event.reasoning === undefined ? [] : [{ kind: 'thinking', delta: event.reasoning }, { kind: 'pause' }]
    return [...thoughts, { kind: 'text', delta: event.text }, { kind: 'pause' }]
  }

  function tell(event: WireTurnEvent): NarratedPiece[] {
    const name = agentPrefix(event)
    switch (event.kind) {
      case 'turn_begun': {
        if (event.session !== session) return []
        if (told.has(`over ${event.turn}`)) return []
        // Told again: what was cut off is not gone on with in pieces.
        isStreaming = false
        const begun: NarratedPiece[] = [{ kind: 'pause' }, { kind: 'begun', turn: event.turn }]
        const isNew = once('begun', event.turn)
        if (event.resumed === true) begun.push({ kind: 'note', text: words.resumed })
        return isNew ? [...begun, { kind: 'said', text: event.text, by: event.by }] : begun
      }
      case 'steered':
        return event.session === session && once('steered', event.turn, event.text)
          ? [{ kind: 'said', text: event.text, by: event.by }]
          : []
      case 'text':
      case 'thinking':
        if (event.session !== session) return []
        isStreaming = true
        return [{ kind: event.kind, delta: event.delta }]
      case 'model_called':
        // An answer that was cut off begins again.
        if (event.session !== session || !isStreaming) return []
        isStreaming = false
        return [{ kind: 'pause' }]
      case 'model_answered':
        return answered(event)
      case 'model_retried':
        if (event.session === session) isStreaming = false
        return [
          { kind: 'pause' },
          {
            kind: 'bad',
            // Why is said once, when it is given up.
            text: name + words.retried(Math.ceil(event.delayMs / 1000), event.attempt, event.of),
          },
        ]
      case 'call_proposed':
      case 'call_started':
      case 'call_waiting':
      case 'call_finished':
      case 'call_refused':
      case 'call_answered':
        return calls.tell(event)
      case 'shown': {
        const more = [visibleLines(event.text ?? ''), ...fileNames(event.media)]
          .filter((each) => each !== '')
          .join('\n')
        return [{ kind: 'note', text: name + visible(event.tool), more }]
      }
      case 'interrupted':
        return [{ kind: 'note', text: words.interruptedBy(visible(event.by), event.how) }]
      case 'sub_began':
        return [{ kind: 'note', text: words.subBegan, more: visibleLines(event.task) }]
      case 'sub_ended':
        return [{ kind: 'note', text: words.subEnded(sayTurnStatus(event.status, words.locale)) }]
      case 'failed':
        if (event.session === session) failures.set(event.turn, oneLine(event.message))
        return [
          { kind: 'bad', text: name + words.failed(visible(event.stage)), more: rendered(event.message) },
        ]
      case 'turn_ended':
        return ended(event)
      default:
        return []
    }
  }

  function ended(event: Extract<WireTurnEvent, { kind: 'turn_ended' }>): NarratedPiece[] {
    if (event.session !== session || !once('over', event.turn)) return []
    isStreaming = false
    const { status, turn, reason, text } = event
    const over: NarratedPiece = { kind: 'over', turn, status, text }
    if (status === 'completed') return [{ kind: 'pause' }, over]
    const why = reason === undefined ? undefined : oneLine(reason)
    // What has just been told is not told twice.
    const isTold = why !== undefined && failures.get(turn) === why
    failures.clear()
    const told = words.turnEnded(sayTurnStatus(status, words.locale), isTold ? undefined : why)
    return [{ kind: 'pause' }, { kind: 'bad', text: told }, over]
  }

  return { tell }
}
