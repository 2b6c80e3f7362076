/** What can go wrong with a hook, in the words that people and models are told. */

export type HookStage =
  | 'beforeModel'
  | 'afterModel'
  | 'beforeTool'
  | 'provide'
  | 'afterTool'
  | 'approveTool'
  | 'observe'
  | 'close'

/** Something for the log: a hook did not do what it is there for. */
export interface HookFault {
  hook: string
  stage: HookStage
  reason: string
  /** What came of it. `passed_over`: all went on as if the hook were not there. */
  effect: 'denied' | 'withheld' | 'stopped' | 'passed_over'
  session?: string
  turn?: string
}

/**
 * `failed`: it threw, hung, or answered what is not understood; `onFailure: continue` passes over it.
 * `untrusted`: it wanted what only a trusted hook may. Nothing passes over that: its change was meant to be made, and
 * going on without it could show what it wanted hidden.
 * `stopped`: it is not the hook's fault. The turn was stopped or the hooks were closed while it was consulted.
 */
type FailureKind = 'failed' | 'untrusted' | 'stopped'

/** Its message is the whole reason, with the hook's name. */
export class HookFailure extends Error {
  readonly kind: FailureKind

  constructor(kind: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'HookFailure'
    this.kind = kind
  }
}

export function failed(hook: string, why: string, options?: ErrorOptions): HookFailure {
  return new HookFailure('failed', `hook ${quote(hook)} failed: ${why}`, options)
}

/** The reason with which a hook is told that its time is up. */
export class HookTimeout extends HookFailure {
  constructor(hook: string, limitMs: number) {
    super('failed', `hook ${quote(hook)} timed out after ${limitMs} ms`)
    this.name = 'HookTimeout'
  }

  /** What is known of why, from whoever hears the signal. */
  remark(what: string): void {
    this.message = `${this.message}; ${shortened(what, 1000)}`
  }
}

export function untrusted(hook: string, what: string): HookFailure {
  return new HookFailure(
    'untrusted',
    `hook ${quote(hook)} is not trusted, so it may not ${what}; set trusted: true if it should`,
  )
}

/** What something that was thrown says of itself, cut where it is long. */
export function messageOf(thrown: unknown): string {
  try {
    const message = thrown instanceof Error ? thrown.message || thrown.name : String(thrown)
    return shortened(message, 1000)
  } catch {
    return 'it threw something that can not be shown'
  }
}

/** A name in a sentence: what is not printable in it is visible, and it is not longer than a name should be. */
export function quote(name: string): string {
  return JSON.stringify(shortened(name, 100))
}

export function shortened(text: string, length: number): string {
  return (text.length > length ? `${text.slice(0, length)}…` : text).toWellFormed()
}

export function describe(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** The keys of an answer, so that whoever wrote the hook sees what it said instead. */
export function keysOf(value: object): string {
  const keys = Object.keys(value)
  const shown = keys.slice(0, 8).map((key) => shortened(key, 40))
  return keys.length === 0 ? 'nothing' : shown.join(', ') + (keys.length > 8 ? ', …' : '')
}
