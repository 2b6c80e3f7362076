/**
 * Whether the words of a command are an invocation that a profile names. Words are read as the program reads them:
 * options alone, bundled or with a glued value, before and after arguments. An option that is shortened is not named.
 */

import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { isPlainlyKnown, tellsPart } from '../shell/commands/told-variables.ts'
import type { ShellWord } from '../shell/reading.ts'
import { entryFor } from './entry-for.ts'
import { areCommits, isComparedWhole, isOneNumber } from './known-output.ts'
import type { ArgumentKind, Invocation, Profile, ValueKind } from './profile.ts'
import { type ProgramContext, whyNotOfKind } from './value-kinds.ts'
import { beginsWithWildcard } from './where-it-leads.ts'

/** Undefined where the words fit one of the invocations, else what is in the way, as a clause. */
export function whyNotFitting(
  words: readonly ShellWord[],
  invocations: Invocation | Invocation[],
  profile: Profile,
  judged: ProgramContext,
): Reason | undefined {
  let why: Reason | undefined = reasonOf('program.not-read-only-at-all')
  for (const invocation of Array.isArray(invocations) ? invocations : [invocations]) {
    why = new Fitting(words, invocation, profile, judged).why()
    if (why === undefined) return undefined
  }
  return why
}

const FINDERS = ['find', 'gfind']

class Fitting {
  readonly #words: readonly ShellWord[]
  readonly #invocation: Invocation
  readonly #profile: Profile
  readonly #judged: ProgramContext
  /** Options that surely are some: behind the first argument most programs may take them for arguments. */
  readonly #seen = new Set<string>()
  #next = 0
  #arguments = 0
  /** After `--`. */
  #ended = false

  constructor(words: readonly ShellWord[], invocation: Invocation, profile: Profile, judged: ProgramContext) {
    this.#words = words
    this.#invocation = invocation
    this.#profile = profile
    this.#judged = judged
    this.#ended = invocation.literal === true
  }

