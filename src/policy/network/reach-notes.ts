/** Collects what a command reaches, word by word. */
import type { Reason } from '../../core/reasons/reason.ts'
import type { ShellCommand, ShellWord } from '../shell/reading.ts'
import { expandBraces } from './expand-braces.ts'
import type { FoundHosts, HostLookup, OpenReason, Reach, ReachedHost } from './reach.ts'
import { type HostText, readHosts } from './read-hosts.ts'

/** More than any real line names. A line with more is open. */
const MAX_HOSTS = 256

/** Commands in one another, and commands tried among the words of a runner. Each looks at all words behind it. */
const MAX_NESTED = 8

export class ReachNotes {
  readonly command: ShellCommand
  readonly #hosts = new Map<string, ReachedHost>()
  readonly #lookups = new Map<string, Reach['lookups'][number]>()
  #open: OpenReason | undefined
  #usual: readonly string[] | undefined
  #mentioned: readonly ShellWord[] = []
  /** Shared by all notes on one command. */
  readonly #nested: { depth: number; tried: number }

  constructor(command: ShellCommand, around?: ReachNotes) {
    this.command = command
    this.#nested = around === undefined ? { depth: 0, tried: 0 } : around.#nested
  }

  get isEmpty(): boolean {
    return (
      this.#hosts.size === 0 &&
      this.#open === undefined &&
      this.#usual === undefined &&
      this.#lookups.size === 0
    )
  }

  /** A command that this one surely runs: `docker exec web curl …`. Deeper ones than anybody writes are open. */
  inside(look: () => undefined): undefined {
    if (this.#nested.depth === MAX_NESTED) return this.open('word')
    this.#nested.depth++
    look()
    this.#nested.depth--
  }

  /** A command that this one may run. After some of them any other is open. */
  tried(look: (notes: ReachNotes) => undefined): undefined {
    if (this.#nested.tried === MAX_NESTED) return this.open('word')
    this.#nested.tried++
    const inner = new ReachNotes(this.command, this)
    look(inner)
    this.possibly(inner.reach())
  }

  /** Words in which any host may be named. */
  mentioned(words: readonly ShellWord[]): undefined {
    if (words.length > 0) this.#mentioned = words
  }

  /** A host of one of its words. */
  word(word: ShellWord, kind: HostText, how: { later?: boolean } = {}): undefined {
    const { value } = word
    if (value !== undefined) return this.add(readHosts(kind, value), { sure: true, ...how })
    const beginning = word.pattern ? undefined : fixedBeginning(word.text)
    const begun = beginning === undefined ? undefined : readHosts(kind, beginning)
    if (begun !== undefined && begun.addresses.length > 0) return this.add(begun, { sure: true, ...how })
    const several = /^[\w.:/@,{}+~-]+$/.test(word.text) ? expandBraces(word.text) : undefined
    if (several === undefined) this.open('word')
    else for (const one of several) this.add(readHosts(kind, one), { sure: true, ...how })
  }

  add({ addresses, open }: FoundHosts, how: Omit<ReachedHost, 'address'>): undefined {
    if (open !== undefined) this.open(open)
    for (const address of addresses) {
      const { sure, by, later = false } = how
      const found = by === undefined ? '' : JSON.stringify(by)
      const key = `${address.scheme} ${address.host} ${address.port} ${sure} ${found} ${later}`
      if (this.#hosts.size >= MAX_HOSTS && !this.#hosts.has(key)) return this.open('many')
      this.#hosts.set(key, { address, ...how })
    }
  }

  /** Addresses anywhere in a word: what the program makes of them is not known. */
  mention({ value }: ShellWord, how: { later?: boolean } = {}): undefined {
    for (const [address] of (value ?? '').matchAll(/[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>\\)\]},]+/gi))
      this.add({ addresses: readHosts('link', address).addresses }, { sure: false, ...how })
  }

  open(reason: OpenReason): undefined {
    this.#open ??= reason
  }

  possibly({ hosts, open, usual, lookups }: Reach): undefined {
    for (const { address, by, later } of hosts) this.add({ addresses: [address] }, { sure: false, by, later })
    if (open !== undefined) this.open(open)
    if (usual !== undefined) this.usual(...usual)
    for (const one of lookups) this.#lookups.set(one.lookup.key, one)
  }

  /** It reaches whatever its settings say, which are hosts of these domains unless somebody has changed them. */
  usual(...domains: string[]): undefined {
    this.#usual = [...(this.#usual ?? []), ...domains]
  }

  lookup(
    lookup: Omit<HostLookup, 'key' | 'folder'>,
    needed: boolean,
    by: Reason,
    folder = this.command.folder,
  ): undefined {
    // Where the folder is not known, nothing can be looked up in it.
    if (folder === undefined) {
      if (needed) this.open('settings')
      return
    }
    const { settings, remote, push } = lookup
    const key = JSON.stringify([settings, folder, remote ?? null, push ?? false])
    this.#lookups.set(key, { lookup: { ...lookup, key, folder }, needed, by })
  }

  reach(): Reach {
    return {
      hosts: [...this.#hosts.values()],
      open: this.#open,
      usual: this.#usual,
      mentioned: this.#mentioned,
      lookups: [...this.#lookups.values()],
    }
  }
}

/**
 * As much of a word as is fixed, where that has the whole host in it: of `"https://example.com/$id"` the part up to the
 * slash. Only of a word that stays one word.
 */
function fixedBeginning(text: string): string | undefined {
  return (
    /^"?([a-z][a-z0-9+.-]*:\/\/[\w.-]+(?::\d+)?[/?#])/i.exec(text)?.[1] ??
    /^"?([\w-]+(?:\.[\w-]+)+(?::\d+)?\/)/.exec(text)?.[1] ??
    /^"?((?:[\w.-]+@)?[\w-]+(?:\.[\w-]+)+:)(?!\d)/.exec(text)?.[1]
  )
}
