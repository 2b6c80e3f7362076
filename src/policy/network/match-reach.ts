/**
 * Whether a rule about hosts matches what a command reaches. For a deny or an ask one host is enough; where a host can't be
 * told, nobody can say whether it matches, so that a person is asked and nothing is denied. For an allow every host must
 * match and none may be open.
 */
import type { HostMatcher } from '../matchers/host.ts'
import { isLoopback } from '../matchers/loopback.ts'
import { bothMatch, eitherMatches, type MatchResult } from '../matchers/match-result.ts'
import type { ShellReading } from '../shell/reading.ts'
import type { CallSubject, CommandPart } from '../subject/subject.ts'
import type { OpenReason, Reach, ReachedHost } from './reach.ts'
import { readHosts } from './read-hosts.ts'

export type ReachPattern = Pick<HostMatcher, 'address' | 'isAny' | 'mayBeIn' | 'mayMatch'>

/** `kind: network`: every host but this machine. */
export const ANY_NETWORK: ReachPattern = {
  address: ({ host }) => (isLoopback(host.replace(/^\[|\]$/g, '')) ? 'no' : 'yes'),
  mayBeIn: () => true,
  mayMatch: () => true,
  isAny: true,
}

export function matchReach(
  subject: CallSubject,
  part: CommandPart,
  patterns: readonly ReachPattern[],
  every: boolean,
): MatchResult {
  const { hosts, open, usual } = settled(subject, part)
  const isUnknown = open !== undefined || (usual !== undefined && (every || isUsual(usual, patterns)))
  const [start, step] = every ? (['yes', bothMatch] as const) : (['no', eitherMatches] as const)
  if (every && hosts.length === 0 && !isUnknown) return 'no'
  if (hosts.length > 0 && !patterns.some(({ mayMatch }) => mayMatch(domainsOf(hosts))))
    return every ? 'no' : isUnknown ? 'unknown' : 'no'
  return hosts
    .filter(({ later }) => later !== true || !patterns.includes(ANY_NETWORK))
    .reduce<MatchResult>((result, host) => step(result, fits(host, patterns)), isUnknown ? 'unknown' : start)
}

const domains = new WeakMap<readonly ReachedHost[], ReadonlySet<string>>()

