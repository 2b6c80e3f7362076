import { MODES, type Mode } from '../../../../../src/core/session.ts'

/** These take a person out of it, one way or the other: they are asked about twice. */
export function needsSecondStep(mode: Mode): mode is 'dontAsk' | 'bypass' {
  return mode === 'dontAsk' || mode === 'bypass'
}

/** Undefined for one that a newer server may have. */
export function modeNamed(name: string | undefined): Mode | undefined {
  return MODES.find((mode) => mode === name)
}
