/**
 * What is known of the options of a program, or of one of its sub-commands: which names mean the same, which take a
 * value, and how they are written. Made from the profiles (`starter/profile.ts`), once a program.
 */
import type { Invocation, OptionStyle, Profile, ProgramOptions, ValueKind } from '../../starter/profile.ts'

export interface KnownOption {
  /** The same for every name of the option. */
  readonly key: string
  readonly names: readonly string[]
  /** `value`: glued or the next word. `glued`: one may be glued. `maybe`: the next word or none. `command`: up to `;`. */
  readonly takes: 'nothing' | 'value' | 'glued' | 'maybe' | 'command'
}

export type OptionEffect =
  | 'writes'
  | 'mounts'
  | 'runs'
  | 'deletes'
  | 'changes'
  | 'unless'
  | 'script'
  | 'into'
  | 'texts'
  | 'excludes'
  | 'negates'

export interface ProgramOptionTable {
  /** Somebody has said what the options are called, so that one which is not there is none of them. */
  readonly isKnown: boolean
  readonly of: ProgramOptions
  /** Some option of it, or of a sub-command, may run something. */
  readonly mayRunOthers: boolean
  /** Some option of it writes, runs or deletes something. Those of sub-commands don't count. */
  readonly hasEffects: boolean
  has(style: OptionStyle): boolean
  find(name: string): KnownOption | undefined
  /** The options that a long name may be the beginning of. */
  beginning(name: string): readonly KnownOption[]
  /** What an option with just this value is another way to write, by its key. */
  withValue(key: string, value: string): string | undefined
  /** What an option stands for, by their keys. */
  meaning(key: string): readonly string[]
  does(effect: OptionEffect, key: string): boolean
  /** Whether an option with this value is a setting that may name a program. */
  mayRun(key: string, value: string | undefined): boolean
  /** Whether an option with this value has code or settings loaded. */
  loads(key: string, value: string | undefined): boolean
  /** The options one of which must be there for this one to write, by their keys. */
  writesWith(key: string): readonly string[]
  /** The table of a sub-command. Options of the program are known there too. */
  command(word: string): ProgramOptionTable | undefined
}

interface TableSource {
  readonly of: ProgramOptions
  readonly profile?: Profile
  readonly invocations: readonly Invocation[]
  readonly above?: ProgramOptionTable
}

const EFFECTS: readonly OptionEffect[] = [
  'writes',
  'mounts',
  'runs',
  'deletes',
  'changes',
  'unless',
  'script',
  'into',
  'texts',
  'excludes',
  'negates',
]
const EFFECTIVE = [
  'writes',
  'writesWith',
  'mounts',
  'runs',
  'settings',
  'loads',
  'deletes',
  'changes',
] as const
const TAKES = { '=': 'value', '[=]': 'glued', '?': 'maybe', ';': 'command' } as const
const named = new Map<string, ProgramOptionTable>()

/** Of a program without a row, or for a reader that needs to know fewer options than there are. */
export function optionTableFrom(names: string, style: OptionStyle): ProgramOptionTable {
  const key = `${style} ${names}`
  const table =
    named.get(key) ??
    createTable({ of: { styles: [style], ...(names === '' ? {} : { names: [names] }) }, invocations: [] })
  named.set(key, table)
  return table
}

export function createTable(source: TableSource): ProgramOptionTable {
  const { of, above, invocations } = source
  const options = new Map<string, KnownOption>()
  const values = new Map<string, string>()
  for (const entry of (of.names ?? []).flatMap((line) => line.split(', '))) addEntry(entry, options, values)
  const styles = new Set<OptionStyle>(of.styles)
  if (invocations.some(({ singleDash }) => singleDash)) styles.add('words')
  if (invocations.some(({ literal }) => literal)) styles.add('none')
  const isOfWords = styles.has('words') || above?.has('words') === true
  const isOf = (style: OptionStyle) => styles.has(style) || above?.has(style) === true
  addKinds(source, options, isOfWords)
  const longs = byBeginning(options)
  const lower = new Map(
    styles.has('anycase') ? [...options].map(([name, one]) => [name.toLowerCase(), one]) : [],
  )
  const keyOf = (name: string) => options.get(name)?.key ?? above?.find(name)?.key ?? name
  const keysOf = (names: string) => names.split(' ').map(keyOf)
  const meanings = new Map(
    Object.entries(of.means ?? {}).map(([name, others]) => [keyOf(name), keysOf(others)]),
  )
  const effects = new Map(EFFECTS.map((effect) => [effect, new Set(keysOf(of[effect] ?? ''))] as const))
  const harmlessBy = (kinds: Record<string, string> = {}) =>
    new Map(
      Object.entries(kinds).flatMap(([names, harmless]) => {
        const isHarmless = new RegExp(`^(?:${harmless === '' ? '(?!)' : harmless})$`, 'is')
        return keysOf(names).map((key) => [key, isHarmless] as const)
      }),
    )
  const settings = harmlessBy(of.settings)
  const loads = harmlessBy(of.loads)
  const writesWith = new Map(
    Object.entries(of.writesWith ?? {}).map(([name, others]) => [keyOf(name), keysOf(others)]),
  )
  const table: ProgramOptionTable = {
    isKnown: of.names !== undefined || above?.isKnown === true,
    of,
    mayRunOthers: /"(?:runs|settings|writes|executes)":/.test(JSON.stringify(of)),
    hasEffects:
      EFFECTIVE.some((name) => of[name] !== undefined) || (isOf('nopt') && above?.hasEffects === true),
    has: (style) =>
      style === 'words' ? isOfWords : /^(?:nopt|late)$/.test(style) ? isOf(style) : styles.has(style),
    find: (name) => options.get(name) ?? lower.get(name.toLowerCase()) ?? above?.find(name),
    beginning(name) {
      const own = (longs.get(name.slice(0, 3)) ?? []).filter(([one]) => one.startsWith(name))
      const found = own.map(([, option]) => option)
      return above === undefined ? found : [...found, ...above.beginning(name)]
    },
    withValue: (key, value) => values.get(`${key}=${value}`),
    meaning: (key) => meanings.get(key) ?? above?.meaning(key) ?? [],
    does: (effect, key) =>
      effects.get(effect)?.has(key) === true || (!options.has(key) && above?.does(effect, key) === true),
    mayRun(key, value) {
      const isHarmless = settings.get(key)
      if (isHarmless !== undefined) return !isFor(isHarmless, value)
      return !options.has(key) && above?.mayRun(key, value) === true
    },
    loads(key, value) {
      const isHarmless = loads.get(key)
      if (isHarmless !== undefined) return !isFor(isHarmless, value)
      return !options.has(key) && above?.loads(key, value) === true
    },
    writesWith: (key) => writesWith.get(key) ?? [],
    command: (word) => subs.get(word)?.(),
  }
  const subs = subTables(source, table)
  return table
}

