/** What every media shelf does with something before it is kept: its size, its type, a name fit to be shown, an id. */

import { randomBytes } from 'node:crypto'
import type { MediaItem } from '../../core/conversation.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import { MAX_MEDIA_BYTES } from './media-store.ts'
import { mediaTypeOf } from './media-types.ts'

/** In a session. A tool that makes a picture in a loop should not fill the disk. */
export const MAX_ITEMS = 200
const MAX_NAME = 120

export function prepareMedia(content: { type: string; data: Uint8Array; name?: string }): {
  item: MediaItem
  data: Uint8Array
} {
  const { data, type, name } = content
  if (data.byteLength > MAX_MEDIA_BYTES) {
    throw reasonedError(
      'too_large',
      reasonOf('media.long', { size: data.byteLength, limit: MAX_MEDIA_BYTES }),
      { limit: MAX_MEDIA_BYTES, size: data.byteLength },
    )
  }
  const shown = name === undefined ? '' : nameToShow(name)
  const id = randomBytes(16).toString('hex')
  const item: MediaItem = { id, type: mediaTypeOf(type), ...(shown === '' ? {} : { name: shown }) }
  return { item, data }
}

/** The last part of a path, without what can't be seen or would turn the text around, and not without end. */
function nameToShow(name: string): string {
  const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const plain = last
    .replace(/[\p{C}\p{Zl}\p{Zp}<>:"|?*]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  const letters = [...plain]
  if (letters.length <= MAX_NAME) return /^\.*$/.test(plain) ? '' : plain
  // The ending says what it is.
  return `${letters.slice(0, MAX_NAME - 20).join('')}…${letters.slice(-19).join('')}`
}
