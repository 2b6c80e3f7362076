import { BanksmanError } from '../../core/errors.ts'
import type { Actor } from '../../core/session.ts'

/** Throws where an agent's credential asks for what only people do (P11). */
export function requirePerson(actor: Actor, what: string): void {
  if (actor.role === 'agent') throw new BanksmanError('forbidden', `an agent's credential can't ${what}`)
}
