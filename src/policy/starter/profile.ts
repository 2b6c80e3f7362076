/**
 * What is known of a program: which of its invocations only read, and which destroy beyond repair. One JSON file a
 * program, in `programs/`. Everything that a profile does not name is left to the lists, the rules and the mode.
 *
 * An invocation only reads if its sub-command is named, every option of it is named, every option's value and every
 * argument is of the kind that is named, and every path among them leads into a root. Options are named, never
 * excluded: a program's next version may bring one that writes.
 */
import type { PlainCode } from '../../core/reasons/reason-of.ts'

export interface Profile {
  /** The program's name, or the names under which the same program is called. */
  programs: string[]
  /** What it does, and what makes the unnamed rest of it dangerous: one or two sentences for people. */
  why: string
  /**
   * What it can do besides reading, for messages and for the width of grants: `code` runs what it is given (an
   * interpreter, a build tool, a package manager).
   */
  can?: Power[]
  /**
   * The invocation without a sub-command; of several, one must fit. Absent: never known to only read. Where there
   * are `commands` it must say what its `arguments` are.
   */
  reads?: Invocation | Invocation[]
  /** By the word of the sub-command, or several words with spaces between; of several invocations, one must fit. */
  commands?: Record<string, Invocation | Invocation[]>
  /** Options that may stand before the sub-command. */
  before?: Record<string, ValueKind>
  /**
   * Options with which it only prints help, whatever the sub-command before is: `docker rm --help`, and for one of a
   * group that is named here `docker volume rm --help`. Not for programs that hand them on to something they run.
   */
  help?: string[]
  /** Options that several invocations have in common, by a name that they list in `uses`. */
  sets?: Record<string, Record<string, ValueKind>>
  /**
   * No option of it does more than shape what it prints, so that a wildcard may stand first in a word: `*.ts` may
   * come to a file whose name is an option.
   */
  anyOptionReads?: boolean
  /**
   * Sub-commands that change things without running what they are given, so that a grant may cover them with other
   * arguments although the program as a whole can do more.
   */
  shapes?: string[]
  /**
   * Invocations that may print passwords, keys or tokens. It is for the sentence that people read, and vouches for
   * nothing: what is named in `reads` and `commands` must print none, whatever stands here.
   */
  reveals?: Revelation[]
  /** Invocations that nothing repairs. They are denied whatever else they are. */
  destroys?: Destruction[]
  /**
   * What its options are called and what some of them do, also of invocations that do more than read. A deny or an ask
   * finds an option by any of its names; what an option writes, runs or deletes is judged by itself.
   */
  options?: ProgramOptions
}

export interface ProgramOptions {
  /** They are those of another program. */
  like?: string
  /**
   * Options with `, ` between, the names of each with spaces between: `-r -R --recursive, -f --force`. A `=` at the end: it
   * takes a value, glued or the next word. `[=]`: only a glued one. `?`: the next word or none. `;`: the words up to a `;`. A name with a value is the option with just that one:
   * `-9 -KILL -s=KILL`.
   */
  names?: string[]
  /** Options that stand for several others: `-D` of `git branch` is `--delete --force`. */
  means?: Record<string, string>
  /** What an argument that begins so stands for: `+main` of `git push` is `--force`. */
  prefixes?: Record<string, string>
  styles?: OptionStyle[]
  /**
   * Options whose value is a file or folder that is written, with spaces between. One without a value writes into the
   * folder of the command, or into that which the option `into` names.
   */
  writes?: string
  /** The same, where one of others is there too: `-f` of `tar` writes with `-c`. */
  writesWith?: Record<string, string>
  into?: string
  /** Options that give another machine a folder of this one to write into: `-v /x:/y`. */
  mounts?: string
  /** Options whose value is a command line, or the name of a program, that is run. */
  runs?: string
  /** Its arguments are a command that it runs, or a text for a shell: `git bisect run`, `git submodule foreach`. */
  executes?: 'words' | 'script'
  /** Its first argument is a program that it runs, or the value of this option is: `npx eslint`, `python -m pytest`. */
  starts?: string
  /** The program that reads what stands behind two dashes: `cargo rustc -- -C opt-level=3`. */
  passes?: string
  /** Options whose value is a setting that may name a program, and by an expression the settings that name none. */
  settings?: Record<string, string>
  /**
   * Options whose value is code that is loaded, or settings that name some, and by an expression the values that are none.
   * An allow of the program is none for these, unless it names them.
   */
  loads?: Record<string, string>
  /** Options whose value is a text that names no file: the message of a commit. */
  texts?: string
  /** Options whose value names what is left out, and those of which it does behind a `!`. No such file is opened. */
  excludes?: string
  negates?: string
  /** Options that delete what the command does not name one by one. */
  deletes?: string
  /** Options with which the arguments are files that are changed in place; `always` where no option is needed. */
  changes?: string
  /** With one of these nothing is changed after all. */
  unless?: string
  /** The first argument is no file, unless one of these options is there: the script of `sed`. */
  script?: string
  /** By the word of the sub-command, or several with spaces between. */
  commands?: Record<string, ProgramOptions>
}

