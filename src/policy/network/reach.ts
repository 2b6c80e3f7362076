/**
 * What a command reaches over the network, in three parts: hosts that can be named; hosts that it may reach but that can't be
 * named (`open`); and hosts that it takes from its own settings, as package managers do (`usual`). Nothing of all this:
 * it is not known to reach any host.
 *
 * A rule about one host matches a host that is named. It can't be decided where the command is open. What is usual counts
 * only for a rule about every host, and for a rule about the very host that is usual. A name that is only mentioned counts
 * for a rule about that very host alone: `main.ts` looks like a host too.
 */
import type { Reason } from '../../core/reasons/reason.ts'
import type { HostAddress } from '../matchers/host-address.ts'
import type { ShellWord } from '../shell/reading.ts'

/** Why it can't be told which host a command reaches. */
export type OpenReason =
  /** A word is known only when the line runs: `curl "$URL"`. */
  | 'word'
  /** The host comes from a file, from settings or from a variable that nobody has looked at: `curl -K file`. */
  | 'settings'
  /** Programs read the address differently: `http:/\evil.example`. */
  | 'address'
  /** The line names more hosts than are compared. */
  | 'many'

export interface ReachedHost {
  readonly address: HostAddress
  /** It goes there, as far as the line and what was looked up can tell. Else it may. */
  readonly sure: boolean
  /** Where the host was found, if not in the line: `remote origin`. */
  readonly by?: Reason | undefined
  /** It is only written down, and reached by a later command: `git remote add`. */
  readonly later?: boolean | undefined
}

/** Which settings say what a command reaches. The edge reads them, and tells the hosts that it found. */
export interface HostLookup {
  /** Names the look-up among the facts. */
  readonly key: string
  readonly settings: HostSettings
  /** The folder that it is meant in, as the reading of the line gives it: '' is that of the line. */
  readonly folder: string
  /** Of git: the remote; undefined for the one that git takes by itself. `*` for all of them. */
  readonly remote?: string | undefined
  readonly push?: boolean | undefined
}

export type HostSettings = 'git' | 'npm' | 'python' | 'cargo' | 'go' | 'ruby' | 'php'

export interface Reach {
  readonly hosts: readonly ReachedHost[]
  readonly open: OpenReason | undefined
  /** It reaches the network wherever its settings say: some host of these domains, unless they were changed. */
  readonly usual: readonly string[] | undefined
  /** Words of a program of which it isn't known what it makes of them: a host that they name may be reached. */
  readonly mentioned: readonly ShellWord[]
  /** What is to be looked up. `needed`: without it the command is open. */
  readonly lookups: readonly { lookup: HostLookup; needed: boolean; by: Reason }[]
}

export const REACHES_NOTHING: Reach = {
  hosts: [],
  open: undefined,
  usual: undefined,
  mentioned: [],
  lookups: [],
}

/** The hosts that a text names. Empty: none, it is a file or a name of something else. */
export interface FoundHosts {
  readonly addresses: readonly HostAddress[]
  readonly open?: OpenReason | undefined
}
