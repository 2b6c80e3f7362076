/**
 * What the options of a command do besides what its program is for: files that they write or delete. An allow of the
 * program's name is none for these.
 */

import { kept } from '../../../core/support/kept.ts'
import { optionTableOf } from '../../known-programs.ts'
import type { ShellCommand, ShellWord } from '../reading.ts'
import { lineOf, readLine } from './command-line.ts'
import type { ReadLine, ReadOption } from './read-words.ts'
import { isOfEnvironment, mayBeOption } from './word-reading.ts'

export interface OptionWrite {
  /** The file or folder; undefined where it is known only when the line runs. */
  readonly path: string | undefined
  /** What is told people where it is not known. */
  readonly text: string
  /** The word of the option, and that of its value where it is another; none for a program that always writes. */
  readonly words: readonly ShellWord[]
  /** A container is given the folder. One of the workspace is what containers are for. */
  readonly isMount?: true
}

type Option = ReadOption<ShellWord>

/** What the options of a command write. The output of a program and what it is for are not among it. */
export const writesOf = kept((command: ShellCommand): readonly OptionWrite[] => {
  const line = lineOf(command)
  return [...linesOf(line, command.words).flatMap(writesByOptions), ...changedFiles(line)]
})

function writesByOptions({ options }: ReadLine<ShellWord>): OptionWrite[] {
  const given = new Set(options.map(({ key }) => key))
  const into = options.find(({ key, table }) => table.does('into', key))
  return options.flatMap((option) => writesBy(option, given, into))
}

/** Programs that start programs that start programs: nobody writes more of them. */
const MAX_STARTED = 4

/** The options of the command, and those of a program that it starts by its own words: `npx eslint -f x`. */
function linesOf(line: ReadLine<ShellWord>, words: readonly ShellWord[], depth = 0): ReadLine<ShellWord>[] {
  const { of, isKnown } = line.table
  // A program that nobody knows may start another: `uvx pytest -p x`.
  const { starts = isKnown ? undefined : 'words', passes } = of
  const behind = line.operands.flatMap(({ word, behindDashes }) => (behindDashes ? [word] : []))
  const passed = passes === undefined || behind.length === 0 ? [] : [readLine(passes, behind)]
  const started = starts === undefined || depth === MAX_STARTED ? undefined : startedBy(line, starts)
  const name = startedName(started?.value)
  if (started === undefined || name === undefined) return [line, ...passed]
  // In a bundle the name is glued to its option: `-mpytest`.
  const at = words.findIndex(({ value }) => value?.endsWith(started.value ?? '') === true)
  const rest = words.slice(at + 1)
  const inner = rest[0]?.value === '--' ? rest.slice(1) : rest
  return [line, ...linesOf(readLine(name, inner), inner, depth + 1)]
}

function startedBy(
  { options, operands, depth }: ReadLine<ShellWord>,
  starts: string,
): Pick<ShellWord, 'value'> | undefined {
  if (starts !== 'words') return options.find(({ key }) => key === starts)
  const own = operands.slice(depth, depth + MAX_STARTED)
  const isKnown = ({ word: { value = '' } }: (typeof own)[number]) =>
    optionTableOf(startedName(value)).isKnown
  const sure = own.findIndex(({ word, inDoubt }) => !inDoubt && word.value !== 'run')
  return own.slice(0, sure === -1 ? own.length : sure + 1).find(isKnown)?.word
}

/** Words that are a text and no file, whatever they come to: `git commit -m "$(…)"`. */
export function textWordsOf(command: ShellCommand): ReadonlySet<ShellWord> {
  const texts = lineOf(command).options.filter(({ key, sure, table }) => sure && table.does('texts', key))
  return new Set(texts.flatMap(({ holder }) => (holder === undefined || holder.pattern ? [] : [holder])))
}

/** The options by which a command deletes what it does not name. */
export function deletionsOf(command: ShellCommand): readonly ShellWord[] {
  return lineOf(command)
    .options.filter(({ key, table }) => table.does('deletes', key))
    .map(({ word }) => word)
}

