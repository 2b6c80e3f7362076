/**
 * Words that are known only when the line runs, but of which it is known what they can be: the command in `$(…)` never
 * prints anything else. That command is judged by itself too. Whatever is not spelled out here is not known.
 */
import type { ShellCommand, ShellWord } from '../shell/reading.ts'

/** One number, never nothing. */
const NUMBER = /^"?\$\((?:id -[ug]|nproc|date \+%s)\)"?$/

/**
 * Hashes of commits, none or any number. Of the options only those are named that print nothing else: `--boundary`
 * puts a dash before a hash, `--objects` prints paths, and `--format` prints anything.
 */
const HASHES =
  /^"?\$\(git (?:rev-list|merge-base)(?: (?:--(?:all|branches|tags|remotes|reverse|no-merges|first-parent|max-count=\d+)|-n \d+|-\d+|[\w./@][\w./@~^-]*))+\)"?$/

/** Commands of git that take a hash for a commit, even where a file, perhaps a link, has that name. */
const TAKE_COMMITS = ['log', 'show', 'diff', 'grep', 'shortlog', 'rev-list']

export function isOneNumber(word: ShellWord): boolean {
  return NUMBER.test(word.text)
}

export function areCommits(word: ShellWord, { program, words }: ShellCommand): boolean {
  // Behind any other option it may be the value of that.
  const subCommand = words.find(({ value }) => value !== '--no-pager')?.value ?? ''
  return (
    program === 'git' &&
    TAKE_COMMITS.includes(subCommand) &&
    words.every(({ value }) => value !== '--no-index') &&
    HASHES.test(word.text)
  )
}

/** One word that is only compared as a whole: a part of a variable (`${X:0:1}`) would tell a secret letter by letter. */
export function isComparedWhole(word: ShellWord): boolean {
  return !word.pattern && /^"\$(?:\w+|\{\w+\}|\([^"$`\\]*\))"$/.test(word.text)
}
