/**
 * What changes, live, for as long as the caller wants to know.
 *
 * The server begins with `reset` where there is no cursor, and says so again where it can't show all that lies between:
 * list at every `reset`, and nothing falls between the list and the stream.
 */
import type { WireEvent } from '../../wire/types/answers.ts'
import { type EventsHost, type EventsOptions, followStream, readObject } from './follow-stream.ts'
import type { SseMessage } from './sse-parser.ts'

const KNOWN_TYPES: readonly unknown[] = ['request', 'entry', 'reset']

export function followEvents(host: EventsHost, options?: EventsOptions): AsyncGenerator<WireEvent, void> {
  const stream = {
    path: ['v1', 'events'],
    query: { brief: options?.brief ? 'true' : undefined },
    read(message: SseMessage) {
      const event = readObject(message, 'type', host.transport.url) as { type: unknown; cursor?: string }
      // What a newer server tells besides is not for us.
      if (!KNOWN_TYPES.includes(event.type)) return undefined
      const cursor = event.cursor ?? message.id
      return { event: { ...event, cursor } as WireEvent, cursor }
    },
  }
  return followStream<WireEvent>(host, stream, options)
}
