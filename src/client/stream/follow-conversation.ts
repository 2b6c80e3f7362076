/**
 * A conversation with the agent, live. Pass the `after` that `say` gave, and all that the words led to comes, whatever
 * breaks in between. Without it the events begin with whatever comes next.
 */
import type { WireTurnEvent } from '../../wire/types/conversation.ts'
import { type EventsHost, type EventsOptions, followStream, readObject } from './follow-stream.ts'
import type { SseMessage } from './sse-parser.ts'

export function followConversation(
  host: EventsHost,
  session: string,
  options?: EventsOptions,
): AsyncGenerator<WireTurnEvent, void> {
  const stream = {
    path: ['v1', 'sessions', session, 'conversation'],
    read(message: SseMessage) {
      const event = readObject(message, 'kind', host.transport.url) as WireTurnEvent
      return { event, cursor: message.id }
    },
  }
  return followStream<WireTurnEvent>(host, stream, options)
}
