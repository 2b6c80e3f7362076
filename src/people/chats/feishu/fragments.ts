/** Puts events together that come in several frames. What isn't whole after ten seconds, or grows too large, is forgotten. */
import { type FeishuFrame, headerOf } from './frame.ts'

export interface Fragments {
  /** The whole payload, once it is there. */
  add(frame: FeishuFrame, at: number): Uint8Array | undefined
}

interface Parts {
  since: number
  /** In their order. Those that haven't come yet are undefined. */
  pieces: (Uint8Array | undefined)[]
  size: number
}

const KEPT_MS = 10_000
const MAX_PIECES = 64
const MAX_BYTES = 1024 * 1024
/** Events that are being put together at once. */
const MAX_EVENTS = 64

export function createFragments(): Fragments {
  const events = new Map<string, Parts>()

  function forgetOld(at: number): void {
    for (const [id, { since }] of events) if (at - since >= KEPT_MS) events.delete(id)
    if (events.size >= MAX_EVENTS) events.delete(events.keys().next().value!)
  }

  return {
    add(frame, at) {
      const payload = frame.payload ?? new Uint8Array()
      const count = numberOf(headerOf(frame, 'sum') ?? '1')
      const place = numberOf(headerOf(frame, 'seq') ?? '0')
      if (count === 1) return payload
      const id = headerOf(frame, 'message_id')
      if (id === undefined || count > MAX_PIECES || place >= count) return undefined
      const known = events.get(id)
      if (known === undefined || at - known.since >= KEPT_MS || known.pieces.length !== count) {
        events.delete(id)
        forgetOld(at)
        events.set(id, { since: at, pieces: Array.from({ length: count }, () => undefined), size: 0 })
      }
      const parts = events.get(id)!
      parts.size += payload.length - (parts.pieces[place]?.length ?? 0)
      parts.pieces[place] = payload
      if (parts.size > MAX_BYTES) events.delete(id)
      if (parts.size > MAX_BYTES || parts.pieces.includes(undefined)) return undefined
      events.delete(id)
      return Buffer.concat(parts.pieces as Uint8Array[])
    },
  }
}

/** Too large where it is none. */
function numberOf(text: string): number {
  return /^\d{1,4}$/.test(text) ? Number(text) : Number.MAX_SAFE_INTEGER
}
