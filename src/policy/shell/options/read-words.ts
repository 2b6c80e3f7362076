/**
 * Reads the words behind a program as options and operands, as the program would: options alone, bundled, shortened,
 * with a value glued or in the next word, before and behind operands.
 *
 * Where it is not known what an option takes, the word behind it may be its value or an operand: it is among the
 * operands, and marked. Words whose value is known only when the line runs are left to the caller, who says which they
 * are: they are operands, and marked too where they may be options.
 */
import { spendSteps } from '../../steps.ts'
import type { KnownOption, ProgramOptionTable } from './option-table.ts'

export interface ReadWord {
  readonly value: string | undefined
}

export interface ReadOption<W> {
  /** The same for every name of a known option. */
  readonly key: string
  /** As it is written, without a value: `-f`, `--forc`. */
  readonly name: string
  /** Undefined where it has none, or none that is known. */
  readonly value: string | undefined
  /** The word that the value stands in. */
  readonly holder: W | undefined
  /** The word that is its value, if it takes one. */
  readonly next: W | undefined
  /** Whether it surely is this option. Else it may be part of a value, or another one that begins alike. */
  readonly sure: boolean
  /** The letters of the word, where they are not known, and what stands behind this one. */
  readonly letters: string | undefined
  readonly rest: string | undefined
  readonly word: W
  /** Says what it does. Before a sub-command that is the table of the program: `-c` of `git -c x commit` is not that of `commit`. */
  readonly table: ProgramOptionTable
}

export interface ReadOperand<W> {
  readonly word: W
  /** It may be no operand but the value of the option before, or an option itself. */
  readonly inDoubt: boolean
  readonly behindDashes: boolean
}

export interface ReadLine<W> {
  /** Of the program, or of the sub-command that the words name. */
  readonly table: ProgramOptionTable
  readonly options: readonly ReadOption<W>[]
  readonly operands: readonly ReadOperand<W>[]
  /** How many of the operands are the words of the sub-command. */
  readonly depth: number
}

export interface WordReading<W> {
  /** Whether a word may be an option although its value does not say so. */
  mayBeOption(word: W): boolean
  /** How such a word surely begins: `--output=` for `--output="$X"`. */
  beginning?(word: W): string
  /** Options that take a value, besides those of which it is known what they take. Long ones may be cut short. */
  readonly valued?: ReadonlySet<string>
  /** The words are of a sub-command whose table is given: so many of the operands are its words. */
  readonly depth?: number
}

export function readWords<W extends ReadWord>(
  table: ProgramOptionTable,
  words: readonly W[],
  how: WordReading<W>,
): ReadLine<W> {
  return new WordReader(table, words, how).read()
}

class WordReader<W extends ReadWord> {
  #table: ProgramOptionTable
  readonly #words: readonly W[]
  readonly #how: WordReading<W>
  #options: ReadOption<W>[] = []
  readonly #operands: ReadOperand<W>[] = []
  #at = 0
  #depth = 0
  #ended = false
  /** The word that may be the value of the option before it. */
  #maybeValue: W | undefined

  constructor(table: ProgramOptionTable, words: readonly W[], how: WordReading<W>) {
    this.#table = table
    this.#words = words
    this.#how = how
  }

