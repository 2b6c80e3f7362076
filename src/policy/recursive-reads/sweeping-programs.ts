/**
 * The programs that read all that is below a folder, with what they leave out: searchers, packers and copiers. Those
 * that only tell names (`ls -R`, `du`, `find -name`) are none of them.
 */
import { eachNamed } from '../../core/support/each-named.ts'
import { sourcesIn } from '../shell/effects/file-arguments.ts'
import { lineOf, subCommandsOf } from '../shell/options/command-line.ts'
import { type CommandOptions, optionsIn, readWritten } from '../shell/options/read-options.ts'
import { foundBelow } from '../shell/paths/pathspecs.ts'
import type { ShellCommand, ShellWord } from '../shell/reading.ts'
import { spendSteps } from '../steps.ts'
import { excludedNames, fileNamesOf, type Sweep, sweep } from './sweep.ts'
import { sweepOfDiff } from './sweep-of-diff.ts'
import { sweepOfFind } from './sweep-of-find.ts'
import { pathsOf } from './word-paths.ts'

/** `feeds`: what the command prints is given to others as words, so that names become files that are read. */
export function sweepOf(command: ShellCommand, feeds: boolean): Sweep | undefined {
  const look = command.program === undefined ? undefined : PROGRAMS.get(command.program)
  if (look === undefined) return undefined
  // Each asks for some options and for the arguments.
  spendSteps(4 * command.words.length)
  return look(command, feeds)
}

type FindSweep = (command: ShellCommand, feeds: boolean) => Sweep | undefined

const PROGRAMS: ReadonlyMap<string, FindSweep> = new Map<string, FindSweep>([
  ...eachNamed('grep egrep fgrep ggrep rgrep pcregrep pcre2grep zgrep bzgrep xzgrep zstdgrep', grep),
  ...eachNamed('ugrep ug', ugrep),
  ...eachNamed('rg rga', rg),
  ...eachNamed('ag pt sift', ag),
  ...eachNamed('ack ack-grep', ack),
  ...eachNamed('find gfind', sweepOfFind),
  ...eachNamed('fd fdfind', fd),
  ...eachNamed('tar gtar bsdtar', tar),
  ...eachNamed('cp gcp scp', copier),
  ['rsync', rsync],
  ['zip', zip],
  ...eachNamed('7z 7za 7zz 7zr rar', sevenZip),
  ...eachNamed('diff colordiff gdiff', sweepOfDiff),
  ['git', git],
  ...eachNamed('gzip gunzip pigz bzip2 xz zstd', packer),
  ['pax', pax],
  ['jar', jar],
  ...eachNamed('python python3', pythonModule),
  ...eachNamed('aws gsutil gcloud rclone docker podman kubectl oc', carrier),
])

/** The first argument is what is searched for, unless an option says it. */
function searched(options: CommandOptions, ...says: string[]): string[] {
  const paths = pathsOf(options.has(...says) ? options.arguments : options.arguments.slice(1))
  const none = options.arguments.length <= (options.has(...says) ? 0 : 1)
  return none ? ['.'] : paths
}

function grep({ program = '', words }: ShellCommand): Sweep | undefined {
  const options = readWritten('grep', words)
  const recurses =
    program === 'rgrep' ||
    options.has('-r', '-R', '--recursive', '--dereference-recursive') ||
    options.values('--directories').some((value) => 'recurse'.startsWith(value))
  if (!recurses) return undefined
  return sweep(searched(options, '-e', '-f', '--regexp', '--file'), filters(options))
}

function filters(options: CommandOptions): Pick<Sweep, 'includes' | 'excludes' | 'excludedFiles'> {
  return {
    includes: fileNamesOf(options.values('--include')),
    // `grep` compares names, and says little of what a slash means to it.
    excludes: excludedNames(options.values('--exclude-dir')).filter((name) => !name.startsWith('/')),
    excludedFiles: options.values('--exclude'),
  }
}

const UGREP_VALUES = new Set(['-g', '--glob', '-t', '-O'])

function ugrep({ program = '', words }: ShellCommand): Sweep | undefined {
  const options = readWritten('grep', words, UGREP_VALUES)
  const roots = searched(options, '-e', '-f', '--regexp', '--file')
  const recurses = program === 'ug' || options.has('-r', '-R', '-S', '--recursive') || roots[0] === '.'
  const hidden = options.has('-.', '--hidden')
  return recurses ? sweep(roots, { ...filters(options), hidden }) : undefined
}

