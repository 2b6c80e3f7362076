/**
 * Who has a call that the policy allowed. Most such calls have no hold: `guard` runs them at once, and the record says only that
 * they were allowed. A hold is written where somebody must be able to find out later whether the call was taken to run, by
 * whom, and what became of it.
 *
 * `reviewed`: judged, and not yet taken by anyone. `running`: taken by one runner, under a key that it made up; the same key
 * gets it again, another doesn't. `released`: given back, and free to be taken by a new key. `done`: it has run.
 */
import type { ErrorCode } from './errors.ts'
import type { Reason } from './reasons/reason.ts'
import { reasonOf } from './reasons/reason-of.ts'
import type { Outcome } from './request.ts'

export interface CallHold {
  /** Raised by every change, from 1. The store compares and sets on it. */
  version: number
  state: 'reviewed' | 'running' | 'released' | 'done'
  /** While it runs, and afterwards: under which key, by whom, and since when. */
  key?: string
  by: string
  at: number
  /** Keys that were given back, or barred before they took it. None of them takes the call again. */
  released?: Release[]
  outcome?: Outcome
  /** It is the same call as the one with this id, whose request it joined. Whoever asks for it is given that one. */
  joined?: string
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

/** A tool that pauses more often than this goes in circles. */
export const MAX_RELEASES = 10
/** Keys that never held anything are remembered for as long as something of theirs may still be under way. */
const MAX_BARRED = 20

export type HoldStep =
  | { kind: 'change'; hold: CallHold }
  /** It is already so, by the same hand. */
  | { kind: 'repeat' }
  | { kind: 'refuse'; code: ErrorCode; reason: Reason }

/** A runner takes the call. Without a hold the call was run at once, or may have been. */
export function takeHold(
  hold: CallHold | undefined,
  { key, by, at }: { key: string; by: string; at: number },
): HoldStep {
  if (hold === undefined) return refuse('already_claimed', reasonOf('call.let-through'))
  if (isReleased(hold.released, key)) return refuse('already_claimed', reasonOf('call.given-back'))
  switch (hold.state) {
    case 'reviewed':
    case 'released':
      return change(hold, { state: 'running', key, by, at })
    case 'running':
      return hold.key === key && hold.by === by
        ? { kind: 'repeat' }
        : refuse('already_claimed', reasonOf('call.let-through'))
    case 'done':
      return refuse('already_claimed', alreadyRan(hold.outcome))
  }
}

/** The runner gives it back. A call without a hold was run at once, and is nobody's to give back. */
export function releaseHold(hold: CallHold | undefined, release: Release): HoldStep {
  if (hold === undefined) return refuse('not_running', reasonOf('call.no-hold'))
  if (isReleased(hold.released, release.key)) return { kind: 'repeat' }
  if (
    hold.by !== release.by ||
    hold.state === 'done' ||
    (hold.state === 'running' && hold.key !== release.key)
  )
    return refuse('not_running', reasonOf('call.no-hold'))
  if (hold.state !== 'running') return change(hold, { released: withRelease(hold.released, release) })
  if (isReleasedOften(hold.released)) return refuse('not_running', tooManyReleases())
  const given = { ...release, claim: `hold ${hold.version}` }
  const { key: _, ...rest } = hold
  return change(rest, { state: 'released', released: withRelease(hold.released, given) })
}

/** The process that ran the call at once, and knows that the tool paused itself, gives it back. */
export function releaseRun(hold: CallHold | undefined, release: Release): HoldStep {
  if (hold !== undefined) return refuse('not_running', reasonOf('call.taken'))
  const { by, at } = release
  const released = [{ ...release, claim: 'run' }]
  return { kind: 'change', hold: { version: 1, state: 'released', by, at, released } }
}

/** Only what was really held counts: whoever stops waiting bars a key each time. */
export function isReleasedOften(released: readonly Release[] = []): boolean {
  return released.filter(({ claim }) => claim !== undefined).length >= MAX_RELEASES
}

export function withRelease(released: readonly Release[] = [], release: Release): Release[] {
  const barred = released.filter(({ claim }) => claim === undefined)
  const forgotten = barred.length >= MAX_BARRED && release.claim === undefined ? barred[0] : undefined
  return [...released.filter((one) => one !== forgotten), release]
}

/** The runner says what became of it. */
export function reportHold(hold: CallHold | undefined, key: string, outcome: Outcome): HoldStep {
  if (hold?.key !== key || hold.by !== outcome.by) return refuse('not_running', reasonOf('call.no-hold'))
  if (hold.state === 'running') return change(hold, { state: 'done', outcome })
  if (hold.outcome?.kind === outcome.kind) return { kind: 'repeat' }
  const found = hold.outcome === undefined ? undefined : reasonOf(`outcome.${hold.outcome.kind}`)
  return refuse(
    'already_reported',
    found === undefined ? reasonOf('call.ended') : reasonOf('request.other-outcome', { outcome: found }),
  )
}

export function isReleased(released: readonly Release[] | undefined, key: string): boolean {
  return released?.some((one) => one.key === key) === true
}

/** Without an outcome it was only taken as done. */
export function alreadyRan(outcome: Outcome | undefined): Reason {
  return outcome === undefined
    ? reasonOf('call.ended')
    : reasonOf('call.ran', { outcome: reasonOf(`outcome.${outcome.kind}`) })
}

export function tooManyReleases(): Reason {
  return reasonOf('call.given-back-often', { count: MAX_RELEASES })
}

function change(hold: CallHold, parts: Partial<CallHold>): HoldStep {
  return { kind: 'change', hold: { ...hold, ...parts, version: hold.version + 1 } }
}

function refuse(code: ErrorCode, reason: Reason): HoldStep {
  return { kind: 'refuse', code, reason }
}