  read(): ReadLine<W> {
    while (this.#at < this.#words.length) {
      const word = this.#words[this.#at++] as W
      const { value } = word
      spendSteps(1)
      if (this.#ended || this.#table.has('none')) this.#operand(word, false)
      else if (this.#how.mayBeOption(word)) this.#open(word, this.#how.beginning?.(word) ?? '')
      else if (value === '--') this.#ended = !this.#mayTakeDashes()
      else if (value === undefined || !/^-./s.test(value)) this.#plain(word, value)
      else if (this.#table.has('nopt')) this.#nopt(word, value)
      else if (value.startsWith('--')) this.#long(word, value)
      else this.#short(word, value)
    }
    return { table: this.#table, options: this.#options, operands: this.#operands, depth: this.#depth }
  }

  /** A word that is known only when the line runs, but for how it begins. */
  #open(word: W, begin: string): void {
    const long = /^(--[\w-]+)=/.exec(begin)?.[1]
    if (long !== undefined) {
      const { meant, perhaps } = this.#meant(long)
      const keys = [...meant.map(({ key }) => key), ...perhaps]
      const sure = keys.length < 2
      for (const key of keys.length === 0 ? [long] : keys)
        this.#put(word, { key, name: long, holder: word, sure })
    } else if (!this.#openLetters(word, begin)) this.#operand(word, true)
  }

  /** Whether one of the letters takes the rest of the word. */
  #openLetters(word: W, begin: string): boolean {
    for (const letter of /^-([a-zA-Z]+)/.exec(begin)?.[1] ?? '') {
      const name = `-${letter}`
      const option = this.#table.find(name)
      const takes = this.#takes(name, option)
      this.#put(word, { key: option?.key ?? name, name, holder: takes === 'nothing' ? undefined : word })
      if (takes === 'value' || takes === 'glued') return true
    }
    return false
  }

  #operand(word: W, inDoubt: boolean): void {
    this.#operands.push({ word, inDoubt, behindDashes: this.#ended })
  }

  #plain(word: W, value: string | undefined): void {
    const known = value === undefined ? undefined : this.#table.find(value)
    const assigned = this.#table.has('assignments')
      ? /^([A-Za-z_][\w-]*)[:?+!]{0,3}=(.*)$/s.exec(value ?? '')
      : null
    if (known !== undefined) this.#found(word, value ?? '', known)
    else if (this.#table.has('plus') && value?.startsWith('+')) this.#put(word, { key: value, name: value })
    else if (assigned !== null) {
      const [, name = '', given = ''] = assigned
      this.#put(word, { key: name, name, value: given, holder: word })
    } else if (this.#isBare(value)) {
      for (const letter of new Set(value)) this.#found(word, `-${letter}`, this.#table.find(`-${letter}`))
    } else this.#argument(word, value)
  }

  /** The letters of the first word, each with its value among the words that follow: `tar xf a.tar`. */
  #isBare(value: string | undefined): value is string {
    if (this.#operands.length > 0 || this.#options.length > 0 || !this.#table.has('bare')) return false
    return /^[a-zA-Z]+$/.test(value ?? '')
  }

  #argument(word: W, value: string | undefined): void {
    const mayBeValue = this.#maybeValue === word
    const { depth } = this.#how
    const inner = value === undefined || depth !== undefined ? undefined : this.#table.command(value)
    // What stands before a sub-command is the value of an option, if it may be.
    if (inner !== undefined && this.#operands.slice(this.#depth).every(({ inDoubt }) => inDoubt)) {
      if (this.#table.has('late')) this.#options = this.#options.map((option) => asOptionOf(inner, option))
      this.#table = inner
      if (this.#operands.length === this.#depth) this.#depth++
    } else if (this.#table.has('first') && !mayBeValue && this.#operands.length >= (depth ?? 0)) {
      this.#ended = true
    }
    this.#operand(word, mayBeValue)
    const { prefixes } = this.#table.of
    if (prefixes === undefined || value === undefined) return
    for (const [prefix, name] of Object.entries(prefixes))
      if (value.length > 1 && value.startsWith(prefix)) this.#found(word, name, this.#table.find(name))
  }

  #long(word: W, value: string): void {
    const colon = value.indexOf(':')
    const isKnown = colon !== -1 && this.#table.find(value.slice(0, colon)) !== undefined
    const equals = isKnown ? colon : value.indexOf('=')
    const name = equals === -1 ? value : value.slice(0, equals)
    const glued = equals === -1 ? undefined : value.slice(equals + 1)
    const { meant, perhaps } = this.#meant(name)
    for (const key of perhaps) this.#put(word, { key, name, sure: false, ...this.#perhaps(word, glued) })
    if (meant.length < 2) this.#found(word, name, meant[0], { glued })
    else for (const { key } of meant) this.#put(word, { key, name, value: glued, holder: word, sure: false })
  }

  /** Behind an option with a value some readers of types go on. */
  #mayTakeDashes(): boolean {
    const option = this.#options.at(-1)
    if (!this.#table.has('nopt') || option === undefined || option.holder === option.word) return false
    return option.word === this.#words[this.#at - 2] && this.#table.find(option.key)?.takes !== 'nothing'
  }

  /** What stands behind `=` is a word of its own, and one that begins with a dash may be the next option. */
  #nopt(word: W, value: string): void {
    const pieces = value.split('=')
    spendSteps(pieces.length)
    const seen = new Set<string>()
    for (const [at, piece] of pieces.entries()) {
      if (!piece.startsWith('-') || seen.has(piece)) continue
      if (at >= MAX_JOINED) seen.add(piece)
      spendSteps(STEPS_A_PIECE)
      this.#noptWord(word, at < MAX_JOINED ? pieces.slice(at).join('=') : `${piece}=`)
    }
  }

  /** Letters are looked for before names that are cut short, and `no-` changes nothing about an option with a value. */
  #noptWord(word: W, value: string): void {
    const [, begin = '', name = '', rest = ''] = /^(-+(?:no-)*)([^=]*)(.*)$/is.exec(value) ?? []
    const written = `--${begin.replace(/^-+/, '')}${name}`
    const long = this.#table.find(`--${name}`)
    const isLetter = (letter: string) => this.#table.find(`-${letter}`) !== undefined
    const isShort = isLetter(name) || [...new Set(name)].every(isLetter)
    if (this.#table.find(written) !== undefined || long?.takes === 'nothing') this.#long(word, written + rest)
    else if (long !== undefined || !isShort) this.#long(word, `--${name}${rest}`)
    else {
      this.#short(word, `-${name}${rest}`)
      const begun = name.length < 2 ? [] : distinct(this.#table.beginning(`--${name}`))
      for (const { key } of begun) this.#put(word, { key, name: written, holder: word, sure: false })
    }
  }

  /** The options that a long name stands for, whole or cut short, and those that it may stand for. */
  #meant(name: string): { meant: readonly KnownOption[]; perhaps: readonly string[] } {
    // `--setupFiles.0` is one of several values.
    const exact = this.#find(name) ?? this.#find(name.replace(/\..*$/, ''))
    const meant = exact === undefined ? distinct(this.#table.beginning(name)) : [exact]
    return { meant, perhaps: meant.length === 0 ? this.#valuedBeginning(name) : [] }
  }

  /** Options that take a value of which this may be the beginning. Nobody knows whether it is an option by itself. */
  #valuedBeginning(name: string): string[] {
    const { valued } = this.#how
    if (valued === undefined || valued.has(name) || !/^--\w{2}/.test(name)) return []
    return [...valued].filter((one) => one.startsWith(name))
  }

  #perhaps(word: W, glued: string | undefined): Partial<ReadOption<W>> {
    return glued === undefined ? { next: this.#words[this.#at] } : { value: glued, holder: word }
  }

  #short(word: W, value: string): void {
    const equals = value.indexOf('=')
    const name = equals === -1 ? value : value.slice(0, equals)
    const glued = equals === -1 ? undefined : value.slice(equals + 1)
    const whole = this.#table.find(value)
    const named = name.length > 2 || this.#table.has('words') ? this.#find(name) : undefined
    if (whole !== undefined || this.#how.valued?.has(value)) this.#found(word, value, whole)
    else if (named !== undefined || (name.length > 2 && this.#how.valued?.has(name)))
      this.#found(word, name, named, { glued })
    else if (this.#table.has('words')) this.#word(word, value, name, glued)
    else if (/^-\d+$/.test(value)) this.#put(word, { key: value, name: value })
    else this.#bundle(word, value)
  }

  /** One dash and a word; a letter that takes a value may have it glued: `-ofile`. */
  #word(word: W, value: string, name: string, glued: string | undefined): void {
    const colon = this.#table.find(value.slice(0, value.indexOf(':') + 1))
    if (colon !== undefined)
      return void this.#put(word, {
        key: colon.key,
        name,
        value: value.slice(value.indexOf(':') + 1),
        holder: word,
      })
    const letter = this.#table.find(value.slice(0, 2))
    if (letter !== undefined && letter.takes !== 'nothing' && value.length > 2)
      this.#found(word, value.slice(0, 2), letter, { glued: value.slice(2) })
    else this.#found(word, name, undefined, { glued })
  }

  #bundle(word: W, value: string): void {
    let letters: string | undefined
    const seen = new Set<string>()
    for (let at = 1; at < value.length; at++) {
      const name = `-${value[at]}`
      if (seen.has(name)) continue
      seen.add(name)
      const rest = value.slice(at + 1)
      const option = this.#table.find(name)
      const takes = this.#takes(name, option)
      if (takes === undefined) letters ??= [...new Set(value.slice(at))].join('')
      const unsure = letters !== undefined && letters.length > 1 ? { sure: false, letters, rest } : {}
      const found = { key: option?.key ?? name, name, ...unsure }
      if (takes === 'nothing' || (takes === undefined && /^[a-zA-Z]/.test(rest))) this.#put(word, found)
      else if (rest === '') this.#found(word, name, option, unsure)
      else this.#put(word, { ...found, value: rest.replace(/^=/, ''), holder: word })
      if (takes !== 'nothing' && !(takes === undefined && /^[a-zA-Z]/.test(rest))) return
    }
  }

  /** Where options are words, one dash and two are the same. */
  #find(name: string): KnownOption | undefined {
    const found = this.#table.find(name)
    if (found !== undefined || !this.#table.has('words')) return found
    return this.#table.find(name.startsWith('--') ? name.slice(1) : `-${name}`)
  }

  #takes(name: string, option: KnownOption | undefined): KnownOption['takes'] | undefined {
    return option?.takes ?? (this.#how.valued?.has(name) ? 'value' : undefined)
  }

  /** An option whose value, if it takes one that is not glued, is in the words that follow. */
  #found(
    word: W,
    name: string,
    option: KnownOption | undefined,
    { glued, ...more }: Partial<ReadOption<W>> & { glued?: string | undefined } = {},
  ): void {
    const found = { key: option?.key ?? name, name, ...more }
    const takes = this.#takes(name, option)
    if (glued !== undefined) this.#put(word, { ...found, value: glued, holder: word })
    else if (takes === 'nothing' || takes === 'glued') this.#put(word, found)
    else if (takes === 'command') this.#put(word, { ...found, ...this.#command() })
    else if (takes === 'value') {
      const next = this.#words[this.#at]
      // It may be the next option to one that goes by types.
      if (!this.#table.has('nopt') || next?.value?.startsWith('-') !== true) this.#at++
      this.#put(word, { ...found, value: next?.value, holder: next })
    } else {
      // It is not known what it takes. What begins like an option is one.
      const next = this.#words[this.#at]
      const isOption = next?.value?.startsWith('-') === true && next.value !== '-'
      this.#maybeValue = isOption ? undefined : next
      this.#put(word, { ...found, next: this.#maybeValue })
    }
  }

  #command(): Partial<ReadOption<W>> {
    const from = this.#at
    while (this.#at < this.#words.length) {
      const value = this.#words[this.#at++]?.value
      if (value === ';' || (value === '+' && this.#words[this.#at - 2]?.value === '{}')) break
    }
    const words = this.#words.slice(from, this.#at)
    if (/^[;+]$/.test(words.at(-1)?.value ?? '')) words.pop()
    const known = words.every(({ value }) => value !== undefined)
    return { value: known ? words.map(({ value }) => value).join(' ') : undefined, holder: words[0] }
  }

  #put(word: W, found: Pick<ReadOption<W>, 'key' | 'name'> & Partial<ReadOption<W>>): void {
    spendSteps(1)
    const option = {
      value: undefined,
      holder: undefined,
      next: undefined,
      sure: true,
      letters: undefined,
      rest: undefined,
      word,
      table: this.#table,
    }
    const made: ReadOption<W> = { ...option, ...found }
    this.#options.push(made)
    const also = made.value === undefined ? undefined : this.#table.withValue(made.key, made.value)
    if (also !== undefined) this.#options.push({ ...made, key: also, value: undefined, holder: undefined })
    for (const key of this.#table.meaning(made.key))
      this.#options.push({ ...made, key, value: undefined, holder: undefined, next: undefined })
  }
}

/** More options in one word than anybody writes: of the others only the name counts. */
const MAX_JOINED = 16
const STEPS_A_PIECE = 16

/** What nobody knew may be an option of the sub-command behind it. */
function asOptionOf<W extends ReadWord>(table: ProgramOptionTable, option: ReadOption<W>): ReadOption<W> {
  const known = option.table.find(option.key) === undefined ? table.find(option.name) : undefined
  if (known === undefined) return option
  const { value = option.next?.value, holder = option.next } = option
  return { ...option, key: known.key, table, value, holder }
}

function distinct(options: readonly KnownOption[]): KnownOption[] {
  return [...new Map(options.map((option) => [option.key, option])).values()]
}