function rg({ words }: ShellCommand, feeds: boolean): Sweep | undefined {
  const options = readWritten('rg', words)
  const tellsNames = options.has('--files')
  if (options.has('--type-list', '--version', '-V', '--help') || (tellsNames && !feeds)) return undefined
  const globs = options.values('-g', '--glob', '--iglob')
  const lastWanted = globs.findLastIndex((glob) => !glob.startsWith('!'))
  const ignores = words.some(({ value }) => /^--no-ignore|^-[a-zA-Z]*u|^--unr/.test(value ?? ''))
  return sweep(tellsNames ? allOr(options.arguments) : searched(options, '-e', '-f', '--regexp', '--file'), {
    hidden: ignores || options.has('-.', '--hidden'),
    includes: [
      ...fileNamesOf(globs.filter((glob) => !glob.startsWith('!'))),
      ...typesOf(options.values('-t', '--type')),
    ],
    // The last glob that fits decides.
    excludes: excludedNames(globs.slice(lastWanted + 1).map((glob) => glob.slice(1))),
  })
}

function allOr(words: readonly ShellWord[]): string[] {
  return words.length === 0 ? ['.'] : pathsOf(words)
}

/** Types whose files all have endings of source code. Of others it is not said which files they are. */
export function typesOf(types: readonly string[]): string[] {
  const known = types.filter((type) =>
    /^(?:ts|js|py|rust|go|java|c|cpp|ruby|php|css|html|swift|kotlin|csharp)$/.test(type),
  )
  return known.length === types.length ? known.map(() => '*.ts') : []
}

/** Of those that are like `ag` and have no row. */
const AG_VALUES = new Set('-G --ignore --ignore-dir -A -B -C -m -p --depth'.split(' '))

function ag({ program = '', words }: ShellCommand, feeds: boolean): Sweep | undefined {
  const options = readWritten(program, words, AG_VALUES)
  if (options.has('-g', '--list-file-types', '--version') && !feeds) return undefined
  return sweep(searched(options), {
    hidden: options.has('-u', '--unrestricted', '--hidden'),
    excludes: excludedNames(options.values('--ignore', '--ignore-dir')),
  })
}

function ack({ words }: ShellCommand, feeds: boolean): Sweep | undefined {
  const options = readWritten('ack', words)
  if (options.has('-f', '-g', '--help-types', '--version') && !feeds) return undefined
  return sweep(searched(options, '--match'), { excludes: excludedNames(options.values('--ignore-dir')) })
}

const NAMES_ONLY = /^(?:echo|ls|printf|stat|basename|dirname|realpath|readlink|true|test|du|touch)$/

function fd({ words }: ShellCommand, feeds: boolean): Sweep | undefined {
  const at = words.findIndex(({ value }) => /^(?:-x|-X|--exec|--exec-batch)$/.test(value ?? ''))
  const runs = at !== -1 && !NAMES_ONLY.test(words[at + 1]?.value ?? '')
  if (!runs && !feeds) return undefined
  const options = readWritten('fd', at === -1 ? words : words.slice(0, at))
  return sweep(options.arguments.length > 1 ? pathsOf(options.arguments.slice(1)) : ['.'], {
    hidden: options.has('-H', '--hidden', '-u', '--unrestricted'),
    includes: options.values('-e', '--extension').map((ending) => `*.${ending.replace(/^\./, '')}`),
    excludes: excludedNames(options.values('-E', '--exclude')),
  })
}

function tar({ words }: ShellCommand): Sweep | undefined {
  const options = readWritten('tar', words)
  if (!options.has('--create', '--append', '--update')) return undefined
  const folders = options.values('--directory')
  const inside = (path: string) =>
    folders.length === 0 || /^[/~]/.test(path) ? [path] : folders.map((folder) => `${folder}/${path}`)
  // Which files a list names is not looked at.
  const listed = options.has('--files-from') ? ['.'] : []
  return sweep([...pathsOf(options.arguments), ...listed].flatMap(inside), {
    excludes: excludedNames(options.values('--exclude')),
  })
}

function copier({ program = '', words }: ShellCommand): Sweep | undefined {
  const options = readWritten(program === 'gcp' ? 'cp' : program, words)
  const recurses = options.has('-r', '-R', '-a', '--recursive', '--archive')
  return recurses ? sweep(pathsOf(sourcesIn(options))) : undefined
}

function rsync({ words }: ShellCommand): Sweep | undefined {
  const options = readWritten('rsync', words)
  if (!options.has('-r', '-a', '--recursive', '--archive')) return undefined
  // What is included before it is excluded is taken after all.
  const excludes = options.has('--include', '--filter', '-f', '-F') ? [] : options.values('--exclude')
  return sweep(pathsOf(options.arguments.slice(0, -1)), { excludes: excludedNames(excludes) })
}

