/** Revoking the last token of an agent cancels what it asked; rotating one hands that over to the new token. */

import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { Actor } from '../../core/session.ts'
import type { Store } from '../../stores/store.ts'
import type { EndRequests } from '../lifecycle/end-requests.ts'
import { isLive } from './find-tokens.ts'
import type { Credential, CredentialVerbs } from './tokens.ts'

export interface RotatingVerbs {
  revoke(id: string, actor: Actor): Promise<void>
  /** A new token for the same subject, role, label, scope and time left; the old one is revoked. */
  rotate(id: string, actor: Actor): Promise<Credential>
}

export function createRevokeTokens(
  tokens: Pick<CredentialVerbs, 'create' | 'list' | 'revoke'>,
  { now }: Pick<Store, 'now'>,
  requests: Pick<EndRequests, 'cancel'>,
): RotatingVerbs {
  return {
    async revoke(id, actor) {
      const before = await tokens.list(actor)
      await tokens.revoke(id, actor)
      const revoked = before.find((token) => token.id === id)
      if (revoked?.role !== 'agent') return
      const { subject } = revoked
      const isLast = !before.some(
        (token) => token.id !== id && token.subject === subject && isLive(token, now()),
      )
      const reason = `the token of ${subject} was revoked`
      if (isLast) await requests.cancel({ submittedBy: subject }, { by: actor.subject, reason })
    },
    async rotate(id, actor) {
      const old = (await tokens.list(actor)).find((token) => token.id === id)
      if (old === undefined) throw reasonedError('unknown_id', reasonOf('access.no-token', { id }))
      if (!isLive(old, now()) || old.use !== 'bearer')
        throw new BanksmanError(
          'invalid',
          `token ${id} is no longer valid, or is no token that could be rotated`,
        )
      const { role, subject, label, scope, expiresAt } = old
      const expiresInMs = expiresAt === undefined ? undefined : Math.max(1, expiresAt - now())
      const made = await tokens.create({ role, subject, ...defined({ label, scope, expiresInMs }) }, actor)
      await tokens.revoke(id, actor)
      return made
    },
  }
}
