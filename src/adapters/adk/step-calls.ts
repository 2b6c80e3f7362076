/**
 * The calls of one step of the model. Where one of them pauses, the kit forgets the results of the others, and runs only those again
 * that asked for a confirmation. So with the first that pauses, all of the step ask for one: what has run is told again from what the
 * guard has kept.
 */
import type { AdkToolContext } from './adk-tool.ts'

interface StepCalls {
  isPausing: boolean
  ended: AdkToolContext[]
}

const steps = new WeakMap<object, StepCalls>()

/** The model is asked again, so what was told of the step before is on record. */
export function beginStep({ invocationContext }: AdkToolContext): void {
  steps.delete(invocationContext)
}

/** The call must wait for a person. */
export function pauseStep(context: AdkToolContext, payload: AdkConfirmation): void {
  const step = stepOf(context)
  step.isPausing = true
  ask(context, payload)
  for (const one of step.ended.splice(0)) ask(one, { banksman: '', because: 'it has run' })
}

/** The call is over, or was refused. */
export function endCall(context: AdkToolContext): void {
  const step = stepOf(context)
  if (step.isPausing) ask(context, { banksman: '', because: 'it has run' })
  else step.ended.push(context)
}

/** What the run is paused with, for each call. */
export interface AdkConfirmation {
  /** The id of the request; empty for a call of the same step that nobody has to decide about. */
  banksman: string
  because: string
}

function ask(context: AdkToolContext, payload: AdkConfirmation): void {
  context.requestConfirmation({ hint: payload.because, payload })
}

function stepOf({ invocationContext }: AdkToolContext): StepCalls {
  const known = steps.get(invocationContext)
  if (known !== undefined) return known
  const made = { isPausing: false, ended: [] }
  steps.set(invocationContext, made)
  return made
}
