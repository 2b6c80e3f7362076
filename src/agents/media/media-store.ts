/**
 * The media shelf's contract: pictures and files that tools and hooks give beside text. They are kept by an id that can't
 * be guessed and belong to the session in which they came up. On the process hooks' wire they are `media://<id>`.
 */
import type { MediaItem } from '../../core/conversation.ts'

export interface MediaStore {
  put(session: string, content: { type: string; data: Uint8Array; name?: string }): Promise<MediaItem>
  /** Undefined when there is none of that id in the session. */
  get(session: string, id: string): Promise<{ item: MediaItem; data: Uint8Array } | undefined>
}

/** Larger ones are refused: they go to a model, or into a chat. */
export const MAX_MEDIA_BYTES = 8 * 1024 * 1024
