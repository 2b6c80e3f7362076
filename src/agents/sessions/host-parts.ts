/** What a session host is made of. */
import type { Clock } from '../../core/time/clock.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { Engine } from './engine.ts'

export interface SessionHostParts {
  gateway: Pick<Gateway, 'guard' | 'hold' | 'cancel' | 'list' | 'waiting' | 'turns' | 'session' | 'leases'>
  /** The agents of this process, by name. */
  agents: ReadonlyMap<string, Engine>
  /** Has the sessions whose log names no agent. */
  defaultAgent: string
  clock: Clock
  /** Told of faults that nobody waits for. */
  report: (fault: { doing: string; error: unknown }) => void
  /** Where this process is, so that others find out that it has ended before its leases do. */
  place?: {
    name: string
    /** Whether the process at that place is known to be no more. False where nothing is known. */
    hasEnded(name: string): boolean
  }
}
