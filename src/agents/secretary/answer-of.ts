import type { TurnEvent } from '../../core/conversation.ts'

/** What a turn came to: its last words; else its error; else that it said nothing. */
export async function answerOf(events: AsyncIterable<TurnEvent>, turn: string): Promise<string> {
  for await (const event of events) {
    if (event.kind !== 'turn_ended' || event.turn !== turn) continue
    const { text, status, reason = '' } = event
    if (text !== '') return text
    return status === 'completed' || status === 'interrupted' || reason === '' ? NO_OUTPUT : reason
  }
  return NO_OUTPUT
}

const NO_OUTPUT = '(no output)'