/** A setting that people write. An expression may take time in the square of its length. */
const LONGEST_SETTING = 1024

function isFor(harmless: RegExp, value: string | undefined): boolean {
  return value !== undefined && value.length <= LONGEST_SETTING && harmless.test(value)
}

function isLong(name: string): boolean {
  return name.startsWith('--')
}

/** Long options by their first letter: a line may hold thousands of words that could be the beginning of one. */
function byBeginning(options: ReadonlyMap<string, KnownOption>): Map<string, [string, KnownOption][]> {
  const longs = new Map<string, [string, KnownOption][]>()
  for (const [name, option] of options) {
    if (!isLong(name)) continue
    const begin = name.slice(0, 3)
    const already = longs.get(begin)
    if (already === undefined) longs.set(begin, [[name, option]])
    else already.push([name, option])
  }
  return longs
}

function addEntry(entry: string, options: Map<string, KnownOption>, values: Map<string, string>): void {
  const [, written = '', mark] = /^(.*?)(\[=\]|=|\?|;)?$/s.exec(entry) ?? []
  const all = written.split(' ')
  const names = all.filter((name) => !name.includes('='))
  const key = names.find(isLong) ?? names[0] ?? written
  const takes = mark === undefined ? 'nothing' : TAKES[mark as keyof typeof TAKES]
  for (const name of names) options.set(name, { key, names, takes })
  for (const name of all) {
    const equals = name.indexOf('=')
    if (equals === -1) continue
    const holder = name.slice(0, equals)
    values.set(`${options.get(holder)?.key ?? holder}${name.slice(equals)}`, key)
  }
}

/** What the invocations that only read say of options that are not listed otherwise. */
function addKinds(
  { of, profile, invocations, above }: TableSource,
  options: Map<string, KnownOption>,
  isOfWords: boolean,
): void {
  const used = invocations.flatMap(({ uses = [] }) => uses)
  const sets = used.map((name) => profile?.sets?.[name] ?? {})
  const known = [profile?.before ?? {}, ...sets, ...invocations.map((one) => one.options ?? {})]
  for (const [names, kind] of known.flatMap((kinds) => Object.entries(kinds)))
    for (const name of names.split(' ')) {
      // What is said of it above is the same option, unless that takes something else: `-c` of `git shortlog`.
      if (options.has(name) || above?.find(name)?.takes === takesOf(kind)) continue
      // Letters that may be bundled are known one by one: `-aux` of `ps`.
      if (!isOfWords && (!name.startsWith('-') || (of.names !== undefined && /^-\w\w/.test(name)))) continue
      options.set(name, { key: name, names: [name], takes: takesOf(kind) })
    }
}

function takesOf(kind: ValueKind): KnownOption['takes'] {
  if (kind === 'flag') return 'nothing'
  return kind === 'optional' ? 'glued' : kind === 'command' ? 'command' : 'value'
}

/** Made when they are first asked for: a program may have a hundred, and a line has one. */
function subTables(
  source: TableSource,
  above: ProgramOptionTable,
): ReadonlyMap<string, () => ProgramOptionTable> {
  const { of, profile, invocations } = source
  const found = new Map<string, { of: ProgramOptions; invocations: Invocation[] }>()
  const entry = (word: string) => {
    const made = found.get(word) ?? { of: {}, invocations: [] }
    found.set(word, made)
    return made
  }
  for (const [words, options] of Object.entries(of.commands ?? {}))
    for (const word of words.split(' ')) entry(word).of = options
  const inner = source.above === undefined ? [profile?.commands ?? {}] : []
  for (const commands of [...inner, ...invocations.map((one) => one.commands ?? {})])
    for (const [words, given] of Object.entries(commands))
      for (const word of words.split(' ')) entry(word).invocations.push(...[given].flat())
  return new Map(
    [...found].map(([word, each]) => {
      let made: ProgramOptionTable | undefined
      return [word, () => (made ??= createTable({ ...each, ...(profile && { profile }), above }))]
    }),
  )
}
