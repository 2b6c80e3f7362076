/**
 * Where a program takes hosts: among its arguments and as the values of its options. What is said of a program here is
 * only where its hosts are. Options are told apart by whether they take a value; one that is not named counts as one that
 * takes none.
 */

import type { ShellWord } from '../shell/reading.ts'
import type { HostSettings } from './reach.ts'
import type { ReachNotes } from './reach-notes.ts'
import type { HostText } from './read-hosts.ts'
import { readListedOptions } from './read-listed-options.ts'

export interface HostPlaces {
  /** What every argument is, or only the first one, behind the sub-commands. */
  readonly arguments?: HostText | undefined
  readonly first?: HostText
  /** Options whose value names hosts, by what kind of text it is. */
  readonly options?: Partial<Record<HostText, string>>
  /** Other options that take a value. */
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

export function noteByPlaces(notes: ReachNotes, words: readonly ShellWord[], places: HostPlaces): undefined {
  const { options = {}, quiet = '', opens = '', usual } = places
  const kinds = kindsOf(options)
  const read = readListedOptions(words, [...kinds.keys(), ...split(places.values)], true)
  if (read.found.some(({ name }) => split(quiet).includes(name))) return
  const [sub] = read.arguments
  const rest = hasCommands(places) ? read.arguments.slice(1) : read.arguments
  if (!mayReach(places, sub)) {
    // What is written down now is reached by a later command: `npm config set registry …`.
    for (const { word } of read.found)
      if (word?.value !== undefined) notes.word(word, 'link', { later: true })
    for (const word of rest) if (word.value !== undefined) notes.word(word, 'link', { later: true })
    return
  }
  if (hasCommands(places) && sub !== undefined && sub.value === undefined) notes.open('word')
  let instead = false
  for (const { name, word } of read.found) {
    const kind = kinds.get(name)
    if (kind !== undefined && word !== undefined) notes.word(word, kind)
    else if (word !== undefined && isLater(word)) notes.open('word')
    else if (word?.value !== undefined && places.precise !== true) notes.word(word, 'link')
    if (split(opens).includes(name)) notes.open('settings')
    if (split(places.instead).includes(name)) instead = true
  }
  for (const [at, word] of rest.entries()) {
    const kind = places.arguments ?? (at === 0 ? places.first : undefined)
    const option = gluedOption(word)
    if (option !== undefined) {
      const its = kinds.get(option.name)
      if (its !== undefined) notes.word(option.word, its)
      else if (!split(places.values).includes(option.name)) notes.open('word')
    } else if (kind !== undefined) notes.word(word, kind)
    else if (word.value === undefined) notes.open('word')
    else notes.word(word, 'link')
  }
  if (places.precise !== true) for (const word of words) notes.mention(word)
  if (places.default !== undefined && notes.isEmpty) notes.word(fixedWord(places.default), 'host')
  if (usual !== undefined && !instead) noteUsual(notes, places)
  if (places.besides === 'open' && !instead) notes.open('settings')
  if (places.otherwise === 'open' && notes.isEmpty) notes.open('settings')
}

function noteUsual(
  notes: ReachNotes,
  { usual, settings }: Pick<HostPlaces, 'usual' | 'settings'>,
): undefined {
  notes.usual(...split(usual))
  if (settings !== undefined) notes.lookup({ settings }, false, `${settings} settings`)
}

/** The first word that is no option, and all behind it. */
export function afterOptions(words: readonly ShellWord[], valued: readonly string[]): readonly ShellWord[] {
  for (let at = 0; at < words.length; at++) {
    const value = words[at]?.value
    if (value === '--') return words.slice(at + 1)
    if (value === undefined || !/^-./.test(value)) return words.slice(at)
    if (valued.includes(value) || (/^-[a-zA-Z]+$/.test(value) && valued.includes(`-${value.at(-1)}`))) at++
  }
  return []
}

export function fixedWord(value: string): ShellWord {
  return { text: value, value, pattern: false }
}

/** `--header="x: $y"` is one word of which only the end is known later. */
function gluedOption({ value, text, pattern }: ShellWord): { name: string; word: ShellWord } | undefined {
  if (value !== undefined || pattern) return undefined
  const [, name, rest] = /^(--[\w-]+)=(.*)$/s.exec(text) ?? /^(-\w)(["'].*)$/s.exec(text) ?? []
  return name === undefined || rest === undefined ? undefined : { name, word: { text: rest, value, pattern } }
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

const kindMaps = new WeakMap<object, ReadonlyMap<string, HostText>>()

function kindsOf(options: Partial<Record<HostText, string>>): ReadonlyMap<string, HostText> {
  let kinds = kindMaps.get(options)
  if (kinds === undefined) {
    kinds = new Map(
      Object.entries(options).flatMap(([kind, names]) =>
        split(names).map((name): [string, HostText] => [name, kind as HostText]),
      ),
    )
    kindMaps.set(options, kinds)
  }
  return kinds
}
