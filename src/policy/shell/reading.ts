import type { Reason } from '../../core/reasons/reason.ts'
/**
 * What a shell line comes to: the commands that it would run, each in one normal form that every rule sees, allow
 * and deny alike, and what in it can't be vouched for. Nothing is run and nothing is looked up.
 *
 * What MUST hold
 * - Every command that the line could start is in `commands`: in lists, pipes, sub-shells, groups, loops, branches,
 *   functions, substitutions, here-documents, and inside what is looked through (`sudo`, `env`, `sh -c`, `xargs`,
 *   `find -exec`, …). A wrapper is there itself, and what it runs is there too.
 * - What is not understood is a doubt. A line with a doubt is never allowed by a rule about commands.
 * - It never throws, and the work is bounded before it is done (`parse/line-limits.ts`): by characters, words, commands, nesting.
 *   A line beyond that has the doubt `too long`; what was found until then is there, and so are programs that a loose
 *   search of the whole finds, so that a deny may still hold.
 */

export interface ShellReading {
  /** In the order in which they stand in the line; a wrapper comes before what it runs. */
  readonly commands: readonly ShellCommand[]
  /** Of the line as a whole and of every command in it. */
  readonly doubts: readonly Doubt[]
  /** Tests of the shell itself that tell a part of a variable, which may be a secret: `[[ $TOKEN == a* ]]`. */
  readonly tells?: readonly string[]
}

export interface ShellCommand {
  /** The program by its last name: `rm` for `/bin/rm`. Undefined where it is known only when the line runs. */
  readonly program: string | undefined
  /** The program as it was named, where that was by a path: `./build/rm`. */
  readonly path?: string | undefined
  /** What follows the program. Redirections and assignments are not among them. */
  readonly words: readonly ShellWord[]
  /**
   * The normal form: program and words, one space between, each quoted where a shell would need it, what has no fixed
   * value as it stands in the source. Reading it gives the same words again, so no two lists of words share it.
   * Patterns are compared with the values themselves, in `command-pattern.ts`.
   */
  readonly text: string
  /** What it was looked through, outermost first: `['sudo', 'env']`. */
  readonly through: readonly string[]
  /**
   * A wrapper that adds no power of its own (`env`, `nice`, `timeout`, `sh -c`, …): what it runs must be allowed, it
   * itself need not be. A deny still sees it. `sudo`, `xargs` and `find` are not transparent.
   */
  readonly transparent: boolean
  /** Its own, and those of the groups and wrappers around it. A line that is only redirections is a `:` with them. */
  readonly redirections: readonly Redirection[]
  /** The expansions in what it is given to read by `<<` and `<<<`, as they stand there. Absent where there are none. */
  readonly given?: readonly string[]
  /** Its input is in the line or in a file, or another command of a pipe writes it. Absent: it has that of the whole line. */
  readonly input?: 'given'
  readonly doubts: readonly Doubt[]
  /** Where it stands in the line; of an inner one, where the word stands that holds it. */
  readonly start: number
  readonly end: number
  /**
   * The folder it runs in: '' for that of the line, a path (relative to that, absolute, or from `~`) after a `cd` with
   * a fixed word that must have succeeded (`cd x && …`, `cd x || exit`), undefined where it is not known.
   */
  readonly folder: string | undefined
}

export interface ShellWord {
  /** As it stands in the source; `…` for words that come from elsewhere, as in `xargs rm`. */
  readonly text: string
  /**
   * What the program is given. Undefined where that is known only when the line runs. Wildcards stay in it, and so
   * does an unquoted `~` or `~/…`, which is the home folder where `text` begins with it too, and a mere name where not.
   */
  readonly value: string | undefined
  /** The shell may make any number of words of it: it has wildcards or braces, or is an expansion outside quotes. */
  readonly pattern: boolean
}

export interface Redirection {
  readonly kind: 'read' | 'write'
  /** The file. Undefined where it is known only when the line runs. `/dev/null` and descriptors are left out. */
  readonly target: string | undefined
  readonly text: string
}

/** What a `<<` or `<<<` gives is no file. Its expansions are what may be secret in it. */
export interface GivenText {
  readonly kind: 'text'
  readonly expansions: readonly string[]
}

/** Where input comes from, as the nearest redirection or pipe says: `line` is whoever started the line, or a terminal. */
export interface InputSource {
  readonly kind: 'input'
  readonly from: 'given' | 'line'
}

/** What the input and the output of a command are tied to. */
export type Tie = Redirection | GivenText | InputSource

export type DoubtKind =
  /** The parser found a mistake, or something has no end: a quote, a bracket, a here-document. */
  | 'unparsable'
  /** It would take too much time or memory to find out what it runs. */
  | 'too long'
  /** NUL, CR or another control character that shells, terminals and people read differently. */
  | 'control character'
  /** Which program runs is known only when the line runs: `$X`, `$(which rm)`, a wildcard. */
  | 'unknown program'
  /** A path to a program outside the system's own folders: anyone may have put it there. */
  | 'program by path'
  /** A variable is set for a command or for those that follow: `PATH=`, `LD_PRELOAD=`, `GIT_SSH=`, `export X=`. */
  | 'assignment'
  /** Code in another language, or a shell's, that is not looked into: `python -c`, `eval "$x"`, `bash script`, `. file`. */
  | 'inline code'
  /** An expansion that runs or rewrites code: `${v@P}`, `${!v}`, arithmetic on unknown text. */
  | 'expansion'
  /** A connection that the shell itself opens: `< /dev/tcp/host/80`. */
  | 'connection'
  /** The line changes what names mean: `alias`, a function with the name of a program, `hash -p`, `enable`, `trap`. */
  | 'redefinition'
  /** A wrapper that is not followed: options that are not known, or words that come from elsewhere. */
  | 'unknown wrapper'

export interface Doubt {
  readonly kind: DoubtKind
  /** What it is about, as it stands in the source; shortened where it is long. */
  readonly text: string
  readonly reason: Reason
  readonly start: number
  readonly end: number
}

/** A file or folder that a command names. */
export interface PathMention {
  /** Absolute, or relative to the folder of the line; `~` stands for the home folder. Wildcards are cut off at their folder. */
  readonly path: string
  readonly access: 'read' | 'write' | 'unknown'
  /** The word it comes from, as it stands in the source; of a redirection, its target. */
  readonly text: string
}
