/** What a command reaches by its words, by what was looked up, and by the variables that its line sets. */
import { kept } from '../../core/support/kept.ts'
import type { ShellReading } from '../shell/reading.ts'
import type { CallSubject } from '../subject/subject.ts'
import type { OpenReason, Reach } from './reach.ts'
import { readHosts } from './read-hosts.ts'

/** `reach`: by the words of the command alone. */
export function settleReach(
  reach: Reach,
  program: string | undefined,
  { facts, reading }: Pick<CallSubject, 'facts' | 'reading'>,
): Reach {
  const { lookups } = reach
  const isSteered = reach.hosts.length > 0 || reach.usual !== undefined || lookups.length > 0
  const open = reach.open ?? (setsHosts(reading, isSteered ? undefined : program) ? 'settings' : undefined)
  if (lookups.length === 0) return open === reach.open ? reach : { ...reach, open }
  const hosts = [...reach.hosts]
  let { usual } = reach
  let unknown: OpenReason | undefined
  for (const { lookup, needed, by } of lookups) {
    const fact = factOf(facts, lookup.key)
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
  return { ...reach, hosts, open: open ?? unknown, usual }
}

function factOf(facts: CallSubject['facts'], key: string) {
  const { hosts } = facts ?? {}
  // Facts are keyed by texts that the agent chose.
  return hosts !== undefined && Object.hasOwn(hosts, key) ? hosts[key] : undefined
}

/** Variables by which programs are told where to go, or where their settings are. */
const HOST_VARIABLE =
  /proxy|host|url|uri|registry|mirror|index|endpoint|server|address|addr\b|config|remote|gateway|localdomain|display|^(?:home|xdg_|path|ld_|dyld_|git_|ssh|gh_|npm_|yarn_|pip_|uv_|poetry_|cargo_|go[a-z]*|bundle_|gem_|aws_|azure_|docker_|container_|kube|helm_|pg|mysql|redis|mongo|curl_|wget|rsync_|res_|vault_|consul_|nomad_|tf_|ansible_|node_options|bash_env|env)/i

/** Programs that reach nothing, or this machine alone, unless a variable says otherwise. */
const LOCAL_UNLESS: readonly [program: RegExp, variable: RegExp][] = [
  [/^(?:docker|podman|nerdctl|buildah)/, /^(?:docker|container)_/i],
  [/^(?:psql|pg_|createdb|dropdb|createuser|dropuser|vacuumdb|reindexdb|pgbench|pgcli)/, /^pg/i],
  [/^(?:mysql|mariadb|mycli)/, /^mysql_/i],
  [/^(?:rsync|redis-cli)$/, /^(?:rsync_|redis)/i],
  [/^go$/, /^go[a-z]*$/i],
  [/^cargo$/, /^cargo_(?:registr|source|net|http)/i],
]

/** What the variables that a line sets may lead elsewhere: all programs, or those of `LOCAL_UNLESS`. */
interface SteeredHosts {
  readonly all: boolean
  readonly local: readonly boolean[]
}

/** Whether a variable that the line sets may lead a program elsewhere: `https_proxy=… curl`, `PGHOST=… psql`. */
function setsHosts(reading: ShellReading | undefined, program: string | undefined): boolean {
  if (reading === undefined || reading.doubts.length === 0) return false
  const steering = steeringOf(reading)
  if (program === undefined) return steering.all
  const { local } = steering
  return LOCAL_UNLESS.some(([names], at) => local[at] === true && names.test(program))
}

/** Every rule asks it of every command. */
const steeringOf = kept(({ doubts }: ShellReading): SteeredHosts => {
  const set = doubts.filter(({ kind }) => kind === 'assignment').map(({ text }) => variableOf(text))
  const some = (pattern: RegExp) => set.some((name) => name === undefined || pattern.test(name))
  return { all: some(HOST_VARIABLE), local: LOCAL_UNLESS.map(([, variable]) => some(variable)) }
})

function variableOf(text: string): string | undefined {
  return /^(?:(?:export|declare|typeset|local|readonly|env)\s+(?:-\w+\s+)*)?(\w+)\+?=/.exec(text)?.[1]
}
