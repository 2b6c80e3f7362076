/**
 * Links between accounts of other services and people, made by hand: for people whose account isn't in the configuration. An
 * account has one link at most. Every change is in the journal.
 */
import type { Account, LinkedAccount } from '../../core/authority.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { Actor } from '../../core/session.ts'
import type { EntryDraft, EntryType } from '../../journal/entry.ts'
import type { Store } from '../../stores/store.ts'

export interface AccountLinks {
  /** To whom the account is linked. */
  find(account: Account): Promise<string | undefined>
  /** All links of a service. */
  of(service: string): Promise<LinkedAccount[]>
  /** Administrators link anybody's account, others their own. Nobody does by way of such an account. */
  link(account: Account, subject: string, actor: Actor): Promise<void>
  /** Undoing what isn't there is a success. */
  unlink(account: Account, actor: Actor): Promise<void>
}

export interface AccountLinksParts {
  records: Store['records']
  entry(type: EntryType, members: JsonObject): EntryDraft
}

const KIND = 'account_link'
/** Three of them fit a record's key, with every quote escaped. */
const MAX_PART = 80
/** No service has these in its ids, and JSON writes each as six characters. */
const CONTROL = /\p{Cc}/u

export function createAccountLinks({ records, entry }: AccountLinksParts): AccountLinks {
  async function find(account: Account): Promise<string | undefined> {
    if (!isWellFormed(account)) return undefined
    return subjectIn((await records.get(KIND, accountName(account)))?.value)
  }

  async function change(account: Account, subject: string | undefined, actor: Actor): Promise<void> {
    const key = accountName(account)
    const before = await records.get(KIND, key)
    const linked = subjectIn(before?.value)
    if (linked === subject) return
    checkActor(actor, subject ?? linked)
    if (subject !== undefined && linked !== undefined) {
      throw new BanksmanError('invalid', `this account is linked to ${linked}; undo that first`)
    }
    const { service, tenant, account: id } = account
    const about = { account: { service, tenant, account: id }, by: actor.subject, via: actor.via }
    const draft =
      subject === undefined
        ? entry('account.unlinked', { ...about, subject: linked ?? null })
        : entry('account.linked', { ...about, subject })
    const value = subject === undefined ? {} : { value: { subject } }
    const { won } = await records.change(
      [{ kind: KIND, key, version: before?.version ?? 0, ...value }],
      draft,
    )
    if (!won) throw new BanksmanError('invalid', 'somebody else has changed this link meanwhile; look again')
  }

  async function of(service: string): Promise<LinkedAccount[]> {
    const prefix = `${JSON.stringify([service]).slice(0, -1)},`
    const found: LinkedAccount[] = []
    let cursor: string | undefined
    do {
      const page = await records.list({ kind: KIND, prefix, ...defined({ cursor }) })
      for (const { key, value } of page.items) {
        const subject = subjectIn(value)
        const [, tenant, account] = JSON.parse(key) as [string, string, string]
        if (subject !== undefined) found.push({ service, tenant, account, subject })
      }
      cursor = page.cursor
    } while (cursor !== undefined)
    return found
  }

  return {
    find,
    of,
    async link(account, subject, actor) {
      if (!isWellFormed(account)) {
        throw new BanksmanError(
          'invalid',
          `service, tenant and account are texts of at most ${MAX_PART} characters`,
        )
      }
      await change(account, subject, actor)
    },
    unlink: (account, actor) => change(account, undefined, actor),
  }
}

/** One name for one account: as JSON, no part can run into the next. */
export function accountName({ service, tenant, account }: Account): string {
  return JSON.stringify([service, tenant, account])
}

function isWellFormed({ service, tenant, account }: Account): boolean {
  const isText = (part: unknown, least: number) =>
    typeof part === 'string' &&
    part.length >= least &&
    part.length <= MAX_PART &&
    part.isWellFormed() &&
    !CONTROL.test(part)
  return isText(service, 1) && isText(tenant, 0) && isText(account, 1)
}

function subjectIn(value: unknown): string | undefined {
  const subject = (value as { subject?: unknown } | undefined)?.subject
  return typeof subject === 'string' ? subject : undefined
}

function checkActor({ role, subject: self, account }: Actor, subject: string | undefined): void {
  if (account === undefined && (role === 'admin' || (role === 'approver' && self === subject))) return
  throw new BanksmanError(
    'forbidden',
    'only an administrator links accounts of others, and only by an own credential',
  )
}
