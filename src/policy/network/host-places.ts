/**
 * Where a program takes hosts: among its arguments and as the values of its options. What is said of a program here is
 * only where its hosts are; which options take a value its profile says, where it has one.
 */

import { reasonOf } from '../../core/reasons/reason-of.ts'
import { kept } from '../../core/support/kept.ts'
import { type FoundOption, readOptions } from '../shell/options/read-options.ts'
import type { ShellWord } from '../shell/reading.ts'
import type { HostSettings } from './reach.ts'
import type { ReachNotes } from './reach-notes.ts'
import type { HostText } from './read-hosts.ts'

export interface HostPlaces {
  /** What every argument is, or only the first one, behind the sub-commands. */
  readonly arguments?: HostText | undefined
  readonly first?: HostText
  /** Options whose value names hosts, by what kind of text it is. */
  readonly options?: Partial<Record<HostText, string>>
  /** Other options that take a value, where the profile does not say so. */
  readonly values?: string
  /** Options with which it reaches nothing. */
  readonly quiet?: string
  /** Options without a value that have it reach hosts that nobody can name. */
  readonly opens?: string
  /** Sub-commands that reach the network, all others don't; or those that don't, and all others do. `-`: without any. */
  readonly reaching?: string
  readonly local?: string
  /** Without a sub-command, and without an argument, it still reaches what is usual. */
  readonly usual?: string
  /** The settings that say what is usual. */
  readonly settings?: HostSettings
  /** The host that it reaches where the line names none. */
  readonly default?: string
  /** Where the line names no host, the program's settings do, of which nothing is known; or they do besides. */
  readonly otherwise?: 'open'
  readonly besides?: 'open'
  /** Options that take the place of what is usual, or of what settings say besides. */
  readonly instead?: string
  /** Every option with a value is named, so that an address behind another one is no host that is reached. */
  readonly precise?: boolean
}

export function noteByPlaces(
  notes: ReachNotes,
  words: readonly ShellWord[],
  places: HostPlaces,
  program: string,
): undefined {
  const { opens = '', usual } = places
  const kinds = kindsOf(places)
  const read = readOptions(program, words, kinds.valued)
  const isQuiet = isOneOf(split(places.quiet))
  if (read.found.some((option) => option.sure && isQuiet(option) && !isLifted(option, read.has))) return
  const [sub] = read.arguments
  const rest = hasCommands(places) ? read.arguments.slice(1) : read.arguments
  if (!mayReach(places, sub)) {
    // What is written down now is reached by a later command: `npm config set registry …`.
    const later = [...read.found.map(({ word }) => word), ...rest]
    for (const word of later) if (word?.value !== undefined) notes.word(word, 'link', { later: true })
    // A script that is given by its address: `deno https://…`.
    if (sub !== undefined) notes.word(sub, 'link')
    return notes.mentioned(words)
  }
  if (hasCommands(places) && sub !== undefined && sub.value === undefined) notes.open('word')
  const isOpening = isOneOf(split(opens))
  const isInstead = isOneOf(split(places.instead))
  let instead = false
  for (const option of read.found) {
    noteOption(notes, option, kinds.of, places.precise === true)
    if (isOpening(option)) notes.open('settings')
    if (isInstead(option)) instead = true
  }
  for (const [at, word] of rest.entries()) {
    const kind = places.arguments ?? (at === 0 ? places.first : undefined)
    if (kind !== undefined) notes.word(word, kind)
    else if (word.value === undefined) notes.open('word')
    else notes.word(word, 'link')
  }
  if (places.precise !== true) {
    for (const word of words) notes.mention(word)
    notes.mentioned(words)
  }
  const only = places.arguments ?? places.first
  if (only !== undefined && HOSTS_ONLY.has(only) && notes.isEmpty && words.some(looksLikeHost))
    notes.open('word')
  if (places.default !== undefined && notes.isEmpty) notes.word(fixedWord(places.default), 'host')
  if (usual !== undefined && !instead) noteUsual(notes, places)
  if (places.besides === 'open' && !instead) notes.open('settings')
  if (places.otherwise === 'open' && notes.isEmpty) notes.open('settings')
}

function noteOption(
  notes: ReachNotes,
  { names, word, isKnown }: FoundOption,
  kinds: ReadonlyMap<string, HostText>,
  precise: boolean,
): undefined {
  if (word === undefined) return
  const kind = names.map((name) => kinds.get(name)).find((one) => one !== undefined)
  if (kind !== undefined) notes.word(word, kind)
  else if (isLater(word) || (word.value === undefined && !isKnown)) notes.open('word')
  else if (word.value !== undefined && !precise) notes.word(word, 'link')
}

/** What takes one of these is given a host, wherever it stands. */
const HOSTS_ONLY: ReadonlySet<HostText> = new Set<HostText>(['host', 'url', 'endpoint', 'login', 'socat'])

function looksLikeHost({ value }: ShellWord): boolean {
  return /^[\w-]+(?:\.[\w-]+)+$/.test(value ?? '')
}

function isOneOf(wanted: readonly string[]): (option: FoundOption) => boolean {
  return wanted.length === 0 ? () => false : ({ names }) => names.some((name) => wanted.includes(name))
}

/** `--offline=false`, and `--no-offline` beside it. */
function isLifted({ names, word }: FoundOption, has: (name: string) => boolean): boolean {
  return /^(?:false|0|no)$/.test(word?.value ?? '') || names.some((name) => has(name.replace(/^--/, '--no-')))
}

function noteUsual(
  notes: ReachNotes,
  { usual, settings }: Pick<HostPlaces, 'usual' | 'settings'>,
): undefined {
  notes.usual(...split(usual))
  if (settings !== undefined)
    notes.lookup({ settings }, false, reasonOf('reach-by.settings', { program: settings }))
}

export function fixedWord(value: string): ShellWord {
  return { text: value, value, pattern: false }
}

/** An unquoted word that is known only later may come to several, and to options among them. */
function isLater({ value, pattern }: ShellWord): boolean {
  return value === undefined && pattern
}

function hasCommands({ reaching, local }: HostPlaces): boolean {
  return reaching !== undefined || local !== undefined
}

function mayReach({ reaching, local }: HostPlaces, sub: ShellWord | undefined): boolean {
  const name = sub === undefined ? '-' : sub.value
  // Which one it is is known only later.
  if (name === undefined) return true
  if (reaching !== undefined) return split(reaching).includes(name)
  return local === undefined || !split(local).includes(name)
}

const splits = new Map<string, readonly string[]>()

/** The texts are those of the tables. */
export function split(names: string | undefined): readonly string[] {
  if (names === undefined) return []
  let list = splits.get(names)
  if (list === undefined) {
    list = names.split(/\s+/).filter((name) => name !== '')
    splits.set(names, list)
  }
  return list
}

interface PlaceKinds {
  readonly of: ReadonlyMap<string, HostText>
  readonly valued: ReadonlySet<string>
}

const kindsOf = kept((places: HostPlaces): PlaceKinds => {
  const of = new Map(
    Object.entries(places.options ?? {}).flatMap(([kind, names]) =>
      split(names).map((name): [string, HostText] => [name, kind as HostText]),
    ),
  )
  return { of, valued: new Set([...of.keys(), ...split(places.values)]) }
})
