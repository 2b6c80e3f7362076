/**
 * Whose account it is, looked up each time somebody acts (P6): nothing is remembered from one click to the next. The
 * configuration comes first, then the links that were made by hand. The person must still be somebody we know: an account of
 * somebody who has left decides nothing. Somebody who comes by an account is an approver, never an administrator.
 *
 * An account of nobody is refused, and the attempt is written down; at most once a minute for an account and a request.
 */

import type { Directory } from '../../core/authority.ts'
import { type Identified, isVerifiedAccount, type VerifiedAccount } from '../../core/authority.ts'
import { defined } from '../../core/defined.ts'
import type { BanksmanError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { Actor } from '../../core/session.ts'
import type { Store } from '../../stores/store.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { type AccountLinks, accountName } from './account-links.ts'

/** `on` is the request that they act on. Throws `unlinked_account`. */
export type FindPerson = (who: Identified, on?: string) => Promise<Actor>

export interface FindPersonParts {
  links: Pick<AccountLinks, 'find'>
  directory(): Directory
  /** Brings the directory up to date, where others than this process change it. */
  refresh: GatewayParts['refreshDirectory']
  now: Store['now']
  /** Writes down an attempt. It must not throw. */
  noteAttempt(members: JsonObject): Promise<void>
}

const ONCE_IN_MS = 60_000
/** Only accounts that a service vouched for come here; this bounds the memory all the same. */
const MAX_REMEMBERED = 10_000

export function createFindPerson({
  links,
  directory,
  refresh,
  now,
  noteAttempt,
}: FindPersonParts): FindPerson {
  const attempts = new Map<string, number>()

  async function subjectOf(account: VerifiedAccount): Promise<string | undefined> {
    // No token is looked at here, so it is the directory that must know of one that was revoked elsewhere or has expired.
    await refresh?.()
    const subject = configuredFor(account, directory().people) ?? (await links.find(account))
    const { owner, people } = directory()
    return subject !== undefined && (subject === owner || people.has(subject)) ? subject : undefined
  }

  async function refuse(account: VerifiedAccount, on: string | undefined): Promise<BanksmanError> {
    const key = JSON.stringify([accountName(account), on])
    const last = attempts.get(key)
    if (last === undefined || now() - last >= ONCE_IN_MS) {
      if (attempts.size >= MAX_REMEMBERED) attempts.clear()
      attempts.set(key, now())
      const code = 'unlinked_account'
      await noteAttempt({ ...defined({ on }), account: toJournal(account), via: account.service, code })
    }
    const { service } = account
    return reasonedError('unlinked_account', reasonOf('account.nobody', { service }), { service })
  }

  return async (who, on) => {
    if (!isVerifiedAccount(who)) return who
    const subject = await subjectOf(who)
    if (subject === undefined) throw await refuse(who, on)
    return { subject, role: 'approver', via: who.service, account: toJournal(who) }
  }
}

/** Two people with one account would be a mistake in the configuration, which refuses it: here it is nobody's. */
export function configuredFor(
  { service, account, isHome }: Pick<VerifiedAccount, 'service' | 'account' | 'isHome'>,
  people: Directory['people'],
): string | undefined {
  if (!isHome) return undefined
  const found = [...people].filter(([, { accounts }]) => accounts?.get(service) === account)
  return found.length === 1 ? found[0]![0] : undefined
}

function toJournal({ service, tenant, account, proof }: VerifiedAccount): JsonObject {
  return { service, tenant, account, proof }
}
