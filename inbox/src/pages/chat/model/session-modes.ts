import { MODES, type Mode } from '../../../../../src/core/session.ts'

/** In these a person is asked less than in `default`, or not at all: they are asked about twice. */
export type LooseMode = Exclude<Mode, 'default' | 'plan'>

export function needsSecondStep(mode: Mode): mode is LooseMode {
  return mode !== 'default' && mode !== 'plan'
}

/** Undefined for one that a newer server may have. */
export function modeNamed(name: string | undefined): Mode | undefined {
  return MODES.find((mode) => mode === name)
}
