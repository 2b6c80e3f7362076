/**
 * Who has a call that the policy allowed. Most such calls have no hold: `guard` runs them at once, and the record says only that
 * they were allowed. A hold is written where somebody must be able to find out later whether the call was taken to run, by
 * whom, and what became of it.
 *
 * `reviewed`: judged, and not yet taken by anyone. `running`: taken by one runner, under a key that it made up; the same key
 * gets it again, another doesn't. `released`: given back, and free to be taken by a new key. `done`: it has run.
 */
import type { Outcome } from './request.ts'

export interface CallHold {
  /** Raised by every change, from 1. The store compares and sets on it. */
  version: number
  state: 'reviewed' | 'running' | 'released' | 'done'
  /** While it runs, and afterwards: under which key, by whom, and since when. */
  key?: string
  by: string
  at: number
  /** Keys that were given back. None of them takes the call again. */
  released?: Release[]
  outcome?: Outcome
}

/** A claim or a hold that its runner gave back without an outcome. */
export interface Release {
  key: string
  /** In a few words, as the runner gives it: "the tool paused itself". */
  cause: string
  by: string
  at: number
  /** The claim that was given back. Absent where the key never held one and can't from now on. */
  claim?: string
}
