/** Calls that run in this process under `guard`, and those that were stopped here before that was recorded. */
import type { Progress, Request } from '../../core/request.ts'
import { stopReason } from './request-refusals.ts'

export interface GuardedRun {
  stop(reason: unknown): void
  by: string
  request: Request
}

export interface RunningCalls {
  add(id: string, call: GuardedRun): void
  delete(id: string): void
  get(id: string): GuardedRun | undefined
  has(id: string): boolean
  ids(): Iterable<string>
  size(): number
  /** Stops the call if the request was told to stop. */
  stopIfAsked(request: Request): void
  /** The request was stopped here, and that is still to be recorded: until then it must not run (P5). */
  markStopped(id: string, stop: Stop): void
  stoppedBy(id: string): Stop | undefined
  forgetStopped(id: string): void
}

type Stop = NonNullable<Progress['stop']>

export function createRunningCalls(): RunningCalls {
  const running = new Map<string, GuardedRun>()
  const stopped = new Map<string, Stop>()
  return {
    add: (id, call) => void running.set(id, call),
    delete: (id) => void running.delete(id),
    get: (id) => running.get(id),
    has: (id) => running.has(id),
    ids: () => running.keys(),
    size: () => running.size,
    stopIfAsked(request) {
      if (request.progress.stop !== undefined) running.get(request.id)?.stop(stopReason(request))
    },
    markStopped: (id, stop) => void stopped.set(id, stop),
    stoppedBy: (id) => stopped.get(id),
    forgetStopped: (id) => void stopped.delete(id),
  }
}
