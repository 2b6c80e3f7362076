/** What a shell line would do to the files of coding agents. */

import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import {
  type OwnMatchers,
  type ShellLineContext,
  shortCommand,
} from '../built-in-denies/find-own-in-command.ts'
import { createLineSearch } from '../built-in-denies/find-own-in-line.ts'
import { lineContextOf, linePlaceOf } from '../built-in-denies/line-context.ts'
import { lineSpellingsOf, spellingsOf } from '../matchers/spellings.ts'
import { writesOf } from '../shell/options/option-effects.ts'
import { joinFolder } from '../shell/paths/folder.ts'
import type { ShellCommand, ShellReading } from '../shell/reading.ts'
import { judgeProgram } from '../starter/judge-program.ts'
import { writeReachOf } from '../steering/writing-programs.ts'
import { isNoFile, mayReachMore } from '../steering/written-words.ts'
import { spendSteps } from '../steps.ts'
import type { CallSubject } from '../subject/subject.ts'
import { patchedFiles } from '../tools/patch-headers.ts'

export function findInAgentLine(subject: CallSubject, own: OwnMatchers): Reason | undefined {
  const line = lineContextOf(subject, linePlaceOf(subject.entry))
  const search = createLineSearch(line, own)
  const found = search.find()?.why ?? patched(line, own) ?? replaced(line, own)
  if (found !== undefined) return found
  return isUnderstood(line) || search.excused() ? undefined : mentioned(line, own)
}

/** A word that is nothing that its command writes: `git add x`, the source of `cp`, all words of one that only reads. */
export function isNothingWritten(command: ShellCommand, word: string): boolean {
  return onlyReads(command) || isNoFile(command, word, writeReachOf(command))
}

function onlyReads(command: ShellCommand): boolean {
  return judgeProgram(command, () => 'yes').kind === 'reads'
}

/** A patch in the line itself, as in `apply_patch <<'EOF'`. */
function patched({ reading, text, bases }: ShellLineContext, { paths }: OwnMatchers): Reason | undefined {
  const command = reading.commands.find(takesPatch)
  if (command === undefined) return undefined
  const folders = [...(bases.length === 0 ? ['/'] : bases), command.folder ?? '']
  for (const path of patchedFiles(text)) {
    spendSteps(STEPS_A_FILE * folders.length)
    const owner = folders.map((base) => paths.ownerOf(path, `/${base}`)).find((one) => one !== undefined)
    if (owner !== undefined)
      return reasonOf('own.command-writes', { command: shortCommand(command), path: owner.given })
  }
  return undefined
}

const STEPS_A_FILE = 64

function takesPatch({ program = '', words }: ShellCommand): boolean {
  if (program === 'git') return words.some(({ value }) => value === 'apply' || value === 'am')
  return /^(?:apply_?patch|g?patch)$/.test(program)
}

/** A folder in which such files lie is replaced, or filled with files whose names nobody has seen. */
function replaced({ reading, bases, resolved }: ShellLineContext, own: OwnMatchers): Reason | undefined {
  for (const command of reading.commands) {
    if (command.transparent || onlyReads(command)) continue
    const words = replacedBy(command).map((word) => joinFolder(command.folder, word) ?? word)
    for (const path of [...words, ...filledBy(command, reading)]) {
      const folders = bases.length === 0 ? ['/'] : bases
      const places = folders.map((base): [string, string] => [path, base])
      const real = resolved(path)
      if (real !== undefined) places.push([real, '/'])
      const owner = places.map(([at, base]) => own.paths.below(at, base)).find((one) => one !== undefined)
      if (owner !== undefined)
        return reasonOf('own.command-reaches', { command: shortCommand(command), path: owner.given })
    }
  }
  return undefined
}

function replacedBy(command: ShellCommand): string[] {
  // What is handed to a container can be changed in there.
  const mounts = writesOf(command).flatMap(({ path, isMount }) =>
    isMount && path !== undefined ? [path] : [],
  )
  if (!mayReplace(command)) return mounts
  const words = command.words.filter(({ text }) => !isNothingWritten(command, text))
  return [...mounts, ...words.flatMap(({ value }) => value?.replace(/^--?[\w-]+=/, '') ?? [])]
}

/** Archives and checkouts that are put where the command runs: nobody has seen the names in them. */
const UNPACKS = /^(?:g?tar|bsdtar|unzip|bsdcpio|cpio|pax|7z|7za|7zr|unrar|unar|ar|jar)$/

function filledBy({ program = '', words, folder }: ShellCommand, { commands }: ShellReading): string[] {
  const isClone = program === 'git' && words.some(({ value }) => value === 'clone' || value === 'checkout')
  if (!isClone && !UNPACKS.test(program)) return []
  if (folder !== undefined) return [joinFolder(folder, '.') ?? '.']
  // It runs in one of those that the line goes to.
  return commands.flatMap((one) =>
    /^(?:cd|pushd)$/.test(one.program ?? '') ? one.words.flatMap(({ value }) => value ?? []) : [],
  )
}

function mayReplace(command: ShellCommand): boolean {
  if (/^g?(?:ln|mv|link|rm|rmdir)$/.test(command.program ?? '')) return true
  if (command.program === 'git' && command.words.some(({ value }) => /^(?:rm|mv)$/.test(value ?? '')))
    return true
  const reach = writeReachOf(command)
  return reach === 'anything' || mayReachMore(command, reach)
}

function isUnderstood({ reading }: ShellLineContext): boolean {
  if (reading.commands.length === 0) return false
  if (reading.doubts.some(({ kind }) => kind !== 'program by path')) return false
  return reading.commands.every(
    ({ words, redirections }) =>
      words.every(({ value }) => value !== undefined) &&
      redirections.every(({ target }) => target !== undefined),
  )
}

/** Where part of the line is known only when it runs, whatever it names counts, but for what is only printed. */
function mentioned(line: ShellLineContext, { paths, trigger }: OwnMatchers): Reason | undefined {
  const text = withoutPrinted(line)
  for (const spelling of [...spellingsOf(text), ...lineSpellingsOf(text)]) {
    const path = trigger.test(spelling) ? paths.namedIn(spelling, line.bases, false) : undefined
    if (path !== undefined) return reasonOf('own.names-at', { pointer: '/command', path })
  }
  return undefined
}

/** These print what is in a file, and not its name, which another command might take from them. */
const PRINTERS = /^(?:cat|head|tail|jq|bat)$/

function withoutPrinted({ text, reading }: ShellLineContext): string {
  let left = text
  for (const { program = '', words, redirections, through, doubts, start, end } of reading.commands) {
    const isPlain = words.every(({ value, pattern }) => value !== undefined && !pattern)
    if (!PRINTERS.test(program) || !isPlain || through.length + redirections.length + doubts.length > 0)
      continue
    left = left.slice(0, start) + ' '.repeat(Math.max(0, end - start)) + left.slice(end)
  }
  return left
}
