/** Which words of a command are files that it writes, and what it writes besides under names that it makes of them. */

import { kept } from '../../core/support/kept.ts'
import { knownPrograms } from '../known-programs.ts'
import { implicitChangesOf } from '../shell/effects/implicit-changes.ts'
import { lineOf } from '../shell/options/command-line.ts'
import { optionsIn, readWritten } from '../shell/options/read-options.ts'
import type { ShellCommand, ShellWord } from '../shell/reading.ts'
import type { WriteReach } from './writing-programs.ts'

/** Files that a command writes under names which it makes of its words. */
export function derivedPaths(command: ShellCommand): string[] {
  const { program = '', words } = command
  const values = words.flatMap(({ value }) => value ?? [])
  const landings = implicitChangesOf(command).flatMap(({ path, kind }) => (kind === 'lands' ? [path] : []))
  // Unpacked under the name without its end; cut into pieces whose names begin with a word.
  const unpacked = UNPACKS.test(program)
    ? values.map((value) => value.replace(/\.(?:gz|z|bz2|xz|lzma|zst|br)$/i, ''))
    : []
  const pieces = /^c?split$/.test(program) ? values.map((value) => `${value}aa`) : []
  const isConfig = program === 'git' && values[0] === 'config'
  const files = isConfig ? optionsIn(lineOf(command)).values('--file') : []
  return [...landings, ...unpacked, ...pieces, ...files]
}

const UNPACKS = /^(?:gzip|gunzip|pigz|bzip2|bunzip2|xz|unxz|lzma|unlzma|zstd|unzstd|brotli)$/

/**
 * Most words of a command are no files that it writes. `config` and `HEAD` are sub-commands and revisions, unless it is a
 * program that writes what it names; what git is given to add or to commit it only reads, and so does `cp` with all but
 * the last. Settings that a program is given by an option, and a script that it runs, are read.
 */
export function isNoFile(command: ShellCommand, word: string, reach: WriteReach): boolean {
  const { program = '', words } = command
  if (program === 'git' && /^(?:add|commit|push|tag|branch)$/.test(words[0]?.value ?? '')) return true
  const before = words[(firstPlaces(words).get(word) ?? 0) - 1]?.value ?? ''
  if (OUTPUT.test(before) || OUTPUT.test(word.replace(/=.*/s, ''))) return false
  if (/^g?cp$/.test(program)) return sourcesOf(words).has(word)
  if (reach === 'named')
    return words[0]?.text === word && knownPrograms().get(program)?.commands !== undefined
  if (program === 'git' && /^(?:[\w.-]+\/)*HEAD[~^@{}\d]*$/.test(word)) return true
  if (reach === 'nothing') {
    if (ONLY_READS.has(program) || (INTERPRETERS.test(program) && words[0]?.text === word)) return true
    if (INPUT.test(before) || INPUT.test(word.replace(/=.*/s, ''))) return true
  }
  return /^(?:(?:\.\/)?[a-z]+(?::\S*)?|HEAD[~^@{}\d]*|refs\/\S*)$/i.test(word)
}

/** Every word of a command is asked for, and there may be thousands. */
const firstPlaces = kept((words: readonly ShellWord[]): ReadonlyMap<string, number> => {
  const made = new Map<string, number>()
  words.forEach(({ text }, at) => {
    if (!made.has(text)) made.set(text, at)
  })
  return made
})

/** Options whose value is a file that is written, whatever the program. Git takes them shortened. */
const OUTPUT = /^(?:-[oO]|--outp?(?:ut)?(?:-?(?:file|dir|directory|path))?|--outp\w*)$/
/** Options whose value is read, of programs that write nothing that they name. */
const INPUT =
  /^(?:-[cfFpW]|--(?:config|settings|project|file|rcfile|kubeconfig|tsconfig|env-file|ignore-path|manifest-path)[\w-]*)$/
const INTERPRETERS =
  /^(?:node|nodejs|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php|source|\.|(?:ba|z|da|k|fi)?sh)$/
const ONLY_READS = new Set(['actionlint', 'yamllint', 'hadolint', 'shellcheck', 'pyright', 'staticcheck'])

/** The words that a copy only reads, where all words are known: all but the last of them, where it lands. */
const sourcesOf = kept((words: readonly ShellWord[]): ReadonlySet<string> => {
  const isUnsure = ({ value, pattern }: ShellWord) =>
    value === undefined || pattern || /^(?:-[a-zA-Z]*[tS]|--(?:t|s|p|b))/.test(value)
  const operands = words.some(isUnsure) ? [] : words.filter(({ value = '' }) => !value.startsWith('-'))
  const target = operands.at(-1)?.text
  // Where nothing is copied, no word is a source. (A word that is an option is none of them either.)
  const made = new Set(operands.length < 2 ? [] : words.map(({ text }) => text))
  if (target !== undefined) made.delete(target)
  return made
})

/** Whether words that nobody has seen, or whole folders, are among what it writes. */
export function mayReachMore(command: ShellCommand, reach: WriteReach): boolean {
  if (reach !== 'named') return false
  const { program = '', words, folder } = command
  if (folder === undefined || words.some(({ value }) => value === undefined)) return true
  const copies = /^g?(?:cp|install)$/.test(program)
  if (copies && readWritten('cp', words).has('-r', '-R', '-a', '--recursive', '--archive')) return true
  const has = (option: RegExp) => words.some(({ value = '' }) => option.test(value))
  if (program === 'wget') return has(/^(?:-[a-zA-Z]*[rmixp]|--(?:rec|mir|inp|con|exe|pag|tru))/)
  if (program === 'curl')
    return (
      has(/^(?:-[a-zA-Z]*[JK]|--(?:remote-[hn]|config))|%output\{/) ||
      (has(/^-[a-zA-Z]*[oO]/) && has(/:\/\/.*[[{]/))
    )
  if (UNPACKS.test(program) && has(/^(?:-[a-zA-Z]*[NSr]|--(?:na|suf|rec))/)) return true
  if (/^g?sed$/.test(program) && has(/^(?:-[a-zA-Z]*i|--in).*[*/]/)) return true
  if (program === 'yq' && has(/^(?:-s|--split)/)) return true
  // Without a statement its input is a script, and so is what begins with a dot.
  if (program === 'sqlite3')
    return (
      words.filter(({ value = '' }) => !value.startsWith('-')).length < 2 ||
      has(/^\s*\.|^-+(?:init|cmd)|writefile|edit\s*\(/i)
    )
  // All files of a folder, under the names that they have there.
  return (
    words.some(({ value = '', pattern }) => pattern && /(?:^|\/)[*?.[\]{}]*$/.test(value)) &&
    !/^(?:rm|chmod|chown|chgrp)$/.test(program)
  )
}
