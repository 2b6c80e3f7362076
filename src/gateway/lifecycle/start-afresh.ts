/**
 * Whatever the store says that somebody may do ends: the store is older than what was acknowledged here, or comes from elsewhere.
 * Pending requests and unclaimed approvals are cancelled, the outcome of running calls is unknown, tokens, grants and links of
 * accounts are revoked. What was is still on the record, and so is this.
 */

import { ACCOUNT_LINKS } from '../../core/authority.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import type { Actor } from '../../core/session.ts'
import { readAllPages } from '../../core/support/read-pages.ts'
import type { Store } from '../../stores/store.ts'
import type { AccountLinks } from '../access/account-links.ts'
import type { CredentialVerbs } from '../access/tokens.ts'
import type { GatewayGrantVerbs } from '../grants/grant-verbs.ts'
import type { JournalWriter } from '../record/journal-writer.ts'
import type { EndRequests } from './end-requests.ts'

export interface AfreshPorts {
  store: Pick<Store, 'journal' | 'records'>
  requests: EndRequests
  journal: JournalWriter
  tokens: Pick<CredentialVerbs, 'list' | 'revoke'>
  grants: GatewayGrantVerbs
  accounts: Pick<AccountLinks, 'unlink'>
}

/** Administrators only. Repeating it is a success. */
export type StartAfreshVerb = (
  why: { cause: 'older' | 'adopted' } & JsonObject,
  actor: Actor,
) => Promise<void>

const WORDS = {
  older: 'the store is older than what this server had acknowledged',
  adopted: 'the data folder was taken over from elsewhere',
}

export function createStartAfresh(ports: AfreshPorts): StartAfreshVerb {
  const { store, requests, journal, tokens, grants, accounts } = ports

  return async (why, actor) => {
    if (actor.role !== 'admin')
      throw new BanksmanError('forbidden', 'only an admin can end all that was allowed')
    const { subject: by } = actor
    await store.journal.append(journal.entry('store.accepted', { ...why, by, via: actor.via }))
    await requests.cancel({}, { by, reason: WORDS[why.cause] })
    await requests.abandonRunning(by)
    for (const grant of await readAllPages((next) => grants.grants(next, actor)))
      if (grant.revoked === undefined) await grants.revokeGrant(grant.id, actor)
    for (const token of await tokens.list(actor))
      if (token.revokedAt === undefined) await tokens.revoke(token.id, actor)
    for (const { key } of await readAllPages((next) =>
      store.records.list({ kind: ACCOUNT_LINKS, ...next }),
    )) {
      const [service, tenant, account] = parseJson<[string, string, string]>(key)
      await accounts.unlink({ service, tenant, account }, actor)
    }
  }
}
