/**
 * Values that may change a hundred times a second and are drawn once a frame: whoever writes works on the newest, whoever
 * draws sees what the last frame left.
 */
import { batch, type ReadonlySignal, signal } from '@preact/signals'
import type { ScheduleFrame } from '../../../model/requests/request-cache.ts'

export interface FrameValue<T> {
  /** What is drawn. */
  readonly shown: ReadonlySignal<T>
  /** The newest. */
  get(): T
  set(next: T): void
}

export interface FrameValues {
  value<T>(first: T): FrameValue<T>
  /** Counts the times that something was drawn anew. */
  readonly draws: ReadonlySignal<number>
}

export function createFrameValues(soon: ScheduleFrame): FrameValues {
  const draws = signal(0)
  const dirty = new Set<() => void>()

  function draw(): void {
    const all = [...dirty]
    dirty.clear()
    batch(() => {
      for (const each of all) each()
      draws.value++
    })
  }

  return {
    draws,
    value<T>(first: T) {
      const shown = signal(first)
      let newest = first
      const show = () => {
        shown.value = newest
      }
      return {
        shown,
        get: () => newest,
        set(next: T) {
          if (Object.is(next, newest)) return
          newest = next
          const isFirst = dirty.size === 0
          dirty.add(show)
          if (isFirst) soon(draw)
        },
      }
    },
  }
}
