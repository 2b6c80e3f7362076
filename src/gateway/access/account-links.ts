/**
 * Links between accounts of other services and people, made by hand: for people whose account isn't in the configuration. An
 * account has one link at most. Every change is in the journal, and the person is told.
 */

import { ACCOUNT_LINKS, type Account, type LinkedAccount } from '../../core/authority.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { Actor } from '../../core/session.ts'
import type { EntryDraft, EntryType } from '../../journal/entry.ts'
import type { RecordChange, Store } from '../../stores/store.ts'
import type { AccountNews } from './account-news.ts'

export interface AccountLinks {
  /** To whom the account is linked. */
  find(account: Account): Promise<string | undefined>
  /** All links of a service. */
  of(service: string): Promise<LinkedAccount[]>
  /** The change that makes a link where there is none, and its entry, to be committed with others. */
  draft(link: LinkedAccount, actor: Actor): { change: RecordChange; entry: EntryDraft }
  /** Administrators link anybody's account, others their own. Nobody does by way of such an account. */
  link(account: Account, subject: string, actor: Actor): Promise<void>
  /** Undoing what isn't there is a success. */
  unlink(account: Account, actor: Actor): Promise<void>
}

export interface AccountLinksParts {
  records: Store['records']
  entry(type: EntryType, members: JsonObject): EntryDraft
  news: AccountNews
}

const KIND = ACCOUNT_LINKS
/** Three of them fit a record's key, with every quote escaped. */
const MAX_PART = 80
/** No service has these in its ids, and JSON writes each as six characters. */
const CONTROL = /\p{Cc}/u

export function createAccountLinks({ records, entry, news }: AccountLinksParts): AccountLinks {
  async function find(account: Account): Promise<string | undefined> {
    if (!isWellFormed(account)) return undefined
    return textIn((await records.get(KIND, accountName(account)))?.value, 'subject')
  }

  const about = (
    type: 'account.linked' | 'account.unlinked',
    link: LinkedAccount,
    { subject: by, via }: Actor,
  ) => {
    const { service, tenant, account, subject } = link
    return entry(type, { account: { service, tenant, account }, by, via, subject })
  }

  function draft(link: LinkedAccount, actor: Actor): { change: RecordChange; entry: EntryDraft } {
    checkWellFormed(link)
    const { subject, name } = link
    const change = {
      kind: KIND,
      key: accountName(link),
      version: 0,
      value: { subject, ...defined({ name }) },
    }
    return { change, entry: about('account.linked', link, actor) }
  }

  async function commit(change: RecordChange, made: EntryDraft): Promise<void> {
    const { won } = await records.change([change], made)
    if (!won) throw reasonedError('invalid', reasonOf('account.changed'))
  }

  async function of(service: string): Promise<LinkedAccount[]> {
    const prefix = `${JSON.stringify([service]).slice(0, -1)},`
    const found: LinkedAccount[] = []
    let cursor: string | undefined
    do {
      const page = await records.list({ kind: KIND, prefix, ...defined({ cursor }) })
      for (const { key, value } of page.items) {
        const subject = textIn(value, 'subject')
        const name = textIn(value, 'name')
        const [, tenant, account] = parseJson<[string, string, string]>(key)
        if (subject !== undefined) found.push({ service, tenant, account, subject, ...defined({ name }) })
      }
      cursor = page.cursor
    } while (cursor !== undefined)
    return found
  }

  return {
    find,
    of,
    draft,
    async link(account, subject, actor) {
      checkWellFormed(account)
      const linked = await find(account)
      if (linked === subject) return
      checkActor(actor, subject)
      if (linked !== undefined)
        throw reasonedError('invalid', reasonOf('account.linked', { subject: linked }))
      const made = draft({ ...account, subject }, actor)
      await commit(made.change, made.entry)
      news.tell({ kind: 'linked', account: { ...account, subject }, by: actor.subject })
    },
    async unlink(account, actor) {
      if (!isWellFormed(account)) return
      const key = accountName(account)
      const record = await records.get(KIND, key)
      const subject = textIn(record?.value, 'subject')
      if (record === undefined || subject === undefined) return
      checkActor(actor, subject)
      const gone = { kind: KIND, key, version: record.version }
      const link = { ...account, subject }
      await commit(gone, about('account.unlinked', link, actor))
      news.tell({ kind: 'unlinked', account: link, by: actor.subject })
    },
  }
}

/** One name for one account: as JSON, no part can run into the next. */
export function accountName({ service, tenant, account }: Account): string {
  return JSON.stringify([service, tenant, account])
}

/** Whether it can be a part of a record's key. */
export function isWellFormed({ service, tenant, account }: Account): boolean {
  const isText = (part: unknown, least: number) =>
    typeof part === 'string' &&
    part.length >= least &&
    part.length <= MAX_PART &&
    part.isWellFormed() &&
    !CONTROL.test(part)
  return isText(service, 1) && isText(tenant, 0) && isText(account, 1)
}

function checkWellFormed(account: Account): void {
  if (isWellFormed(account)) return
  throw new BanksmanError(
    'invalid',
    `service, tenant and account are texts of at most ${MAX_PART} characters`,
  )
}

function textIn(value: unknown, name: 'subject' | 'name'): string | undefined {
  const text = (value as Record<string, unknown> | undefined)?.[name]
  return typeof text === 'string' ? text : undefined
}

function checkActor({ role, subject: self, account }: Actor, subject: string | undefined): void {
  if (account === undefined && (role === 'admin' || (role === 'approver' && self === subject))) return
  throw reasonedError('forbidden', reasonOf('account.others'))
}
