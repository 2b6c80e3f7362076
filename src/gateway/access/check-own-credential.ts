/** What people do for themselves, they do by a credential of their own: no agent does, and no chat account (P11). */
import { BanksmanError } from '../../core/errors.ts'
import type { Actor } from '../../core/session.ts'

export function checkOwnCredential({ role, account }: Actor, does: string): void {
  if (role !== 'agent' && account === undefined) return
  throw new BanksmanError('forbidden', `only a person ${does}, and only by a credential of their own`)
}
