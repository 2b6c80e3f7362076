/** The accounts of people at one service, as they and administrators see them, and how a link is undone. */

import type { Account, Directory, LinkedAccount } from '../../core/authority.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { Actor } from '../../core/session.ts'
import type { AccountLinks } from './account-links.ts'
import { checkOwnCredential } from './check-own-credential.ts'
import { configuredFor } from './find-person.ts'

/** What is in the configuration comes first: it is where requests are shown. */
export interface PersonAccount extends LinkedAccount {
  from: 'configuration' | 'link'
}

/** The tenant is the one that the service's bot works in: the configuration means its accounts. */
export interface ServiceHome {
  service: string
  tenant: string
}

export interface OwnAccounts {
  /** One's own; with `all`, which is for administrators, everybody's. */
  list(home: ServiceHome, actor: Actor, which?: { all: boolean }): Promise<PersonAccount[]>
  /** One's own; administrators undo everybody's. */
  unlink(home: ServiceHome, account: Pick<Account, 'tenant' | 'account'>, actor: Actor): Promise<void>
}

export interface OwnAccountsPorts {
  links: Pick<AccountLinks, 'find' | 'of' | 'unlink'>
  directory(): Directory
}

export function createOwnAccounts({ links, directory }: OwnAccountsPorts): OwnAccounts {
  return {
    async list({ service, tenant }, actor, { all } = { all: false }) {
      checkOwnCredential(actor, 'sees accounts')
      if (all && actor.role !== 'admin') throw reasonedError('forbidden', reasonOf('account.others-seen'))
      const configured = [...directory().people].flatMap(([subject, { accounts }]): PersonAccount[] => {
        const account = accounts?.get(service)
        return account === undefined ? [] : [{ service, tenant, account, subject, from: 'configuration' }]
      })
      const linked = (await links.of(service)).map((link): PersonAccount => ({ ...link, from: 'link' }))
      return [...configured, ...linked].filter(({ subject }) => all || subject === actor.subject)
    },
    async unlink({ service, tenant: home }, { tenant, account }, actor) {
      checkOwnCredential(actor, 'unlinks an account')
      const isTheirs = (subject: string | undefined) =>
        subject !== undefined && (subject === actor.subject || actor.role === 'admin')
      const named: Account = { service, tenant, account }
      const configured = configuredFor({ ...named, isHome: tenant === home }, directory().people)
      if (isTheirs(configured))
        throw reasonedError(
          'invalid',
          reasonOf('account.configured', { place: `people.${configured}.${service}` }),
        )
      const subject = await links.find(named)
      if (!isTheirs(subject)) throw reasonedError('unknown_id', reasonOf('account.not-linked', { service }))
      await links.unlink(named, actor)
    },
  }
}
