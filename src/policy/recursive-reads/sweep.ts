/**
 * A command or a tool that reads all that is below a folder, and what of it is left out for certain: by its options, or
 * because the program passes over hidden files. What can't be shown to be left out is read.
 */
import { namesMeet } from '../matchers/wildcard-meets.ts'

export interface Sweep {
  /** The folders, as they are written; from the folder that the command runs in. */
  readonly roots: readonly string[]
  /** Whether files and folders whose names begin with a dot are read too. */
  readonly hidden: boolean
  /** Only files whose names fit one of these; none: all. */
  readonly includes: readonly string[]
  /** Neither files nor folders whose names fit one of these; with a slash before it, only right below the root. */
  readonly excludes: readonly string[]
  readonly excludedFiles: readonly string[]
  /** Only what is in the repository, where nothing of ours is. */
  readonly trackedOnly: boolean
  /** Only the files in the folders themselves, and none of what lies in folders there. */
  readonly shallow: boolean
  /** Whether it passes over what ripgrep's ignore files name, whatever else it is told. */
  readonly honoursIgnores: boolean
}

/** More than anyone writes. What is left out by further ones is taken to be read. */
export const MAX_GLOBS = 64

export function sweep(roots: readonly string[], more: Partial<Omit<Sweep, 'roots'>> = {}): Sweep {
  const includes = [...new Set(more.includes)]
  return {
    hidden: true,
    trackedOnly: false,
    shallow: false,
    honoursIgnores: false,
    ...more,
    roots: [...new Set(roots)],
    includes: includes.length > MAX_GLOBS ? ['*'] : includes,
    excludes: [...new Set(more.excludes)].slice(0, MAX_GLOBS),
    excludedFiles: [...new Set(more.excludedFiles)].slice(0, MAX_GLOBS),
  }
}

/** The same, but for what is right below the folders and begins with a dot. */
export function withoutHidden(one: Sweep): Sweep {
  return { ...one, excludes: [...one.excludes, '/.*'] }
}

/** Whether it passes over our folder or file at these names below the root, and all that is in it. */
export function sparesOwn(one: Sweep, names: readonly string[], isFolder: boolean): boolean {
  if (one.trackedOnly || isPassedOver(one, names)) return true
  if (one.shallow && names.length > 0 && (isFolder || names.length > 1)) return true
  const last = names.at(-1) ?? ''
  if (!isFolder) return !isIncluded(one, last)
  const { includes } = one
  return includes.length > 0 && includes.every((glob) => SOURCES.test(glob))
}

/** Nothing that Banksman writes into its folders has one of these endings. */
const SOURCES =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kts?|cc?|hh?|[ch]pp|cs|php|swift|scala|sh|s?css|less|html?|vue|svelte|sql|mdx?|rst|graphql|proto|dart|lua|ex|exs|hs)$/

/** The same for what a pattern names below the root. Its names may have wildcards in them. */
export function sparesDenied(one: Sweep, names: readonly string[], isDeep: boolean): boolean {
  if (isPassedOver(one, names)) return true
  const plain = names.filter((name) => name !== '**')
  if (one.shallow && plain.length > (isDeep ? 0 : 1)) return true
  const last = plain.at(-1) ?? '*'
  // A name with a dot is that of a file: `.env`, `*.pem`. Another may be that of a folder, with anything in it.
  const isFile = one.shallow || (!isDeep && last.includes('.'))
  return isFile && !isIncluded(one, last)
}

function isPassedOver({ hidden, includes, excludes }: Sweep, names: readonly string[]): boolean {
  return names.some((name, index) => {
    if (name === '' || /[*?]/.test(name)) return !hidden && /^\.[^*?]/.test(name) && !isWanted(includes, name)
    const isLeftOut = (glob: string) =>
      glob.startsWith('/') ? index === 0 && fitsGlob(glob.slice(1), name) : fitsGlob(glob, name)
    if (excludes.some(isLeftOut)) return true
    return !hidden && name.startsWith('.') && !isWanted(includes, name)
  })
}

/** What is asked for by name is read although it is hidden. */
function isWanted(includes: readonly string[], name: string): boolean {
  return includes.some((glob) => namesMeet(glob, name))
}

function isIncluded({ includes, excludedFiles }: Sweep, name: string): boolean {
  // Of a file that fits both, the order of the options decides.
  if (includes.length === 0 && !/[*?]/.test(name) && excludedFiles.some((glob) => fitsGlob(glob, name)))
    return false
  return includes.length === 0 || isWanted(includes, name)
}

/** For certain: a set or a brace in the pattern is taken for fitting nothing. */
function fitsGlob(glob: string, name: string): boolean {
  return !/[[\]{}()\\]/.test(glob) && namesMeet(glob, name)
}

/** The last names of globs, with braces written out: what a file must be called. Undefined where that is anything. */
export function fileNamesOf(globs: readonly string[]): string[] {
  return globs.flatMap((glob) => {
    const last = glob.replace(/\/+$/, '').slice(glob.replace(/\/+$/, '').lastIndexOf('/') + 1)
    const braces = /^([^{}]*)\{([^{}/]*)\}([^{}]*)$/.exec(last)
    if (braces === null) return [/[{}]/.test(glob) ? '*' : last === '**' ? '*' : last]
    const [, before = '', choices = '', after = ''] = braces
    return choices.split(',').map((choice) => before + choice + after)
  })
}

/** Without `/`, `/*` and `/**` at its end, as many as there are. */
function withoutEnd(glob: string): string {
  let end = glob.length
  for (;;) {
    const ending = ['/', '/*', '/**'].find((one) => glob.endsWith(one, end))
    if (ending === undefined) return glob.slice(0, end)
    end -= ending.length
  }
}

/** What an exclusion names: `x/**` and `**\/x` are `x`, `./x` is `/x`; a path of several names is none that counts here. */
export function excludedNames(globs: readonly string[]): string[] {
  return globs
    .map((glob) =>
      withoutEnd(glob)
        .replace(/^(?:\*\*?\/)+/, '')
        .replace(/^\.?\/+/, '/'),
    )
    .filter((glob) => /^\/?[^/]+$/.test(glob))
}
