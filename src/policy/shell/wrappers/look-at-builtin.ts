/**
 * Commands of the shell itself that change what later words mean, set variables, or take a text for code. Which shell
 * reads the line is not known, so this is what bash, dash, ksh and zsh do between them.
 */

import { codeOf } from '../commands/code-variables.ts'
import { isHarmless, isOwnName } from '../commands/harmless-variables.ts'
import { type InnerCommand, type InnerDoubt, innerScript } from '../commands/inner-command.ts'
import type { DoubtCode } from '../commands/why-doubted.ts'
import { isFixed, isNumber } from '../commands/word-values.ts'
import type { ShellWord } from '../reading.ts'

export interface BuiltinLook {
  readonly doubts: readonly InnerDoubt[]
  /** What would be run later. */
  readonly inner: readonly InnerCommand[]
  /** From here on nothing is certain about the folder. */
  readonly unsettles: boolean
}

type Check = (words: readonly ShellWord[]) => InnerDoubt | undefined

const REDEFINES = 'part.redefinition'
const SETS = 'part.variable'

/** Changed by them: how words are read, which program a name means, what runs at some later event. */
const REDEFINING: ReadonlySet<string> = new Set(
  (
    'alias unalias trap enable disable hash complete compgen compopt compdef bind bindkey zle zmodload zstyle autoload ' +
    'functions emulate setopt unsetopt sched shopt zcompile zparseopts vared print fc'
  ).split(' '),
)

const DECLARING: ReadonlySet<string> = new Set(
  'export declare typeset local readonly integer float'.split(' '),
)

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['.', runsFile],
  ['source', runsFile],
  ['let', () => ({ kind: 'expansion', why: 'part.arithmetic' })],
  ['test', checkTest],
  ['[', checkTest],
  ['printf', (words) => checkOption(words, /^-[a-z]*v/, SETS)],
  ['wait', (words) => checkOption(words, /^-[a-z]*p/, SETS)],
  ['read', checkNames],
  ['mapfile', checkNames],
  ['readarray', checkNames],
  ['getopts', checkNames],
  ['unset', checkNames],
  ['set', checkSet],
])

/** Their words may be taken for arithmetic by one shell or another. */
const ARITHMETIC: ReadonlySet<string> = new Set(
  (
    'test [ let printf read unset exit return shift break continue wait kill ulimit umask history pushd popd ' +
    'export declare typeset local readonly integer float'
  ).split(' '),
)

const QUIET: BuiltinLook = { doubts: [], inner: [], unsettles: false }

/** `all[0]` is the program. */
export function lookAtBuiltin(program: string, all: readonly ShellWord[]): BuiltinLook {
  const isBuiltin =
    REDEFINING.has(program) || DECLARING.has(program) || CHECKS.has(program) || ARITHMETIC.has(program)
  if (!isBuiltin) return QUIET
  const words = all.slice(1)
  if (REDEFINING.has(program)) return lookAtRedefining(program, words)
  const doubts: InnerDoubt[] = []
  const inner: InnerCommand[] = []
  if (DECLARING.has(program)) for (const doubt of checkDeclared(words, inner)) doubts.push(doubt)
  const doubt = CHECKS.get(program)?.(words)
  if (doubt !== undefined) doubts.push(doubt)
  if (ARITHMETIC.has(program)) {
    const word = words.find(({ value }) => value !== undefined && holdsSubscript(value))
    if (word !== undefined) doubts.push({ kind: 'expansion', text: word.text, why: 'part.code' })
  }
  return doubts.length === 0 ? QUIET : { doubts, inner, unsettles: false }
}