/** `jest@29`, `node_modules/.bin/jest`. Another path is that of a script. */
function startedName(value: string | undefined): string | undefined {
  if (value?.includes('/') === true && !/(?:^|\/)(?:node_modules|bin|\.bin)\//.test(value)) return undefined
  return value?.replace(/^.*\//, '').replace(/(?<=.)@.*$|\.[cm]?js$/, '')
}

/** The options by which a command loads code, or settings that name some, with the word of their value. */
export function loadsOf(command: ShellCommand): readonly (readonly ShellWord[])[] {
  // What the options of the program itself run is looked at by the reading of the line.
  const own = lineOf(command).table
  return linesOf(lineOf(command), command.words)
    .flatMap(({ table, options }) =>
      options.filter(({ key, value, table: row }) => {
        const runs = table !== own && (row.mayRun(key, value) || row.does('runs', key))
        return runs || row.loads(key, value)
      }),
    )
    .map(({ word, holder }) => (holder === undefined || holder === word ? [word] : [word, holder]))
}

/** Words that may be any option, of a program with options that write, run or delete. */
export function doubtfulOptionsOf(command: ShellCommand): readonly ShellWord[] {
  const { table, operands } = lineOf(command)
  if (!table.hasEffects) return []
  return operands
    .filter(({ word, inDoubt }, at) => (inDoubt && mayBeOption(word)) || (at === 0 && mayBeLetters(word)))
    .map(({ word }) => word)
    .filter((word) => !isOfEnvironment(word))

  /** `tar x"$1"`: letters without a dash. */
  function mayBeLetters({ value }: ShellWord): boolean {
    return value === undefined && table.has('bare')
  }
}

/** `given`: the keys of all options of the command. */
function writesBy(option: Option, given: ReadonlySet<string>, into: Option | undefined): OptionWrite[] {
  const { key, value, holder, word, table } = option
  if (table.does('mounts', key)) return mountedBy(option)
  const writes = table.does('writes', key) || table.writesWith(key).some((one) => given.has(one))
  if (!writes) return []
  const words = holder === undefined || holder === word ? [word] : [word, holder]
  if (holder === undefined) {
    if (table.find(key)?.takes === 'value') return []
    return [{ path: into === undefined ? '.' : into.value, text: word.text, words }]
  }
  if (value === undefined) return [{ path: undefined, text: holder.text, words }]
  return isNoFile(value) ? [] : [{ path: pathIn(value), text: value, words }]
}

/** The output of the program, and what is run by a pipe. */
function isNoFile(value: string): boolean {
  return /^(?:-|\|.*|\/dev\/(?:null|stdout|stderr|tty)|)$/s.test(value)
}

/** Some take a kind before the path: `type=local,dest=out`, `metadata=file`. */
function pathIn(value: string): string {
  return /(?:^|,)(?:dest|[a-z-]+)=([^,]*)$/s.exec(value)?.[1] ?? value
}

/** `-v /x:/y`, `--mount type=bind,source=/x,target=/y`. A name without a slash is none of a folder. */
function mountedBy({ value, holder, word }: Option): OptionWrite[] {
  if (holder === undefined) return []
  const words = holder === word ? [word] : [word, holder]
  if (value === undefined) return [{ path: undefined, text: holder.text, words }]
  const [source = '', , mode = ''] = value.split(':')
  const path = value.includes('=') ? /(?:^|,)(?:source|src)=([^,]*)/.exec(value)?.[1] : source
  const isReadOnly = /(?:^|,)(?:ro|readonly)(?:,|=true|=1|$)/.test(value.includes('=') ? value : mode)
  return path === undefined || isReadOnly || !/^[/.~]/.test(path)
    ? []
    : [{ path, text: path, words, isMount: true }]
}

/** The arguments of a command that changes them in place. */
function changedFiles({ table, options, operands, depth }: ReadLine<ShellWord>): OptionWrite[] {
  const changing = options.find((one) => one.table.does('changes', one.key))
  if (changing === undefined && table.of.changes !== 'always') return []
  if (options.some((one) => one.table.does('unless', one.key))) return []
  const isScript = table.of.script !== undefined && !options.some((one) => one.table.does('script', one.key))
  const files = operands.slice(depth + (isScript ? 1 : 0))
  const words = changing === undefined ? [] : [changing.word]
  return files.flatMap(({ word }): OptionWrite[] => {
    const { value, text } = word
    if (value === undefined) return [{ path: undefined, text, words: [...words, word] }]
    return isNoFile(value) ? [] : [{ path: value, text: value, words: [...words, word] }]
  })
}
