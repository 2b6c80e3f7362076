/** The requests of one conversation, as they are asked and answered here or elsewhere. */
import type { Client } from '../../client/index.ts'
import { rendered, visible } from '../output/safe-text.ts'
import { detailOf, listPending } from '../watch/perform.ts'
import type { WatchInput } from '../watch/watch-state.ts'
import type { CliChatWords } from './chat-words.ts'

export interface ChatRequests {
  /** The conversation waits for this request. */
  ask(id: string): Promise<void>
  /** Reads all pending ones again. */
  list(): Promise<void>
  /** Follows them until the chat ends. Throws when the server will not be heard again. */
  watch(): Promise<void>
}

export function createChatRequests(parts: {
  client: Client
  words: CliChatWords
  signal: AbortSignal
  clock: () => number
  feed(input: WatchInput): void
  warn(text: string): void
}): ChatRequests {
  const { client, words, signal, clock, feed, warn } = parts
  const ours = new Set<string>()

  /** A question that fails is no reason to end the chat. */
  async function orWarn(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!signal.aborted) warn(detailOf(error))
    }
  }

  const list = () =>
    orWarn(async () => {
      const requests = await listPending(client, signal)
      feed({ kind: 'listed', requests: requests.filter(({ id }) => ours.has(id)) })
    })

  return {
    ask(id) {
      ours.add(id)
      return orWarn(async () => {
        const request = await client.get(id, { signal })
        if (request.state === 'pending' && !request.yours) {
          const who = [...new Set(request.approvers.flatMap(({ approvers }) => approvers))].map(visible)
          warn(words.notYours(rendered(request.rendering.summary), who.join(', ')))
        }
        feed({ kind: 'changed', request, at: clock() })
      })
    },
    list,
    async watch() {
      const events = client.events({ signal, onStatus: (status) => feed({ kind: 'connection', status }) })
      for await (const event of events) {
        if (event.type === 'reset') await list()
        if (event.type === 'request' && ours.has(event.request.id)) {
          feed({ kind: 'changed', request: event.request, at: clock() })
        }
      }
    },
  }
}
