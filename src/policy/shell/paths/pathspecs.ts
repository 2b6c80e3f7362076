/**
 * The words by which git is told files: `':(top).env'`, `'*.env'`, `'.en[v]'`, `':!x'`. Its own wildcards stand for slashes and for
 * dots too, and a word in quotes is one of its patterns all the same. Every operand counts, unless its sub-command takes none.
 */
import { kept } from '../../../core/support/kept.ts'
import { spendSteps } from '../../steps.ts'
import { lineOf } from '../options/command-line.ts'
import type { PathMention, ShellCommand, ShellWord } from '../reading.ts'
import { joinFolder } from './folder.ts'

interface Pathspec {
  /** Without the magic in front. */
  readonly path: string
  readonly hasMagic: boolean
  readonly fromTop: boolean
  /** It may come to anything below its folder: it says nothing more, or only what is left out. */
  readonly isAll: boolean
  readonly isWild: boolean
}

export interface Pathspecs {
  readonly specs: readonly Pathspec[]
  /** Words in the wildcards of a shell by which the same is found, as far as a `*` of these can stand for it. */
  readonly wild: readonly string[]
  /** Which files are meant stands in another file, or in attributes. */
  readonly areElsewhere: boolean
  /** What `-C` names; undefined where it is known only when the line runs. */
  readonly folder: string | undefined
}

const NONE: Pathspecs = { specs: [], wild: [], areElsewhere: false, folder: '' }

/** Of these the operands are names of other things. */
const TAKE_NO_PATHS = new Set(
  (
    'branch tag for-each-ref ls-remote config describe remote name-rev show-ref worktree fetch push pull clone init merge rebase ' +
    'cherry-pick revert switch notes replace bundle credential gc help hook maintenance bisect tag range-diff'
  ).split(' '),
)

const LISTS = /^--(?:pathspec-f(?:r(?:om?)?)?(?:om-(?:f(?:ile?)?)?)?|stdin)(?:=|$)/

export function pathspecsOf(command: ShellCommand): Pathspecs {
  return command.program === 'git' ? readPathspecs(command) : NONE
}

const readPathspecs = kept((command: ShellCommand): Pathspecs => {
  const { operands, depth, options } = lineOf(command)
  const name = depth === 0 ? undefined : operands[0]?.word.value
  const said = options.some(
    ({ key }) => key === '-e' || key === '-f' || key === '--regexp' || key === '--file',
  )
  const first = depth + (name === 'grep' && !said ? 1 : 0)
  const given = operands.filter(
    ({ behindDashes }, at) => behindDashes || (at >= first && !TAKE_NO_PATHS.has(name ?? '')),
  )
  const moves = options.filter((one) => one.name === '-C' && one.table.command('status') !== undefined)
  const folder = moves.reduce<string | undefined>(
    (at, { value }) => (at === undefined || value === undefined ? undefined : joinFolder(at, value)),
    '',
  )
  spendSteps(command.words.length + 4 * given.length)
  const specs = given.flatMap(({ word }) => (word.value === undefined ? [] : [readPathspec(word.value)]))
  return {
    specs,
    wild: [...new Set(specs.flatMap(wildWords))],
    areElsewhere: command.words.some(({ value = '' }) => LISTS.test(value) || /^:\(.*attr/.test(value)),
    folder,
  }
})

/** Magic is `:(top,icase)x`, or `:/x` and `:!x` with as many marks as anyone likes. */
function readPathspec(word: string): Pathspec {
  const [magic = '', long, short = ''] = /^:(?:\(([^)]*)\)|([!^/]*):?)/.exec(word) ?? []
  const leavesOut = long === undefined ? /[!^]/.test(short) : long.includes('exclude')
  const path = leavesOut ? '' : word.slice(magic.length)
  return {
    path,
    hasMagic: magic !== '',
    fromTop: long === undefined ? short.includes('/') : /top|prefix/.test(long),
    isAll: magic !== '' && path === '',
    isWild: WILD.test(path),
  }
}

const WILD = /[*?[\]\\]/

/** The top of the repository is the folder or one above it; nobody has looked which. */
const TOPS = ['', '..', '../..', '../../..']

/** What words with magic, or behind `-C`, find, as it would be written without these. */
export function spelledOut(command: ShellCommand): ShellWord[] {
  const { specs, folder = '' } = pathspecsOf(command)
  return specs
    .filter(({ hasMagic, isAll }) => (hasMagic || folder !== '') && !isAll)
    .flatMap(({ path, fromTop, isWild }) =>
      (fromTop ? TOPS : ['']).map((top) => {
        const value = [folder, top, path].filter((one) => one !== '').join('/')
        return { value, text: value, pattern: isWild }
      }),
    )
}

/** The folders and files that a word with magic is about: of what it only leaves out, all from the top. */
export function placesOfMagic(word: string): ShellWord[] {
  const { path, fromTop, isAll, isWild } = readPathspec(word)
  return (fromTop || isAll ? TOPS : ['']).map((top) => {
    const value = [top, path].filter((one) => one !== '').join('/') || '.'
    return { value, text: value, pattern: isWild }
  })
}

/** The paths that magic or `-C` hide from who looks at the words alone. */
export function pathspecMentions(command: ShellCommand): PathMention[] {
  const { specs, folder = '' } = pathspecsOf(command)
  return specs
    .filter(({ hasMagic }) => hasMagic || folder !== '')
    .flatMap((spec) => placesOf(spec, folder))
    .flatMap((place): PathMention[] => {
      const path = joinFolder(command.folder, place)
      return path === undefined ? [] : [{ path: path === '' ? '.' : path, access: 'unknown', text: place }]
    })
}

function placesOf({ path, fromTop }: Pathspec, folder: string): string[] {
  const start = path.slice(0, Math.max(path.lastIndexOf('/', firstWild(path)), 0))
  const named = WILD.test(path) ? start : path
  return (fromTop ? TOPS : ['']).map((top) => [folder, top, named].filter((one) => one !== '').join('/'))
}

function firstWild(path: string): number {
  const at = path.search(WILD)
  return at === -1 ? path.length : at
}

/** What the files that a pattern finds are called: what stands behind its last wildcard, which may stand for a slash. */
function endOf(path: string): string {
  let at = path.length
  while (at > 0 && !WILD.test(path.charAt(at - 1))) at--
  const end = path.slice(at)
  return (end.includes('/') ? end.slice(end.lastIndexOf('/') + 1) : `*${end}`).toLowerCase()
}

/** The folders that such words are looked for in, and the names that are asked for; undefined where all of them name files. */
export function foundBelow(command: ShellCommand): { roots: string[]; includes: string[] } | undefined {
  const { specs, folder = '' } = pathspecsOf(command)
  const open = specs.filter(({ isAll, isWild }) => isAll || isWild)
  if (open.length === 0) return undefined
  const ends = open.map(({ path }) => endOf(path))
  return {
    roots: open.flatMap((spec) => placesOf(spec, folder)).map((place) => (place === '' ? '.' : place)),
    includes: ends.includes('*') ? [] : ends,
  }
}

function wildWords({ path, fromTop, isWild }: Pathspec): string[] {
  if (!isWild) return []
  const words = [path, `${path.slice(0, firstWild(path))}*`, endOf(path)]
  return fromTop ? words.map((word) => `../${word}`) : words
}
