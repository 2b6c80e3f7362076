/**
 * Tells one hook what happens. Each hook has a queue of its own, so that a slow one delays no other. Events are told one
 * after the other; when the queue is full they are dropped, and how many is reported, at most once a second.
 */

import type { TurnEvent } from '../../../core/conversation.ts'
import type { Clock, Timer } from '../../../core/time/clock.ts'
import type { EventContext } from '../../sessions/engine.ts'
import { failed, HookTimeout, messageOf, quote } from './hook-failure.ts'
import type { MountedHook } from './mounted-hooks.ts'

export interface Observer {
  /** Never waits and never throws. */
  tell(event: TurnEvent, about?: EventContext): void
  /** Takes no more events, and resolves when those in the queue have been told. */
  drain(): Promise<void>
}

interface ToldEvent {
  event: TurnEvent
  about: EventContext | undefined
}

const QUEUE_LENGTH = 64
const REPORT_EVERY_MS = 1000

export function createObserver(
  { name, observes, stages, timeouts: { observeMs } }: MountedHook,
  clock: Pick<Clock, 'after'>,
  report: (reason: string) => void,
): Observer {
  const queue: ToldEvent[] = []
  let telling: Promise<void> | undefined
  let closed = false
  let dropped = 0
  let failures = 0
  let lastFailure = ''
  let reporting: Timer | undefined

  const flush = () => {
    reporting?.cancel()
    reporting = undefined
    if (dropped > 0) report(`hook ${quote(name)} can't keep up: ${dropped} events were dropped`)
    if (failures > 0) report(failures === 1 ? lastFailure : `${lastFailure} (${failures} times)`)
    dropped = 0
    failures = 0
  }
  const reportSoon = () => {
    reporting ??= clock.after(REPORT_EVERY_MS, flush)
  }
  const failing = (reason: string) => {
    failures++
    lastFailure = reason
    reportSoon()
  }

  const work = async () => {
    for (let told = queue.shift(); told !== undefined; told = queue.shift()) {
      const fault = await tellOne(told)
      if (fault !== undefined) failing(fault)
    }
    telling = undefined
  }

  const tellOne = ({ event, about }: ToldEvent) =>
    new Promise<string | undefined>((resolve) => {
      const timer = clock.after(observeMs, () => resolve(new HookTimeout(name, observeMs).message))
      const told = async () => stages.observe?.(structuredClone(event), structuredClone(about))
      told()
        .then(
          () => resolve(undefined),
          (thrown) => resolve(failed(name, messageOf(thrown)).message),
        )
        .finally(() => timer.cancel())
    })

  return {
    tell(event, about) {
      if (closed) return
      try {
        if (observes !== undefined && !observes(event)) return
      } catch (error) {
        return failing(failed(name, messageOf(error)).message)
      }
      if (queue.length >= QUEUE_LENGTH) {
        dropped++
        return reportSoon()
      }
      queue.push({ event, about })
      telling ??= Promise.resolve().then(work)
    },
    async drain() {
      closed = true
      await telling
      flush()
    },
  }
}
