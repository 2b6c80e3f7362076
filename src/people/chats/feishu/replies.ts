/**
 * Replies to clicks that are not out yet. A reply can carry the new card, so that it changes under the person's finger; the
 * change itself is sent all the same, and after the reply: Feishu documents that a change which overtakes it may be undone by it.
 */
import type { JsonObject } from '../../../core/json/json.ts'

export interface OpenReplies {
  open(message: string): OpenReply
  /** Gives the card to the replies that are open on this message, and resolves when they are out. */
  give(message: string, card: JsonObject): Promise<void>
}

export interface OpenReply {
  /** The new card; undefined where it doesn't come at once. */
  card(): Promise<JsonObject | undefined>
  /** The reply is out. */
  sent(): void
}

/** The card is drawn right after the decision. Nobody waits longer for it: a reply has to be there within three seconds. */
const CARD_WITHIN_MS = 300
const REPLY_WITHIN_MS = 3_000

interface Kept {
  give(card: JsonObject): void
  isOut: Promise<void>
}

export function createOpenReplies(): OpenReplies {
  const open = new Map<string, Set<Kept>>()
  return {
    open(message) {
      const card = Promise.withResolvers<JsonObject>()
      const out = Promise.withResolvers<void>()
      const kept = { give: card.resolve, isOut: out.promise }
      const others = open.get(message) ?? new Set()
      open.set(message, others.add(kept))
      return {
        card: () => within(card.promise, CARD_WITHIN_MS),
        sent() {
          others.delete(kept)
          if (others.size === 0 && open.get(message) === others) open.delete(message)
          out.resolve()
        },
      }
    },
    async give(message, card) {
      const replies = [...(open.get(message) ?? [])]
      for (const reply of replies) reply.give(card)
      await within(Promise.all(replies.map(({ isOut }) => isOut)), REPLY_WITHIN_MS)
    },
  }
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(late.resolve, ms)
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
