/**
 * How people tie a chat account to themselves. It takes both sides, so that neither can be talked into it alone:
 *
 * 1. `begin`: a person with a credential of their own gets a one-time code for one service. It is valid for ten minutes. The store
 *    has only its digest. A person has one code for a service: a new one takes the place of the old.
 * 2. `claim`: an account sends the code to the bot, in a private chat. The first account takes it. Nothing is linked yet.
 * 3. `confirm`: the person is shown the account where they made the code, and names exactly this account. Now the link exists.
 *
 * A code is worth nothing once it was used, has expired, was seen in a group, or once the credential that it was made with or its
 * person is no more. A chat gets the same answer to every code that is worth nothing. Wrong codes are counted for
 * each account: after too many, no code is taken from it for a time, not even a right one. They are not counted for all accounts
 * together: nobody guesses one of 2^80 codes, and strangers could keep everybody from linking.
 *
 * An account has one person, and a person has one account at a service.
 */

import type { Directory, LinkedAccount, VerifiedAccount } from '../../core/authority.ts'
import { defined } from '../../core/defined.ts'
import { digestOf } from '../../core/digest.ts'
import type { BanksmanError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json/json.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { Actor } from '../../core/session.ts'
import type {
  ClaimingAccount,
  LinkClaim,
  LinkClaimed,
  Linking,
  LinkingRefusal,
  LinkingState,
} from '../../core/support/account-linking.ts'
import { LINK_CODE_BYTES, makeLinkCode, readLinkCode } from '../../core/support/link-code.ts'
import type { Store, StoredRecord } from '../../stores/store.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import type { Host } from '../host.ts'
import { type AccountLinks, accountName, isWellFormed } from './account-links.ts'
import type { AccountNews } from './account-news.ts'
import type { RecordWaits } from './await-record.ts'
import { checkOwnCredential } from './check-own-credential.ts'
import { configuredFor } from './find-person.ts'
import { isLive } from './find-tokens.ts'
import type { CountLimit, RecordCounts } from './record-counts.ts'

export interface LinkingVerbs {
  /** `tenant` is the one that the service's bot works in. `token` is the id of the credential. */
  begin(
    to: { service: string; tenant: string },
    actor: Actor,
    token: string,
  ): Promise<Linking & { code: string }>
  get(id: string, actor: Actor): Promise<Linking>
  /** The same, once somebody has sent the code, or the time is over. */
  wait(id: string, actor: Actor, how: { holdMs: number; signal?: AbortSignal }): Promise<Linking>
  confirm(id: string, account: { tenant: string; account: string }, actor: Actor): Promise<Linking>
  /** Taking back what is over changes nothing. */
  cancel(id: string, actor: Actor): Promise<Linking>
  claim(claim: LinkClaim): Promise<LinkClaimed>
}

export interface LinkingPorts {
  store: Pick<Store, 'records' | 'tokens' | 'now'>
  host: Pick<Host, 'random' | 'newId'>
  links: AccountLinks
  counts: RecordCounts
  waits: RecordWaits
  news: AccountNews
  directory(): Directory
  refresh: GatewayParts['refreshDirectory']
}

/** As it is kept, under its person and service: so there is one. */
interface KeptLinking {
  id: string
  tenant: string
  /** The credential's id. */
  token: string
  state: Exclude<LinkingState, 'expired'>
  until: number
  account?: ClaimingAccount
  because?: LinkingRefusal
}

interface FoundLinking extends KeptLinking {
  subject: string
  service: string
  version: number
}

const LINKING = 'account_linking'
const CODE = 'link_code'
const VALID_MS = 10 * 60_000
/** So long it is told what became of it. */
const KEPT_MS = 60 * 60_000
const HOUR_MS = 60 * 60_000
const MAX_CHANGES = 10
const MAX_NAME = 200

const CODES: CountLimit = { of: 'link_code', max: 20, inMs: HOUR_MS }
const WRONG_OF_ACCOUNT: CountLimit = { of: 'wrong_link_code', max: 5, inMs: HOUR_MS, fromLast: true }

export function createLinking(ports: LinkingPorts): LinkingVerbs {
  const { store, host, links, counts, waits, news, directory } = ports
  const { records, now } = store
  const keyOf = ({ subject, service }: { subject: string; service: string }) =>
    JSON.stringify([subject, service])

  async function own(id: string, { subject }: Actor): Promise<FoundLinking> {
    const { items } = await records.list({
      kind: LINKING,
      prefix: `${JSON.stringify([subject]).slice(0, -1)},`,
    })
    const found = items.map(toLinking).find((linking) => linking.id === id)
    if (found !== undefined) return found
    throw reasonedError('unknown_id', reasonOf('account.code-over'))
  }

  /** The link that is being made with this code, whatever has become of it. */
  async function ofCode(code: string, service: string): Promise<FoundLinking | undefined> {
    const read = readLinkCode(code)
    const pointer = read === undefined ? undefined : await records.get(CODE, digestOf(read))
    const { key, id } = (pointer?.value ?? {}) as { key?: string; id?: string }
    const record = key === undefined ? undefined : await records.get(LINKING, key)
    const found = record && toLinking(record)
    return found?.id === id && found?.service === service ? found : undefined
  }

  /** False: it has changed meanwhile. */
  async function change(linking: FoundLinking, to: Partial<KeptLinking>): Promise<boolean> {
    const { won } = await records.change([changeOf(linking, to)])
    if (won) waits.wake(linking.id)
    return won
  }

  const changeOf = ({ subject, service, version, ...kept }: FoundLinking, to: Partial<KeptLinking>) => ({
    kind: LINKING,
    key: keyOf({ subject, service }),
    version,
    value: { ...kept, ...to } as unknown as JsonValue,
    expiresInMs: Math.max(1, (to.until ?? kept.until) - now() + KEPT_MS),
  })

  /** The person is still known, and so is the credential that the code was made with. */
  async function holds({ subject, token }: FoundLinking): Promise<boolean> {
    await ports.refresh?.()
    const { owner, people } = directory()
    if (subject !== owner && !people.has(subject)) return false
    const credential = (await store.tokens.list()).find(({ id }) => id === token)
    return credential !== undefined && credential.subject === subject && isLive(credential, now())
  }

  /** What keeps this account from being linked to them. A link of somebody who has left counts: it is to be undone first. */
  async function obstacle(
    { subject, service, tenant }: FoundLinking,
    account: { tenant: string; account: string },
  ): Promise<LinkingRefusal | undefined> {
    const verified = { service, ...account, isHome: account.tenant === tenant }
    const owner = configuredFor(verified, directory().people) ?? (await links.find(verified))
    if (owner !== undefined) return owner === subject ? 'account_yours' : 'account_taken'
    return (await accountOf(subject, service, tenant)) === undefined ? undefined : 'has_account'
  }

  async function accountOf(subject: string, service: string, tenant: string): Promise<string | undefined> {
    const configured = directory().people.get(subject)?.accounts?.get(service)
    if (configured !== undefined) return configured
    const all = await links.of(service)
    return all.find((link) => link.subject === subject && link.tenant === tenant)?.account
  }

  async function begin(to: { service: string; tenant: string }, actor: Actor, token: string) {
    checkOwnCredential(actor, 'links an account')
    const { service, tenant } = to
    const { subject } = actor
    const has = await accountOf(subject, service, tenant)
    if (has !== undefined)
      throw reasonedError('invalid', reasonOf('account.has-one', { service, account: has }))
    if (!(await counts.take(CODES, subject)))
      throw reasonedError('rate_limited', reasonOf('account.many-codes', { count: CODES.max }))
    const code = makeLinkCode(host.random.bytes(LINK_CODE_BYTES))
    for (let attempt = 0; attempt < MAX_CHANGES; attempt++) {
      const before = await records.get(LINKING, keyOf({ subject, service }))
      const id = host.newId('lnk')
      const kept: KeptLinking = { id, tenant, token, state: 'waiting', until: now() + VALID_MS }
      const linking = { ...kept, subject, service, version: before?.version ?? 0 }
      const pointer = {
        kind: CODE,
        key: digestOf(readLinkCode(code)!),
        version: 0,
        value: { key: keyOf(linking), id },
        expiresInMs: VALID_MS,
      }
      const { won } = await records.change([changeOf(linking, {}), pointer])
      if (won) {
        if (before !== undefined) waits.wake(toLinking(before).id)
        return { ...shown(linking), code }
      }
    }
    throw busy()
  }

  function shown({ id, service, state, until, account, because }: FoundLinking): Linking {
    const isOpen = state === 'waiting' || state === 'claimed'
    return {
      id,
      service,
      state: isOpen && until <= now() ? 'expired' : state,
      expiresAt: until,
      ...defined({ account, because }),
    }
  }

  async function claim({ code, account, name, isPrivate }: LinkClaim): Promise<LinkClaimed> {
    if (!isWellFormed(account)) return { kind: 'worthless' }
    if (!isPrivate) return voidCode(code, account)
    const who = accountName(account)
    const { service } = account
    if (await counts.isSpent(WRONG_OF_ACCOUNT, who)) return { kind: 'worthless' }
    for (let attempt = 0; attempt < MAX_CHANGES; attempt++) {
      const linking = await ofCode(code, service)
      const result = linking && (await claimFor(linking, account, name))
      if (result === 'changed') continue
      if (result !== undefined) return result
      await counts.take(WRONG_OF_ACCOUNT, who)
      return { kind: 'worthless' }
    }
    throw busy()
  }

  /** Undefined: it is worth nothing to this account. */
  async function claimFor(
    linking: FoundLinking,
    { tenant, account, isHome }: VerifiedAccount,
    name: string | undefined,
  ): Promise<LinkClaimed | 'changed' | undefined> {
    const { subject, until } = linking
    const { state } = shown(linking)
    const isSame = linking.account?.tenant === tenant && linking.account.account === account
    // The service sends a message again where we died before we had answered it.
    if (state === 'claimed' && isSame) return { kind: 'claimed', subject }
    if (state !== 'waiting' || until <= now() || !isHome || tenant !== linking.tenant) return undefined
    if (!(await holds(linking))) return undefined
    const sender = { tenant, account, ...defined({ name: name?.slice(0, MAX_NAME).toWellFormed() }) }
    const because = await obstacle(linking, sender)
    if (because !== undefined) {
      if (!(await change(linking, { state: 'refused', account: sender, because }))) return 'changed'
      return because === 'account_yours' ? { kind: 'yours', subject } : { kind: 'worthless' }
    }
    const isChanged = await change(linking, { state: 'claimed', account: sender, until: now() + VALID_MS })
    return isChanged ? { kind: 'claimed', subject } : 'changed'
  }

  async function voidCode(code: string, { service }: VerifiedAccount): Promise<LinkClaimed> {
    for (let attempt = 0; attempt < MAX_CHANGES; attempt++) {
      const linking = await ofCode(code, service)
      if (linking?.because === 'seen_by_others') return { kind: 'void' }
      if (linking === undefined || shown(linking).state !== 'waiting') return { kind: 'worthless' }
      if (await change(linking, { state: 'refused', because: 'seen_by_others' })) return { kind: 'void' }
    }
    throw busy()
  }

  async function confirm(
    id: string,
    named: { tenant: string; account: string },
    actor: Actor,
  ): Promise<Linking> {
    checkOwnCredential(actor, 'links an account')
    for (let attempt = 0; attempt < MAX_CHANGES; attempt++) {
      const linking = await own(id, actor)
      const { account, service, subject } = linking
      const { state } = shown(linking)
      if (state === 'waiting') throw reasonedError('not_pending', reasonOf('account.code-unsent'))
      if (account === undefined || account.tenant !== named.tenant || account.account !== named.account)
        throw reasonedError('stale_action', reasonOf('account.other-sent'))
      if (state !== 'claimed') return shown(linking)
      if (!(await holds(linking))) throw reasonedError('expired', reasonOf('account.credential-over'))
      const because = await obstacle(linking, account)
      if (because !== undefined) {
        if (await change(linking, { state: 'refused', because })) return shown(await own(id, actor))
        continue
      }
      const link: LinkedAccount = { service, subject, ...account }
      const made = links.draft(link, actor)
      const { won } = await records.change([made.change, changeOf(linking, { state: 'linked' })], made.entry)
      if (!won) continue
      waits.wake(id)
      news.tell({ kind: 'linked', account: link, by: actor.subject })
      return shown(await own(id, actor))
    }
    throw busy()
  }

  async function cancel(id: string, actor: Actor): Promise<Linking> {
    checkOwnCredential(actor, 'takes back a code')
    for (let attempt = 0; attempt < MAX_CHANGES; attempt++) {
      const linking = await own(id, actor)
      const { state } = shown(linking)
      if (state !== 'waiting' && state !== 'claimed') return shown(linking)
      if (await change(linking, { state: 'refused', because: 'cancelled' }))
        return shown(await own(id, actor))
    }
    throw busy()
  }

  async function get(id: string, actor: Actor): Promise<Linking> {
    checkOwnCredential(actor, 'reads a code')
    return shown(await own(id, actor))
  }

  return {
    begin,
    get,
    wait: (id, actor, how) =>
      waits.until(id, { ...how, read: () => get(id, actor), isDone: ({ state }) => state !== 'waiting' }),
    confirm,
    cancel,
    claim,
  }
}

function toLinking({ key, value, version }: StoredRecord): FoundLinking {
  const [subject, service] = parseJson<[string, string]>(key)
  return { ...(value as unknown as KeptLinking), subject, service, version }
}

function busy(): BanksmanError {
  return reasonedError('store_unavailable', reasonOf('account.code-busy', { count: MAX_CHANGES }))
}
