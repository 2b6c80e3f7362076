import type { Refusal } from '../../core/conversation.ts'
import { told } from '../../core/reasons/english.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'

/** Let through, and then not run after all. */
export class LateRefusal extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.because)
    this.refusal = refusal
  }
}

/** By a hook that looked at what a person had made of the call. */
export class LateDenial extends LateRefusal {
  constructor(by: string, reason: string) {
    super({ state: 'denied', because: reason, by, mayRetry: false })
  }
}

export const SKIPPED: Refusal = {
  state: 'skipped',
  ...told(reasonOf('refused.skipped')),
  mayRetry: false,
}

/** A person has said something that the model had not heard when it made the call: it is told first. */
export const OVERTAKEN: Refusal = {
  state: 'skipped',
  ...told(reasonOf('refused.overtaken')),
  mayRetry: true,
}