/** The names of the hosts, and all domains around them: a line may name many, and a policy may have many rules. */
function domainsOf(hosts: readonly ReachedHost[]): ReadonlySet<string> {
  let found = domains.get(hosts)
  if (found === undefined) {
    const names = new Set<string>()
    for (const { address } of hosts) {
      for (let name = address.host, dot = 0; dot !== -1 && !names.has(name); name = name.slice(dot + 1)) {
        names.add(name)
        dot = name.indexOf('.')
      }
    }
    found = names
    domains.set(hosts, found)
  }
  return found
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

/** A clause for people: the host that a rule matches, or why it can't be told. */
export function reachWords(
  subject: CallSubject,
  part: CommandPart,
  patterns: readonly ReachPattern[],
): string | undefined {
  const { hosts, open, usual } = settled(subject, part)
  const matching = hosts.filter((host) => fits(host, patterns) !== 'no')
  const host = matching.find(({ sure }) => sure) ?? (open === undefined ? matching[0] : undefined)
  if (host !== undefined) {
    const { address, sure, by, later } = host
    const verb = later === true ? 'names' : sure ? 'reaches' : 'may reach'
    const name = address.host.length > LONGEST_NAME ? `${address.host.slice(0, LONGEST_NAME)}…` : address.host
    return `it ${verb} ${name}${by === undefined ? '' : ` (${by})`}`
  }
  if (open !== undefined) return OPEN_WORDS[open]
  const domain = usual?.find((one) => patterns.some(({ mayBeIn }) => mayBeIn(one)))
  if (domain !== undefined) return `it may reach ${domain} (by default)`
  return usual === undefined ? undefined : 'it reaches hosts that its settings name'
}

/** No name is longer that a name server knows. */
const LONGEST_NAME = 253

const OPEN_WORDS: Readonly<Record<OpenReason, string>> = {
  word: 'which host it reaches is known only when the line runs',
  settings: 'which host it reaches is written in settings that nobody has looked up',
  address: 'programs read its address differently, so that it is not known which host it reaches',
  many: 'it names more hosts than are compared',
}

/** A part belongs to one call with its facts, and every rule asks it. */
const known = new WeakMap<CommandPart, Omit<Reach, 'lookups'>>()

function settled(subject: CallSubject, part: CommandPart): Omit<Reach, 'lookups'> {
  let reach = known.get(part)
  if (reach === undefined) {
    reach = settle(subject, part)
    known.set(part, reach)
  }
  return reach
}

/** What it reaches by the line and by what was looked up. */
function settle(subject: CallSubject, part: CommandPart): Omit<Reach, 'lookups'> {
  const reach = part.reach
  const { lookups } = reach
  const isSteered = reach.hosts.length > 0 || reach.usual !== undefined || lookups.length > 0
  const open =
    reach.open ??
    (setsHosts(subject.reading, isSteered ? undefined : part.command.program) ? 'settings' : undefined)
  if (lookups.length === 0) return open === reach.open ? reach : { ...reach, open }
  const hosts = [...reach.hosts]
  let { usual } = reach
  let unknown: OpenReason | undefined
  for (const { lookup, needed, by } of lookups) {
    const fact = factOf(subject, lookup.key)
    if (fact === undefined) {
      if (needed) unknown = 'settings'
      continue
    }
    // What settings name takes the place of what the program would reach without them.
    if (fact.sure.length > 0 && usual !== undefined) usual = []
    for (const sure of [true, false]) {
      for (const text of sure ? fact.sure : fact.possible) {
        const { addresses, open: isOpen } = readHosts('remote', text)
        unknown ??= isOpen
        hosts.push(...addresses.map((address) => ({ address, sure, by })))
      }
    }
  }
  return { hosts, open: open ?? unknown, usual }
}

function factOf({ facts }: CallSubject, key: string) {
  const { hosts } = facts ?? {}
  // Facts are keyed by texts that the agent chose.
  return hosts !== undefined && Object.hasOwn(hosts, key) ? hosts[key] : undefined
}

/** Variables by which programs are told where to go, or where their settings are. */
const HOST_VARIABLE =
  /proxy|host|url|uri|registry|mirror|index|endpoint|server|address|addr\b|config|remote|gateway|^(?:home|xdg_|path|ld_|dyld_|git_|ssh|gh_|npm_|yarn_|pip_|uv_|poetry_|cargo_|go[a-z]*|bundle_|gem_|aws_|azure_|docker_|container_|kube|helm_|pg|mysql|redis|mongo|curl_|wget|rsync_|res_|vault_|consul_|nomad_|tf_|ansible_|node_options|bash_env|env)/i

/** Programs that talk to this machine unless a variable says otherwise. */
const LOCAL_UNLESS: readonly [program: RegExp, variable: RegExp][] = [
  [/^(?:docker|podman|nerdctl|buildah)/, /^(?:docker|container)_/i],
  [/^(?:psql|pg_|createdb|dropdb|createuser|dropuser|vacuumdb|reindexdb|pgbench|pgcli)/, /^pg/i],
  [/^(?:mysql|mariadb|mycli)/, /^mysql_/i],
  [/^(?:rsync|redis-cli)$/, /^(?:rsync_|redis)/i],
]

/** What the variables that a line sets may lead elsewhere: all programs, or those of `LOCAL_UNLESS`. */
interface SteeredHosts {
  readonly all: boolean
  readonly local: readonly boolean[]
}

/** Every rule asks it of every command. */
const steerings = new WeakMap<ShellReading, SteeredHosts>()

/** Whether a variable that the line sets may lead a program elsewhere: `https_proxy=… curl`, `PGHOST=… psql`. */
function setsHosts(reading: ShellReading | undefined, program: string | undefined): boolean {
  if (reading === undefined || reading.doubts.length === 0) return false
  let steering = steerings.get(reading)
  if (steering === undefined) {
    steering = steeringOf(reading)
    steerings.set(reading, steering)
  }
  if (program === undefined) return steering.all
  const { local } = steering
  return LOCAL_UNLESS.some(([names], at) => local[at] === true && names.test(program))
}

function steeringOf({ doubts }: ShellReading): SteeredHosts {
  const set = doubts.filter(({ kind }) => kind === 'assignment').map(({ text }) => variableOf(text))
  const some = (pattern: RegExp) => set.some((name) => name === undefined || pattern.test(name))
  return { all: some(HOST_VARIABLE), local: LOCAL_UNLESS.map(([, variable]) => some(variable)) }
}

function variableOf(text: string): string | undefined {
  return /^(?:(?:export|declare|typeset|local|readonly|env)\s+(?:-\w+\s+)*)?(\w+)\+?=/.exec(text)?.[1]
}