/**
 * - `words`: an option is one dash and a whole word, as in `find -name`; `--name` is the same. Nothing is bundled.
 * - `bare`: the letters of the first word are options without a dash too: `tar xf`, `ps aux`.
 * - `assignments`: `name=value` is an option: `dd if=x`.
 * - `first`: behind the first argument nothing is an option: `ssh host ls -l`.
 * - `plus`: a word that begins with `+` is an option: `cargo +nightly build`.
 * - `none`: nothing is an option.
 * - `late`: options of a sub-command may stand before it.
 * - `nopt`: options of the program are read wherever they stand, with any number of dashes and with `no-` before them.
 * - `anycase`: their names are read in upper and lower case alike.
 */
export type OptionStyle =
  | 'words'
  | 'bare'
  | 'assignments'
  | 'first'
  | 'plus'
  | 'none'
  | 'nopt'
  | 'late'
  | 'anycase'

/** The reasons for which a command is denied as one that destroys. */
export type DestructionCode = Extract<PlainCode, `destroys.${string}`>

export type Power = 'write' | 'delete' | 'code' | 'network' | 'privilege'

export interface Invocation {
  /**
   * By the option as it is written, or several with spaces between: `-n --max-count`. Also words without a dash that
   * may stand anywhere (`(` and `!` of `find`). `-NUMBER` is a dash and digits, as in `head -5`. The value is what
   * each of the options takes.
   */
  options?: Record<string, ValueKind>
  /** The sets of the profile whose options are named too. */
  uses?: string[]
  /** At least one of these options must be there, before any argument: `tar` only reads with `-t`. */
  needs?: string[]
  /** Options are options wherever they stand, on every system, so that `needs` may be met behind an argument too. */
  optionsAnywhere?: boolean
  /**
   * What the arguments are, in order; the last one stands for all that follow when `rest` is true. Absent: any number
   * of paths. An empty list: none may be given. Fewer may always be given.
   */
  arguments?: ArgumentKind[]
  rest?: boolean
  /**
   * Sub-commands of the sub-command, as in the profile. Where there are some, one of them must be given, unless
   * `arguments` says what else may be.
   */
  commands?: Record<string, Invocation | Invocation[]>
  /** `-la` is `-l -a`, `-n5` is `-n 5`. True unless said otherwise. */
  bundles?: boolean
  /** Options with one dash and a whole word, as in `find -name`, `go -json`; nothing is bundled then. */
  singleDash?: boolean
  /** Behind the first argument nothing is an option: `xxd a -p` writes a file named `-p`. */
  optionsFirst?: boolean
  /** After `--` everything is an argument. True unless said otherwise. */
  dashes?: boolean
  /** Nothing is an option: every word is an argument, whatever it begins with (`echo`). */
  literal?: boolean
  /**
   * At a terminal it is shown by a pager, from which commands can be run: it is vouched for only where the tool is
   * known to have no terminal.
   */
  pages?: boolean
}

/** `flag`: none. `optional`: text, only glued, as in `--color=auto`. Others: glued or the next word. */
export type ValueKind = 'flag' | 'optional' | ArgumentKind

/**
 * - `path`: a file or folder, which must lead into a root. Also for what may be a revision or a path. `-` is fine.
 * - `local`: a path without a colon, for programs that take `host:path` for another machine.
 * - `text`: anything, it is only compared or printed.
 * - `any`: text, also one word whose value is known only when the line runs. As the value of an option it may be any
 *   such word that has no part of a variable in it. As an argument it must be a whole variable or what a command prints, in double quotes.
 * - `number`: digits with a sign, a unit, a range or a list.
 * - `word`: letters, digits and `_.,:@+/-` without a leading dash and without `..` (a revision, a name).
 * - `name`: a word without `/`.
 * - `format`: text that begins with `+`, as in `date +%s`.
 * - `script:…`: a small program in the tool's own language, checked by the matcher of that name.
 * - `command`: the words up to `;` or `+` (or the end), a command that the reading of the line judges by itself.
 * - `one of a|b|c`: one of these words.
 * - `list of a|b|c`: some of these words with commas between, each with a width or a heading (`pid=`, `comm:20`).
 * - `like a|b.*`: one of these words, a star for letters, digits, `_` and `-`.
 * - `keys`: steps into a document and nothing else: `.services.web[0]`.
 * - `template of .A|.B`: a template of Go's that shows these fields and what is in them, and no other.
 */
export type ArgumentKind =
  | 'path'
  | 'local'
  | 'text'
  | 'any'
  | 'number'
  | 'word'
  | 'name'
  | 'format'
  | 'command'
  | `script:${'sed' | 'awk' | 'jq'}`
  | 'keys'
  | `${'one' | 'list' | 'template'} of ${string}`
  | `like ${string}`

/** All that is named must hold; nothing named: every invocation. */
export interface Revelation {
  /** The words after the program, without its options. */
  command?: string[]
  /** One of these is among the options. */
  options?: string[]
  /** There is no word after the program. */
  bare?: boolean
}

/** All that is named must hold. */
export interface Destruction {
  /** Each of these must be among the options, in one of its spellings. */
  options?: string[][]
  /** No other option is there: `find / -delete`, but not with a `-name` between. */
  alone?: boolean
  /** The words right after the program. */
  command?: string[]
  /** At least one argument is one of these. `vital`: the root, a home folder, a system's folder. `device`: a whole disk. */
  argument?: 'vital' | 'device' | 'any'
  /** What stands before the argument in its word: `of=` of `dd`. */
  prefix?: string
  why: DestructionCode
}
