/**
 * What happens in one session, for those who listen. Events are numbered, and the newest are kept so that a listener who was
 * cut off goes on where it was. The numbers begin with the time at which the buffer was made, and the process is in the id:
 * after a restart, or at another process, no number can be mistaken for one of another buffer.
 *
 * Each listener reads at its own pace. One that is so slow that what it has not read is gone is told the turn again.
 */
import type { TurnEvent } from '../../../core/conversation.ts'
import { digestOf } from '../../../core/digest.ts'

export interface EventBuffer {
  write(turn: string, event: UnnumberedEvent): TurnEvent
  /** The newest id; for a new buffer one that is in no buffer. */
  lastId(turn: string): string
  /** The number that the next event will have. */
  end(): number
  at(n: number): TurnEvent | undefined
  /** Where to go on after the event with this id; undefined when it is not kept. */
  positionAfter(id: string): number | undefined
  /** All that are kept. */
  kept(): readonly TurnEvent[]
  /** Where the turn begins; undefined when its beginning is not kept. */
  beginningOf(turn: string): number | undefined
  /** Whether events before this number were forgotten. */
  isGone(n: number): boolean
  /** Resolves when something is written, the buffer is closed or the signal aborts. */
  more(signal: AbortSignal | undefined): Promise<void>
  /** Wakes those who wait, for the last time. */
  close(): void
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
export type UnnumberedEvent = DistributiveOmit<TurnEvent, 'id' | 'turn'>

/** A turn with all its deltas, and twice that for a moment; past that the oldest are forgotten. */
const MAX_KEPT = 2000
/** Of the digest: a few processes share a store, and a chance in a billion that two are taken for one is small enough. */
const MARK_LENGTH = 8

/** `holder` names the process, among all that share the store. */
export function createEventBuffer(now: () => number, holder: string): EventBuffer {
  const mark = `n${digestOf(holder).slice(0, MARK_LENGTH)}`
  let kept: TurnEvent[] = []
  /** The number of `kept[0]`. */
  let base = now()
  const waiting = new Set<() => void>()

  function wake(): void {
    for (const each of [...waiting]) each()
  }

  return {
    write(turn, event) {
      const written = { ...event, id: `${turn}-${mark}_${base + kept.length}`, turn } as TurnEvent
      kept.push(written)
      if (kept.length > MAX_KEPT * 2) {
        base += kept.length - MAX_KEPT
        kept = kept.slice(-MAX_KEPT)
      }
      wake()
      return written
    },
    lastId: (turn) => kept.at(-1)?.id ?? `${turn}-0`,
    end: () => base + kept.length,
    at: (n) => kept[n - base],
    positionAfter(id) {
      const n = Number(id.slice(id.lastIndexOf('_') + 1))
      return kept[n - base]?.id === id ? n + 1 : undefined
    },
    kept: () => kept,
    beginningOf(turn) {
      const index = kept.findIndex((event) => event.turn === turn)
      const first = kept[index]
      return first?.kind === 'turn_begun' && first.resumed !== true ? base + index : undefined
    },
    isGone: (n) => n < base,
    more(signal) {
      if (signal?.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        const done = () => {
          waiting.delete(done)
          signal?.removeEventListener('abort', done)
          resolve()
        }
        waiting.add(done)
        signal?.addEventListener('abort', done, { once: true })
      })
    },
    close: wake,
  }
}
