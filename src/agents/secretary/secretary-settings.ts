/** What the configuration says of coding sessions. */
import type { SessionUse } from '../../core/secretary.ts'
import type { Locale } from '../../display/words/rendering-words.ts'

export interface SecretarySettings {
  /** Of what a session's model is told. */
  language: Locale
  /** How long people have to answer. Absent: as long as elsewhere. */
  approvalTimeoutMs?: number
  /** How many sessions of a person may be open at once. */
  sessionsPerPerson: number
  /** What a session may use before its owner is asked whether it may go on. */
  budget: Partial<SessionUse>
}

/** What a session may use in all: its owner may have let it go on before. */
export function limitsOf(
  { budget }: Pick<SecretarySettings, 'budget'>,
  { extended }: { extended: number },
): Partial<SessionUse> {
  const times = extended + 1
  return Object.fromEntries(Object.entries(budget).map(([name, limit]) => [name, limit * times]))
}
