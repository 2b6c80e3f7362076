/** The modes of a session. */
export const SESSION_MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypass'] as const
export type SessionMode = (typeof SESSION_MODES)[number]

/** These take a person out of it, one way or the other: they are asked about twice. */
export function needsSecondStep(mode: SessionMode): mode is 'dontAsk' | 'bypass' {
  return mode === 'dontAsk' || mode === 'bypass'
}

/** Undefined for one that a newer server may have. */
export function modeNamed(name: string | undefined): SessionMode | undefined {
  return SESSION_MODES.find((mode) => mode === name)
}