function zip({ words }: ShellCommand): Sweep | undefined {
  const at = words.findIndex(({ value }) => value === '-x' || value === '--exclude')
  const options = readWritten('zip', at === -1 ? words : words.slice(0, at))
  if (!options.has('-r', '-R', '--recurse-paths')) return undefined
  const excludes = at === -1 ? [] : words.slice(at + 1).flatMap(({ value }) => value ?? [])
  return sweep(pathsOf(options.arguments.slice(1)), { excludes: excludedNames(excludes) })
}

function sevenZip({ words }: ShellCommand): Sweep | undefined {
  const given = words.filter(({ value }) => value?.startsWith('-') !== true)
  if (!/^[aum]$/.test(given[0]?.value ?? '')) return undefined
  return sweep(allOr(given.slice(2)))
}

function git(command: ShellCommand): Sweep | undefined {
  const { words } = command
  const found = foundBelow(command)
  const all =
    found === undefined ? undefined : sweep(found.roots, { includes: found.includes, trackedOnly: true })
  const line = lineOf(command)
  const sub = subCommandsOf(line, words).find(({ word }) => word.value === 'grep' || word.value === 'diff')
  if (sub === undefined) return all
  const before = new Set(words.slice(0, sub.at))
  const folder = line.options
    .flatMap(({ key, word, value = '' }) => (key === '-C' && before.has(word) ? value : []))
    .join('/')
  const options = optionsIn(line)
  if (sub.word.value === 'diff') {
    // Outside a repository it compares two folders without being told to, but then it has no other form.
    return options.has('--no-index') ? sweep(inFolder(folder, pathsOf(sub.operands))) : all
  }
  const paths = options.behindDashes.length === 0 ? ['.'] : pathsOf(options.behindDashes)
  return sweep([...inFolder(folder, paths), ...(found?.roots ?? [])], {
    trackedOnly: !options.has('--no-index', '--untracked'),
  })
}

function inFolder(folder: string, paths: readonly string[]): readonly string[] {
  return folder === '' ? paths : paths.map((path) => (path.startsWith('/') ? path : `${folder}/${path}`))
}

function packer({ program = '', words }: ShellCommand): Sweep | undefined {
  const options = readWritten(program, words)
  if (!options.has('-r', '--recursive')) return undefined
  return sweep(allOr(options.arguments))
}

const PAX_VALUES = new Set(['-b', '-f', '-s', '-x', '-o', '-p'])

function pax({ words }: ShellCommand): Sweep | undefined {
  const options = readWritten('pax', words, PAX_VALUES)
  return options.has('-w') ? sweep(allOr(options.arguments)) : undefined
}

function jar({ words }: ShellCommand): Sweep | undefined {
  const packs = words.some(({ value }, at) =>
    at === 0 ? /^-?[a-zA-Z]*[cu]/.test(value ?? '') : /^--(?:create|update)$/.test(value ?? ''),
  )
  return packs
    ? sweep(pathsOf(words.slice(1).filter(({ value }) => value?.startsWith('-') !== true)))
    : undefined
}

function pythonModule({ words }: ShellCommand): Sweep | undefined {
  const at = words.findIndex(({ value }) => value === '-m')
  if (!/^(?:zipfile|tarfile|zipapp)$/.test(words[at + 1]?.value ?? '')) return undefined
  return sweep(pathsOf(words.slice(at + 2).filter(({ value }) => value?.startsWith('-') !== true)))
}

/** Programs that carry whole folders to other machines and into containers. */
function carrier({ program = '', words }: ShellCommand): Sweep | undefined {
  const values = words.map(({ value = '' }) => value)
  const carries = values.some((value) => CARRIES[program]?.test(value) === true)
  if (!carries) return undefined
  const isWhole = program === 'aws' || program === 'gsutil' || program === 'gcloud'
  const recurses = values.some((value) => /^(?:-[a-zA-Z]*[rR]|--recursive|sync|rsync)$/.test(value))
  if (isWhole && !recurses) return undefined
  const paths = words.filter(({ value }) => value?.startsWith('-') !== true && !/^[\w.-]*:/.test(value ?? ''))
  return sweep(pathsOf(paths.filter(({ value }) => value === undefined || /[./~]/.test(value))))
}

const CARRIES: Readonly<Record<string, RegExp>> = {
  aws: /^s3$/,
  gsutil: /^(?:cp|mv|rsync)$/,
  gcloud: /^(?:cp|mv|rsync|scp)$/,
  rclone: /^(?:copy|copyto|sync|bisync|move|moveto|cat|serve)$/,
  docker: /^cp$/,
  podman: /^cp$/,
  kubectl: /^cp$/,
  oc: /^(?:cp|rsync)$/,
}
