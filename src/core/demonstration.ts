/** The demonstration, as people see it from outside: whether there is one, and how it is run again. */
import type { Actor } from './session.ts'

export const DEMONSTRATION_STATES = ['absent', 'ready', 'running'] as const

export type DemonstrationState = (typeof DEMONSTRATION_STATES)[number]

export interface DemonstrationStanding {
  /** `absent`: the server was not started with it. */
  state: DemonstrationState
  /** The conversation of its newest run. */
  session?: string
}

export interface DemonstrationRuns {
  state(): Promise<DemonstrationStanding>
  /** Runs it again, in the language of who asks. `already_running` while one runs. */
  run(locale: 'en' | 'zh', actor: Actor): Promise<DemonstrationStanding>
}
