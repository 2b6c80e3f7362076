/** A media shelf in memory, for an agent that is embedded without a folder. It forgets the oldest when it is full. */

import type { MediaItem } from '../../core/conversation.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import { MAX_MEDIA_BYTES, type MediaStore } from './media-store.ts'
import { MAX_ITEMS, prepareMedia } from './prepare-media.ts'

const MAX_BYTES = 8 * MAX_MEDIA_BYTES

export function createMemoryMediaStore(): MediaStore {
  /** In the order in which they came. */
  const kept = new Map<string, { session: string; item: MediaItem; data: Uint8Array }>()
  let bytes = 0
  return {
    async put(session, content) {
      const { item, data } = prepareMedia(content)
      const count = [...kept.values()].filter((one) => one.session === session).length
      if (count >= MAX_ITEMS) {
        throw reasonedError('too_large', reasonOf('media.many', { count, limit: MAX_ITEMS }))
      }
      for (const [id, oldest] of kept) {
        if (bytes + data.byteLength <= MAX_BYTES) break
        kept.delete(id)
        bytes -= oldest.data.byteLength
      }
      kept.set(item.id, { session, item, data: data.slice() })
      bytes += data.byteLength
      return { ...item }
    },
    async get(session, id) {
      const found = kept.get(id)
      if (found === undefined || found.session !== session) return undefined
      return { item: { ...found.item }, data: found.data.slice() }
    },
  }
}
