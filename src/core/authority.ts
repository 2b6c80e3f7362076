/**
 * Who may decide. A condition names people, groups or the owner; the directory says who they are today. It is
 * looked up at the click, and again for every voter at the last vote (P6).
 */
import type { JsonObject } from './json/json.ts'
import type { Actor, Session } from './session.ts'
import type { QuietHours } from './time/quiet-hours.ts'
import type { ApprovalCondition } from './verdict.ts'

export interface Directory {
  /** The person this installation belongs to. */
  owner: string
  /** Everyone who can decide anything, with their groups. */
  people: ReadonlyMap<string, Person>
}

export interface Person {
  groups: readonly string[]
  /** Their account at other services, by the service's name. */
  accounts?: ReadonlyMap<string, string>
  /** When they are not to be disturbed. */
  quietHours?: QuietHours
}

/**
 * Somebody's account at another service, such as a chat. A channel verifies which account a click or a message came from, and
 * hands that over. It never says who the person is: the gateway looks that up each time somebody acts (P6).
 */
export interface Account {
  /** The service's name, as `people:` in the configuration spells it: `feishu`, `slack`. */
  service: string
  /** The organisation or workspace that the account belongs to. Empty where the service has none. */
  tenant: string
  /** The service's own id of the account, never a name that people choose or an address that a client sends. */
  account: string
}

/** It was linked to a person by hand. */
export interface LinkedAccount extends Account {
  subject: string
  /** What the service showed as its name when it was linked. Its owner chooses it: it proves nothing. */
  name?: string
}

export interface VerifiedAccount extends Account {
  /**
   * Whether the tenant is the one that this channel is set up for. False for somebody of another tenant, as in a channel that
   * two companies share: the configuration names accounts of the own tenant only.
   */
  isHome: boolean
  /** What was verified, for the journal: ids, times, the scheme. No secret, no signature, nothing that could be used again. */
  proof: JsonObject
}

/** Who acts: a caller whose credential we checked, or an account that a channel verified. */
export type Identified = Actor | VerifiedAccount

export function isVerifiedAccount(who: Identified): who is VerifiedAccount {
  return 'service' in who
}

/** The kind of the store's records of links. Their keys are service, tenant and account, as JSON. */
export const ACCOUNT_LINKS = 'account_link'

/** Whom a rule means that names nobody. */
export const DEFAULT_APPROVERS: readonly string[] = ['owner', 'group:approvers']

export function mayApprove(
  subject: string,
  condition: ApprovalCondition,
  directory: Directory,
  session: Session | undefined,
): boolean {
  const named = condition.approvers ?? DEFAULT_APPROVERS
  return named.some((name) => {
    if (name === 'owner') return isOwner(subject, directory, session)
    if (name.startsWith('group:')) {
      return directory.people.get(subject)?.groups.includes(name.slice('group:'.length)) === true
    }
    return name === subject && (directory.people.has(subject) || subject === directory.owner)
  })
}

/** Everyone who could meet the condition now. */
export function eligiblePeople(
  condition: ApprovalCondition,
  directory: Directory,
  session: Session | undefined,
): string[] {
  const everyone = new Set([directory.owner, ...directory.people.keys()])
  if (session !== undefined && session.ownerRole !== 'agent') everyone.add(session.owner)
  return [...everyone].filter((subject) => mayApprove(subject, condition, directory, session))
}

/** The installation's owner, or the person who started this conversation. An agent owns nothing in this sense. */
function isOwner(subject: string, directory: Directory, session: Session | undefined): boolean {
  if (subject === directory.owner) return true
  return session !== undefined && session.ownerRole !== 'agent' && session.owner === subject
}
