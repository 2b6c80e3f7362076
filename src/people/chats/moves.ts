/** Chats that have got another id, such as a group that has grown. The configuration names the old one. */
import type { RecordVerbs } from '../../stores/record-verbs.ts'

export interface ChatMoves {
  note(from: string, to: string): Promise<void>
  /** The chat's id now. */
  find(chat: string): Promise<string>
}

const KIND = 'chat_moved'
const MAX_MOVES = 5

export function createChatMoves(service: string, records: Pick<RecordVerbs, 'get' | 'change'>): ChatMoves {
  const keyOf = (chat: string) => JSON.stringify([service, chat])
  return {
    async note(from, to) {
      const before = await records.get(KIND, keyOf(from))
      // Who loses has noted the same.
      await records.change([{ kind: KIND, key: keyOf(from), version: before?.version ?? 0, value: { to } }])
    },
    async find(chat) {
      let at = chat
      for (let step = 0; step < MAX_MOVES; step++) {
        const to = ((await records.get(KIND, keyOf(at)))?.value as { to?: unknown } | undefined)?.to
        if (typeof to !== 'string') break
        at = to
      }
      return at
    },
  }
}
