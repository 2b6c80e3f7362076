/**
 * Programs that run code in a language of their own, which is not looked into. Code on the command line or from the
 * input is a doubt; a script that is named is an ordinary argument, which rules may speak of.
 */

import { defined } from '../../../core/defined.ts'
import { optionTableOf } from '../../known-programs.ts'
import type { InnerDoubt } from '../commands/inner-command.ts'
import type { DoubtCode } from '../commands/why-doubted.ts'
import { isFixed } from '../commands/word-values.ts'
import type { ShellWord } from '../reading.ts'
import { scriptDoubt } from './scripted-programs.ts'

interface Interpreter {
  /** Letters of options that hold code or load it before the script; anywhere in a bundle of letters. */
  readonly letters: string
  /** Whole options of the same kind. */
  readonly options?: readonly string[]
  /** Options that take the next word, so that it is not the script. */
  readonly values?: readonly string[]
  /** Words that stand for code to come: `deno eval`. */
  readonly commands?: readonly string[]
  /** Without a script it reads code from its input; not so with one of `modes`. */
  readonly input: boolean
  readonly modes?: readonly string[]
  /** Options that only tell something about the interpreter where nothing else is given. */
  readonly tells?: readonly string[]
}

const NODE: Interpreter = {
  letters: 'epr',
  options: [
    '--eval',
    '--print',
    '--require',
    '--import',
    '--loader',
    '--experimental-loader',
    '--interactive',
  ],
  values: ['--env-file', '--conditions', '-C', '--title', '--stack-trace-limit'],
  input: true,
  modes: ['--test', '--run'],
}
const PYTHON: Interpreter = { letters: 'c', values: ['-W', '-X', '--check-hash-based-pycs'], input: true }
const LISP: Interpreter = { letters: 'ec', options: ['--eval', '--expression', '--exec'], input: true }

const INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  python: PYTHON,
  pypy: PYTHON,
  ipython: PYTHON,
  node: NODE,
  nodejs: NODE,
  iojs: NODE,
  'ts-node': NODE,
  tsx: NODE,
  bun: {
    letters: 'epr',
    options: ['--eval', '--print', '--preload', '--require'],
    commands: ['exec'],
    input: false,
  },
  deno: { letters: '', options: ['--preload', '--import'], commands: ['eval', 'repl'], input: false },
  perl: { letters: 'eEmMd', input: true },
  ruby: { letters: 'er', input: true },
  jruby: { letters: 'er', input: true },
  irb: { letters: 'r', input: true },
  php: {
    letters: 'rRBEazd',
    options: ['--run', '--process-begin', '--process-code', '--process-end'],
    input: true,
    tells: ['-m', '--modules', '-i', '--info', '--ini'],
  },
  lua: { letters: 'el', input: true },
  luajit: { letters: 'elj', input: true },
  tclsh: { letters: '', input: true },
  wish: { letters: 'c', input: true },
  rscript: { letters: 'e', input: true },
  r: { letters: 'ef', options: ['--file'], input: true },
  julia: { letters: 'eEL', options: ['--eval', '--print', '--load'], input: true },
  groovy: { letters: 'e', input: true },
  scala: { letters: 'e', input: true },
  kotlin: { letters: 'e', options: ['-expression'], input: true },
  jshell: { letters: 'R', input: true },
  elixir: { letters: 'er', options: ['--eval', '--rpc-eval'], input: true },
  iex: { letters: 'er', options: ['--eval', '--rpc-eval'], input: true },
  erl: { letters: 'er', options: ['-eval', '-run', '-s'], input: true },
  ghci: { letters: 'e', input: true },
  runghc: { letters: 'e', input: true },
  guile: LISP,
  racket: LISP,
  clojure: LISP,
  clj: LISP,
  sbcl: { letters: '', options: ['--eval', '--load'], input: true },
  emacs: { letters: 'lf', options: ['--eval', '--execute', '--load', '--funcall', '-eval'], input: false },
  osascript: { letters: 'el', input: true },
  dc: { letters: 'e', options: ['--expression'], input: true },
  m4: { letters: '', input: true },
  qjs: { letters: 'e', options: ['--eval'], input: true },
  expect: { letters: 'c', input: true },
}

/** Modules of Python whose words, or whose input, are code. */
const CODE_MODULES = /^(?:timeit|pdb|code|codeop|asyncio|idlelib|_?pyrepl|sqlite3|runpy|pickle|bdb)(?:\.|$)/

/** The same for every interpreter. */
const TELLING = /^(-V|-VV|-v|-h|-help|--help|--version|-version)$/

export function interpreterDoubt(
  program: string,
  words: readonly ShellWord[],
  at: number,
): InnerDoubt | undefined {
  const interpreter = find(program)
  if (interpreter === undefined) return scriptDoubt(program, words, at)
  const only = words.length === at + 2 ? words[at + 1]?.value : undefined
  if (only !== undefined && (TELLING.test(only) || interpreter.tells?.includes(only))) return undefined
  /** What stands behind an option that nobody knows may be the script. */
  let isScript = false
  for (let index = at + 1; index < words.length; index++) {
    const word = words[index]
    if (!isFixed(word)) return codeDoubt(word, 'part.code-maybe')
    const { value } = word
    if (value === '-') return codeDoubt(word, 'part.code-input')
    if (value === '--') return index + 1 < words.length ? undefined : codeDoubt(word, 'part.code-input')
    if (interpreter.commands?.includes(value)) return codeDoubt(word, 'part.code')
    if (!value.startsWith('-')) return undefined
    if (interpreter.modes?.includes(value)) return undefined
    if (holdsCode(interpreter, value)) return codeDoubt(word, 'part.code')
    if (interpreter === PYTHON && /^-[a-zA-Z]*m/.test(value)) {
      const module = value.replace(/^-[a-zA-Z]*?m/, '') || words[index + 1]?.value
      return CODE_MODULES.test(module ?? '') ? codeDoubt(word, 'part.code') : undefined
    }
    // `php --rf strlen` tells of it.
    if (interpreter.tells !== undefined && /^--r[a-z]+$/.test(value)) return undefined
    const takes = optionTableOf(program).find(value)?.takes
    const isUnknown = takes === undefined && interpreter === NODE && /^--[^=]*$/.test(value)
    if (interpreter.values?.includes(value) || takes === 'value') index++
    else if (isUnknown && !words[index + 1]?.value?.startsWith('-')) {
      index++
      isScript = true
    }
  }
  return interpreter.input && !isScript ? { kind: 'inline code', why: 'part.code-input' } : undefined
}

/** `python3.12` is `python`, `php8.2-cli` is `php`. */
function find(program: string): Interpreter | undefined {
  if (Object.hasOwn(INTERPRETERS, program)) return INTERPRETERS[program]
  const name = program.toLowerCase().replace(/(?<![\d.])[\d.]+(-cli|-cgi|m|w)?$/, '')
  return Object.hasOwn(INTERPRETERS, name) ? INTERPRETERS[name] : undefined
}

function holdsCode(interpreter: Interpreter, option: string): boolean {
  const name = option.replace(/=.*$/s, '')
  if (interpreter.options?.includes(name)) return true
  return (
    !option.startsWith('--') && [...option.slice(1)].some((letter) => interpreter.letters.includes(letter))
  )
}

function codeDoubt(word: ShellWord | undefined, why: DoubtCode): InnerDoubt {
  return { kind: 'inline code', why, ...defined({ text: word?.text }) }
}
