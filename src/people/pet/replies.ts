/**
 * What the agent says and does, as `ai_chat` pushes. Text comes in numbered pieces that a client puts one after another,
 * and an end mark without text of its own; so the original's clients show each word once.
 *
 * A tool is announced when it starts, which is after a person has approved it, and never when the model merely wants it.
 */

import type { TurnEvent } from '../../core/conversation.ts'
import { defined } from '../../core/defined.ts'
import { pushText, toSeconds } from './envelopes.ts'
import { visible } from './shown-call.ts'

export interface PetReply {
  /** The pushes that an event makes. */
  texts(event: TurnEvent): string[]
}

/** There is no pet behind this channel. Clients of the original have its mood and its gesture from the end of a reply. */
const CALM = { emotion: 'neutral', action: '' }

/** One turn's reply in one conversation. */
export function createPetReply(session: string, sessionKey: string | undefined, now: () => number): PetReply {
  const about = sessionKey === undefined ? {} : { session_key: sessionKey }
  let pieces = 0
  /** Whether what the model is saying now was told in pieces. What is told again after a restart comes whole. */
  let isTold = false
  let lastWords = ''

  function chat(type: 'text' | 'tool' | 'final', data: object): string {
    const isFinal = type === 'final'
    return pushText('ai_chat', { chat_id: ++pieces, type, ...data, ...about }, now(), isFinal)
  }

  function notice(level: 'error' | 'warn' | 'info', code: string, message: string): string {
    const at = now()
    return pushText('error', { level, code, message, timestamp: toSeconds(at), context: about }, at)
  }

  function tool(event: TurnEvent & { call: string; tool: string }, phase: string, more: object = {}): string {
    const agent = event.session === session ? {} : { agent: visible(event.agent.name) }
    return chat('tool', {
      text: '',
      tool: visible(event.tool),
      phase,
      tool_call_id: event.call,
      ...more,
      ...agent,
    })
  }

  function whole(text: string): string[] {
    return isTold || text === '' ? [] : [chat('text', { text })]
  }

  return {
    texts(event) {
      const isOwn = event.session === session
      switch (event.kind) {
        case 'model_called':
          if (isOwn) isTold = false
          return []
        case 'text':
          if (!isOwn || event.delta === '') return []
          isTold = true
          return [chat('text', { text: event.delta })]
        case 'model_answered': {
          if (!isOwn) return []
          const unsaid = whole(event.text)
          lastWords = event.text
          isTold = false
          return unsaid
        }
        case 'shown': {
          const { text = '', media } = event
          return [
            chat('text', {
              text: visible(text),
              tool: visible(event.tool),
              ...defined({ media }),
            }),
          ]
        }
        case 'call_started':
          return [tool(event, 'start')]
        case 'call_finished':
          return [tool(event, 'end', { ok: event.ok })]
        case 'call_refused':
          return [tool(event, 'refused', { state: event.state, because: visible(event.because) })]
        case 'model_retried':
          return isOwn ? [notice('warn', 'service_error', visible(event.because))] : []
        case 'failed':
          return isOwn ? [notice('error', 'agent_error', visible(event.message))] : []
        case 'turn_ended': {
          if (!isOwn) return []
          const { text, status, reason, turn } = event
          const unsaid = text === lastWords ? [] : whole(text)
          const why = reason === undefined ? {} : { reason: visible(reason) }
          return [...unsaid, chat('final', { text: '', ...CALM, reply: text, status, turn, ...why })]
        }
        default:
          return []
      }
    },
  }
}