function holdsSubscript(value: string): boolean {
  const start = value.indexOf('[')
  return start !== -1 && /\$[({]|`/.test(value.slice(start))
}

function lookAtRedefining(program: string, words: readonly ShellWord[]): BuiltinLook {
  const first = words[0]
  const lists = words.length === 0 || (words.length === 1 && isFixed(first) && /^-[lpq]$/.test(first.value))
  if (lists && program !== 'enable' && program !== 'fc') return QUIET
  if (program === 'hash' && words.every((word) => word.value === '-r')) return QUIET
  const inner: InnerCommand[] = []
  for (const word of words) {
    if (!isFixed(word)) continue
    const text = program === 'alias' ? word.value.slice(word.value.indexOf('=') + 1) : word.value
    if (program === 'alias' || (program === 'trap' && word === first)) inner.push(innerScript(text))
  }
  return { doubts: [{ kind: 'redefinition', why: REDEFINES }], inner, unsettles: true }
}

function runsFile(words: readonly ShellWord[]): InnerDoubt | undefined {
  return words.length === 0 ? undefined : { kind: 'inline code', why: 'part.code-file' }
}

function checkOption(words: readonly ShellWord[], option: RegExp, why: DoubtCode): InnerDoubt | undefined {
  const word = words[0]
  if (word === undefined || (isFixed(word) && !option.test(word.value))) return undefined
  const harmless = !isFixed(word) && !word.pattern && (words.length === 1 || /^"[^$`-]/.test(word.text))
  return harmless ? undefined : { kind: 'assignment', text: word.text, why }
}

function checkDeclared(words: readonly ShellWord[], inner: InnerCommand[]): InnerDoubt[] {
  const doubts: InnerDoubt[] = []
  for (const word of words) {
    const value = isFixed(word) ? word.value : undefined
    const [, name, set] = /^([^=]*)=(.*)$/s.exec(value ?? '') ?? []
    const { script, doubt } = name === undefined ? {} : codeOf(name, set, word.text)
    if (script !== undefined) inner.push(innerScript(script))
    if (doubt !== undefined) doubts.push(doubt)
    if (value === undefined) doubts.push({ kind: 'assignment', text: word.text, why: SETS })
    else if (/^[-+]/.test(value)) {
      if (!/^[-+][pxgr]+$/.test(value))
        doubts.push({ kind: 'expansion', text: word.text, why: 'part.redefinition' })
    } else if (name !== undefined && !isHarmless(name, set ?? ''))
      doubts.push({ kind: 'assignment', text: word.text, why: SETS })
    else if (!/^\w*(=|$)/.test(value))
      doubts.push({ kind: 'expansion', text: word.text, why: 'part.expansion' })
  }
  return doubts
}

/** Every word might be a name: options with a value are not told apart. */
function checkNames(words: readonly ShellWord[]): InnerDoubt | undefined {
  for (const word of words) {
    if (!isFixed(word)) return { kind: 'assignment', text: word.text, why: SETS }
    if (/^-[a-zA-Z]*C/.test(word.value)) return { kind: 'inline code', text: word.text, why: 'part.code' }
    if (!/^-\w*$|^\d+(\.\d+)?$/.test(word.value) && !isOwnName(word.value))
      return { kind: 'assignment', text: word.text, why: SETS }
  }
  return undefined
}

const ARITHMETIC_TEST = /^-(eq|ne|lt|le|gt|ge)$/

function checkTest(words: readonly ShellWord[]): InnerDoubt | undefined {
  for (const [index, word] of words.entries()) {
    const value = word.value ?? ''
    const next = words[index + 1]
    if (/^-[vR]$/.test(value) && next !== undefined && !/^\w+$/.test(next.value ?? ''))
      return { kind: 'expansion', text: next.text, why: 'part.code' }
    if (!ARITHMETIC_TEST.test(value)) continue
    for (const operand of [words[index - 1], next])
      if (operand !== undefined && !isNumber(operand))
        return { kind: 'expansion', text: operand.text, why: 'part.arithmetic' }
  }
  return undefined
}

/** Stopping at mistakes and telling what is run change nothing about what is run. */
function checkSet(words: readonly ShellWord[]): InnerDoubt | undefined {
  let expectsName = false
  for (const word of words) {
    const value = isFixed(word) ? word.value : ''
    const known = expectsName
      ? /^(pipefail|errexit|nounset|xtrace)$/.test(value)
      : /^[-+][eux]*o?$/.test(value) && value.length > 1
    if (!known) return { kind: 'redefinition', text: word.text, why: REDEFINES }
    expectsName = !expectsName && value.endsWith('o')
  }
  return undefined
}
