/** Puts a command down in its normal form. */
import { quoteProgram } from '../../../core/support/quote-word.ts'
import { spendSteps } from '../../steps.ts'
import type { Doubt, InputSource, Redirection, ShellWord, Tie } from '../reading.ts'
import { commandText, wordText } from './normal-form.ts'
import { nameProgram } from './program-name.ts'
import type { FoundCommand, LineSpan } from './scope.ts'

export interface CommandToPut {
  /** The program first. */
  readonly words: readonly ShellWord[]
  readonly through: readonly string[]
  readonly transparent: boolean
  readonly redirections: readonly Tie[]
  readonly doubts: readonly Doubt[]
  readonly span: LineSpan
  readonly folder: string | undefined
}

/** Nearly all lists are empty; they share this one. */
export const NONE: readonly never[] = []

export function foundCommand(finding: CommandToPut): FoundCommand {
  spendSteps(finding.words.length)
  const [first, ...words] = finding.words
  const name = first === undefined ? undefined : nameProgram(first)
  const program = name?.program
  const given = finding.redirections.flatMap((one) => (one.kind === 'text' ? one.expansions : []))
  const files = finding.redirections.filter(isFile)
  const input = finding.redirections.findLast((one): one is InputSource => one.kind === 'input')
  return {
    program,
    path: name?.path,
    words,
    text: programText(first, program, words),
    through: finding.through,
    transparent: finding.transparent,
    redirections: files.length === 0 ? NONE : files,
    ...(given.length === 0 ? {} : { given }),
    ...(input?.from === 'given' ? { input: 'given' } : {}),
    doubts: finding.doubts,
    start: finding.span.start,
    end: finding.span.end,
    folder: finding.folder,
  }
}

function isFile(one: Tie): one is Redirection {
  return one.kind === 'read' || one.kind === 'write'
}

export function programText(
  first: ShellWord | undefined,
  program: string | undefined,
  words: readonly ShellWord[],
): string {
  const shown = program === undefined ? (first === undefined ? '' : wordText(first)) : quoteProgram(program)
  return commandText(shown, words)
}
