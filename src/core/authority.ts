/**
 * Who may decide. A condition names people, groups or the owner; the directory says who they are today. It is
 * looked up at the click, and again for every voter at the last vote (P6).
 */
import type { Session } from './session.ts'
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
}

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