  why(): Reason | undefined {
    const { commands, needs } = this.#invocation
    while (this.#next < this.#words.length) {
      const word = this.#words[this.#next++] as ShellWord
      if (word.value === undefined) {
        if (this.#invocation.literal === true && isPlainlyKnown(word.text)) continue
        const why = this.#laterWord(word)
        if (why !== undefined) return why
        continue
      }
      if (!this.#ended && !word.pattern && word.value === '--' && this.#invocation.dashes !== false) {
        this.#ended = true
        continue
      }
      const isArgument = this.#ended || (!/^-./.test(word.value) && this.#kindOf(word.value) === undefined)
      if (isArgument && commands !== undefined && this.#arguments === 0 && !word.pattern) {
        const inner = entryFor(commands, word.value)
        if (inner !== undefined) {
          return whyNotFitting(this.#words.slice(this.#next), inner, this.#profile, this.#judged)
        }
      }
      const why = isArgument ? this.#argument(word, word.value) : this.#option(word, word.value)
      if (why !== undefined) return why
    }
    if (commands !== undefined && this.#invocation.arguments === undefined)
      return reasonOf('program.no-sub-command')
    if (needs !== undefined && !needs.some((option) => this.#seen.has(option))) {
      return reasonOf('program.needs-option', { options: needs })
    }
    if (this.#invocation.pages === true && this.#judged.atTerminal) return reasonOf('program.pager')
    return undefined
  }

  #see(option: string): void {
    if (this.#arguments === 0 || this.#invocation.optionsAnywhere === true) this.#seen.add(option)
  }

  #argument(word: ShellWord, value: string): Reason | undefined {
    const { arguments: kinds, rest, commands } = this.#invocation
    if (kinds === undefined && commands !== undefined)
      return reasonOf('program.not-read-only', { word: word.text })
    const index = this.#arguments++
    if (this.#invocation.optionsFirst === true) this.#ended = true
    const kind = kinds === undefined ? 'path' : (kinds[index] ?? (rest === true ? kinds.at(-1) : undefined))
    if (kind === undefined) return reasonOf('program.not-read-only', { word: word.text })
    if (kind === 'command') {
      this.#next = this.#words.length
      return undefined
    }
    if (beginsWithWildcard(word) && !this.#ended && this.#profile.anyOptionReads !== true) {
      return reasonOf('program.file-as-option', { word: word.text })
    }
    // A wildcard stands for any number of words: what follows must be fine in whichever place it then is.
    const following = kinds?.slice(index) ?? []
    if (
      word.pattern &&
      kinds !== undefined &&
      !(rest === true && following.every((each) => /^(text|path)$/.test(each)))
    ) {
      return reasonOf('program.several-words', { word: word.text })
    }
    return whyNotOfKind(kind, value, word, this.#judged)
  }

  /**
   * Some words are fine although they are known only when the line runs. `<(…)` is a file with what a command prints,
   * and that command is judged by itself. `{}` is a file that `find` found, or several: they lie below where `find` was
   * told to begin, which is judged with `find`, and their names begin with that, so that they are never options. Others
   * are commits, or are only compared.
   */
  #laterWord(word: ShellWord): Reason | undefined {
    const { arguments: kinds, rest, commands } = this.#invocation
    const unknown = reasonOf('program.word-late', { word: word.text })
    const index = this.#arguments++
    if (kinds?.[index] === 'any' && isComparedWhole(word)) return undefined
    const { command } = this.#judged
    const areSeveral =
      (word.text === '{}' && FINDERS.includes(command.through.at(-1) ?? '')) || areCommits(word, command)
    if (!areSeveral && !/^<\([^()$`]*\)$/.test(word.text)) return unknown
    if (kinds === undefined) return commands === undefined ? undefined : unknown
    const isLast = rest === true && index >= kinds.length - 1
    const kind = isLast ? kinds.at(-1) : areSeveral ? undefined : kinds[index]
    return kind === 'path' ? undefined : unknown
  }

  #option(word: ShellWord, value: string): Reason | undefined {
    const whole = this.#kindOf(value)
    if (whole !== undefined && !word.pattern) return this.#value(value, whole, word)
    const unnamed = reasonOf('program.option', { word: word.text })
    const equals = value.indexOf('=')
    if (equals > 0 && (value.startsWith('--') || this.#invocation.singleDash === true)) {
      const name = value.slice(0, equals)
      const kind = this.#kindOf(name)
      return kind === undefined || kind === 'flag' || kind === 'command' || /[*?[{(]/.test(name)
        ? unnamed
        : this.#glued(name, kind, value.slice(equals + 1), word)
    }
    if (word.pattern) return reasonOf('program.other-words', { word: word.text })
    if (/^-\d+$/.test(value) && this.#kindOf('-NUMBER') !== undefined) {
      this.#see('-NUMBER')
      return undefined
    }
    if (
      value.startsWith('--') ||
      this.#invocation.singleDash === true ||
      this.#invocation.bundles === false
    ) {
      return unnamed
    }
    return this.#bundle(value, word, unnamed)
  }

  #bundle(value: string, word: ShellWord, unnamed: Reason): Reason | undefined {
    for (let at = 1; at < value.length; at += 1) {
      const name = `-${value[at]}`
      const kind = this.#kindOf(name)
      if (kind === undefined) return unnamed
      const glued = value.slice(at + 1)
      if (kind === 'flag') this.#see(name)
      else if (glued === '') return this.#value(name, kind, word)
      else return this.#glued(name, kind, glued, word)
    }
    return undefined
  }

  #glued(name: string, kind: ValueKind, value: string, word: ShellWord): Reason | undefined {
    this.#see(name)
    if (kind === 'flag' || kind === 'command') return reasonOf('program.option-no-value', { word: word.text })
    if (kind === 'optional' || kind === 'text' || kind === 'any') return undefined
    return word.pattern
      ? reasonOf('program.other-words', { word: word.text })
      : whyNotOfKind(kind, value, word, this.#judged)
  }

  /** The value of an option that stands alone is in the words that follow. */
  #value(name: string, kind: ValueKind, word: ShellWord): Reason | undefined {
    this.#see(name)
    if (kind === 'flag' || kind === 'optional') return undefined
    if (kind === 'command') return this.#skipCommand()
    const next = this.#words[this.#next++]
    if (next === undefined) return reasonOf('program.option-needs-value', { word: word.text })
    if (next.value === undefined && kind === 'any' && !next.pattern && !tellsPart(next.text)) return undefined
    if (kind === 'number' && isOneNumber(next)) return undefined
    if (next.value === undefined) return reasonOf('program.word-late', { word: next.text })
    if (next.pattern) return reasonOf('program.several-words', { word: next.text })
    // Where options end at the first argument, or a file that a wildcard finds is an option, this is no value but a file.
    if (
      this.#arguments > 0 &&
      this.#invocation.singleDash !== true &&
      kind !== 'number' &&
      /^[/~.]|\//.test(next.value)
    ) {
      const why = whyNotOfKind('path', next.value, next, this.#judged)
      if (why !== undefined) return why
    }
    return whyNotOfKind(kind as ArgumentKind, next.value, next, this.#judged)
  }

  #skipCommand(): undefined {
    while (this.#next < this.#words.length) {
      const value = this.#words[this.#next++]?.value
      if (value === ';' || (value === '+' && this.#words[this.#next - 2]?.value === '{}')) return
    }
  }

  #kindOf(option: string): ValueKind | undefined {
    const own = entryFor(this.#invocation.options, option)
    if (own !== undefined) return own
    for (const name of this.#invocation.uses ?? []) {
      const kind = entryFor(entryFor(this.#profile.sets, name), option)
      if (kind !== undefined) return kind
    }
    return undefined
  }
}
