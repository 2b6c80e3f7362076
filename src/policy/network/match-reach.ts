/**
 * Whether a rule about hosts matches what a command reaches. For a deny or an ask one host is enough; where a host can't be
 * told, nobody can say whether it matches, so that a person is asked and nothing is denied. For an allow every host must
 * match and none may be open.
 */

import type { Reason } from '../../core/reasons/reason.ts'
import { type PlainCode, reasonOf } from '../../core/reasons/reason-of.ts'
import { kept } from '../../core/support/kept.ts'
import type { HostMatcher } from '../matchers/host.ts'
import { isLoopback } from '../matchers/loopback.ts'
import { bothMatch, eitherMatches, type MatchResult } from '../matchers/match-result.ts'
import type { ShellWord } from '../shell/reading.ts'
import type { CommandPart } from '../subject/subject.ts'
import type { OpenReason, Reach, ReachedHost } from './reach.ts'

export type ReachPattern = Pick<HostMatcher, 'address' | 'isAny' | 'mayBeIn' | 'mayMatch' | 'isNamedIn'>

/** `kind: network`: every host but this machine. */
export const ANY_NETWORK: ReachPattern = {
  address: ({ host }) => (isLoopback(host.replace(/^\[|\]$/g, '')) ? 'no' : 'yes'),
  mayBeIn: () => true,
  mayMatch: () => true,
  isNamedIn: () => false,
  isAny: true,
}

export function matchReach(
  part: CommandPart,
  patterns: readonly ReachPattern[],
  every: boolean,
): MatchResult {
  const { hosts, open, usual } = part.reach
  const isUnknown =
    open !== undefined ||
    (usual !== undefined && (every || isUsual(usual, patterns))) ||
    (!every && mentionedIn(part.reach, patterns) !== undefined)
  const [start, step] = every ? (['yes', bothMatch] as const) : (['no', eitherMatches] as const)
  if (every && hosts.length === 0 && !isUnknown) return 'no'
  if (hosts.length > 0 && !patterns.some(({ mayMatch }) => mayMatch(domainsOf(hosts))))
    return every ? 'no' : isUnknown ? 'unknown' : 'no'
  return hosts
    .filter(({ later }) => later !== true || !patterns.includes(ANY_NETWORK))
    .reduce<MatchResult>((result, host) => step(result, fits(host, patterns)), isUnknown ? 'unknown' : start)
}

/** The names of the hosts, and all domains around them: a line may name many, and a policy may have many rules. */
const domainsOf = kept((hosts: readonly ReachedHost[]) =>
  withDomains(hosts.map(({ address }) => address.host)),
)

function withDomains(hosts: Iterable<string>): ReadonlySet<string> {
  const names = new Set<string>()
  for (const host of hosts) {
    for (let name = host, dot = 0; dot !== -1 && !names.has(name); name = name.slice(dot + 1)) {
      names.add(name)
      dot = name.indexOf('.')
    }
  }
  return names
}

/** The names of the hosts that a command reaches or mentions, and all domains around them. */
export function* namesOfReach({ hosts, mentioned }: Pick<Reach, 'hosts' | 'mentioned'>): Iterable<string> {
  if (hosts.length > 0) yield* domainsOf(hosts)
  if (mentioned.length > 0) yield* namesMentioned(mentioned)
}

/** The pattern whose host stands somewhere in the words of a program of which it isn't known what it makes of them. */
function mentionedIn({ mentioned }: Reach, patterns: readonly ReachPattern[]): ReachPattern | undefined {
  if (mentioned.length === 0) return undefined
  const names = namesMentioned(mentioned)
  return patterns.find(({ isNamedIn }) => isNamedIn(names))
}

const namesMentioned = kept((words: readonly ShellWord[]) => withDomains(words.flatMap(namesIn)))

function namesIn({ value, text }: ShellWord): string[] {
  const found = (value ?? text).toLowerCase().match(/[\w-]+(?:\.[\w-]+)+/g) ?? []
  return found.filter((name) => name.length <= LONGEST_NAME)
}

function isUsual(domains: readonly string[], patterns: readonly ReachPattern[]): boolean {
  return patterns.some(({ isAny, mayBeIn }) => isAny || domains.some(mayBeIn))
}

function fits({ address, sure }: ReachedHost, patterns: readonly ReachPattern[]): MatchResult {
  const holds = patterns.reduce<MatchResult>(
    (result, pattern) => eitherMatches(result, pattern.address(address)),
    'no',
  )
  return sure || holds === 'no' ? holds : 'unknown'
}

/** The host that a rule matches, or why it can't be told. */
export function reachReason(part: CommandPart, patterns: readonly ReachPattern[]): Reason | undefined {
  const { hosts, open, usual } = part.reach
  const matching = hosts.filter((host) => fits(host, patterns) !== 'no')
  const host = matching.find(({ sure }) => sure) ?? (open === undefined ? matching[0] : undefined)
  if (host !== undefined) {
    const { address, sure, by, later } = host
    const name = address.host.length > LONGEST_NAME ? `${address.host.slice(0, LONGEST_NAME)}…` : address.host
    const how = later === true ? 'reach.named' : sure ? 'reach.host' : 'reach.maybe'
    return by === undefined ? reasonOf(how, { host: name }) : reasonOf(`${how}-by`, { host: name, by })
  }
  if (mentionedIn(part.reach, patterns) !== undefined) return reasonOf('reach.mentioned')
  if (open !== undefined) return reasonOf(OPEN_CODES[open])
  const domain = usual?.find((one) => patterns.some(({ mayBeIn }) => mayBeIn(one)))
  if (domain !== undefined)
    return reasonOf('reach.maybe-by', { host: domain, by: reasonOf('reach-by.default') })
  return usual === undefined ? undefined : reasonOf('reach.settings')
}

/** No name is longer that a name server knows. */
const LONGEST_NAME = 253

const OPEN_CODES = {
  word: 'reach.word',
  settings: 'reach.not-looked-up',
  address: 'reach.address',
  many: 'reach.many',
} as const satisfies Readonly<Record<OpenReason, PlainCode>>
