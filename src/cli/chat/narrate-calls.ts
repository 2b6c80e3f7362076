/** The calls of a conversation, as a terminal tells them: each is told once when it starts, and once when it has ended. */
import type { WireTurnEvent } from '../../client/index.ts'
import { sayRefusedState } from '../../display/words/request-states.ts'
import { rendered, visible } from '../output/safe-text.ts'
import type { CliChatWords } from './chat-words.ts'
import type { NarratedPiece } from './narrate.ts'

type CallEventKind =
  | 'call_proposed'
  | 'call_started'
  | 'call_waiting'
  | 'call_finished'
  | 'call_refused'
  | 'call_answered'

/** The summaries of older calls are forgotten; nobody scrolls back so far. */
export const MOST_CALLS = 5000

export function createCallNarrator(
  /** True for the first time. */
  once: (...key: (string | number)[]) => boolean,
  words: CliChatWords,
): { tell(event: Extract<WireTurnEvent, { kind: CallEventKind }>): NarratedPiece[] } {
  const summaries = new Map<string, string>()

  function summaryOf({ call, tool }: { call: string; tool: string }): string {
    return summaries.get(call) ?? visible(tool)
  }

  function remember({ call, summary }: { call: string; summary: string }): void {
    summaries.set(call, oneLine(summary))
    if (summaries.size > MOST_CALLS) summaries.delete(summaries.keys().next().value ?? '')
  }

  return {
    tell(event) {
      const name = agentPrefix(event)
      switch (event.kind) {
        case 'call_proposed':
          remember(event)
          return []
        case 'call_started':
          remember(event)
          return once('started', event.call) ? [{ kind: 'call', text: name + oneLine(event.summary) }] : []
        case 'call_waiting':
          return once('waiting', event.request) ? [{ kind: 'waiting', request: event.request }] : []
        case 'call_finished': {
          if (!once('ended', event.call)) return []
          const { ok, text, replacedBy, media } = event
          const by = replacedBy === undefined ? '' : ` (${words.replacedBy(visible(replacedBy))})`
          const more = [rendered(text), ...fileNames(media)].filter((each) => each.trim() !== '').join('\n')
          return [{ kind: ok ? 'good' : 'bad', text: name + summaryOf(event) + by, more }]
        }
        case 'call_refused': {
          if (!once('ended', event.call)) return []
          const state = visible(sayRefusedState(event.state, words.locale))
          const text = words.refused(summaryOf(event), state)
          return [{ kind: 'bad', text: name + text, more: rendered(event.because) }]
        }
        case 'call_answered':
          return once('ended', event.call)
            ? [{ kind: 'good', text: name + words.answeredBy(visible(event.by)), more: rendered(event.text) }]
            : []
      }
    },
  }
}

/** Which of several agents it is, in front of a line. */
export function agentPrefix({ agent }: WireTurnEvent): string {
  const { parents = [] } = agent
  return parents.length === 0 ? '' : `${oneLine(agent.name)} › `
}

export function fileNames(media: readonly { type: string; name?: string }[] = []): string[] {
  return media.map(({ type, name = '' }) => visible(`${type} ${name}`.trim()))
}

export function oneLine(text: string): string {
  return rendered(text).replaceAll('\n', ' ')
}
