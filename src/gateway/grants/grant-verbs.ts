/** `grants` and `revokeGrant`: what people have allowed for later, to read and to take back. */

import type { Grant } from '../../core/grants/grant.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { Actor } from '../../core/session.ts'
import type { Page, Store } from '../../stores/store.ts'
import type { JournalWriter } from '../record/journal-writer.ts'
import { requirePerson } from '../requests/require-person.ts'

export interface GatewayGrantVerbs {
  grants(query: { limit?: number; cursor?: string }, actor: Actor): Promise<Page<Grant>>
  revokeGrant(id: string, actor: Actor): Promise<void>
}

export interface GrantPorts {
  store: Pick<Store, 'grants'>
  journal: JournalWriter
}

export function createGrantVerbs({ store, journal }: GrantPorts): GatewayGrantVerbs {
  return {
    async grants(query, actor) {
      requirePerson(actor, 'read the grants')
      return store.grants.list(query)
    },
    async revokeGrant(id, actor) {
      requirePerson(actor, 'revoke a grant')
      const entry = journal.entry('grant.revoked', { grant: id, by: actor.subject })
      if (await store.grants.revoke(id, actor.subject, entry)) return
      if ((await store.grants.get(id)) === undefined) {
        throw reasonedError('unknown_id', reasonOf('problem.no-grant', { id }))
      }
    },
  }
}
