/**
 * Paths that mean another file in each process: `/proc/self`, `/proc/thread-self`, `/proc/<number>`, what links there
 * (`/proc/mounts`, `/proc/net`, `/dev/fd`, `/dev/stdin`), and files by their number (`/.vol` of macOS). Whoever looks
 * such a path up learns where it leads for the one who looks, and not for the one who will use it: it is unknown.
 *
 * A path is taken for one if any step of it is there, by its text alone: with doubled slashes, `.` and `..`, as a
 * `file:` address with escapes, in capital letters, and where a wildcard may stand for a part of it. Links are for
 * whoever has a disk to look at.
 */

/** Where the path comes to such a place, and the names that follow. */
export interface ProcessStep {
  /** The names of the place: `['proc', 'self']`, `['dev', 'fd']`. */
  readonly place: readonly string[]
  readonly rest: readonly string[]
}

/** `base`: the folder in which a relative path is meant. Without one, it may be meant in any. */
export function isProcessPath(path: string, base?: string): boolean {
  return processStepIn(path, base) !== undefined
}

/** Most paths have nothing of this in them, and are done with at once. */
const WORTH_A_LOOK = /proc|dev|\.vol|[*?[{(%\\]|[^\x00-\x7f]/i

export function processStepIn(path: string, base?: string): ProcessStep | undefined {
  if (!WORTH_A_LOOK.test(path) && (base === undefined || !WORTH_A_LOOK.test(base))) return undefined
  const text = withoutScheme(path)
  const isAbsolute = text.startsWith('/')
  const isPlaced = !isAbsolute && base !== undefined && !text.startsWith('~')
  const names = [...(isPlaced ? withoutScheme(base).split('/') : []), ...text.split('/')]
  // A relative path may be meant from the top too, once enough steps lead up, or where its folder is not known.
  let fromTop = isAbsolute || (isPlaced ? base.startsWith('/') : !text.startsWith('~'))
  const stack: string[] = []
  for (const [index, name] of names.entries()) {
    if (name === '' || name === '.') continue
    if (name === '..') {
      if (stack.length === 0 || (stack.length === 1 && stack[0] === '~')) fromTop = true
      stack.pop()
      continue
    }
    stack.push(name)
    if (fromTop && isPlace(stack)) return { place: [...stack], rest: names.slice(index + 1) }
  }
  // The folder in which all processes are.
  return fromTop && stack.length === 1 && fold(stack[0]!) === 'proc'
    ? { place: ['proc'], rest: [] }
    : undefined
}

function isPlace(names: readonly string[]): boolean {
  const [first = '', second] = names
  if (names.length === 1) return fold(first) === '.vol'
  if (names.length !== 2 || second === undefined) return false
  return (
    (mayBeName(first, 'proc') &&
      (PROCESSES.some((name) => mayBeName(second, name)) || mayBeNumber(second))) ||
    (mayBeName(first, 'dev') && DESCRIPTORS.some((name) => mayBeName(second, name)))
  )
}

const PROCESSES = ['self', 'thread-self', 'mounts', 'net']
const DESCRIPTORS = ['fd', 'stdin', 'stdout', 'stderr']

const WILD = /[*?[{(\\]/

/** Whether a name, which may hold wildcards, may stand for the other: as far as the first wildcard both are alike. */
export function mayBeName(name: string, other: string): boolean {
  const folded = fold(name)
  const wild = folded.search(WILD)
  return wild === -1 ? folded === other : other.startsWith(folded.slice(0, wild).replace(/[@+!]$/, ''))
}

export function mayBeNumber(name: string): boolean {
  const folded = fold(name)
  const wild = folded.search(WILD)
  return wild === -1 ? /^\d+$/.test(folded) : /^\d*[@+!]?$/.test(folded.slice(0, wild))
}

/** Some file systems take capital and other forms of a letter for the same. */
function fold(name: string): string {
  return (/[^\x00-\x7f]/.test(name) ? name.normalize('NFKC') : name).toLowerCase()
}

/** `file:` addresses, with or without a host, as a path; whatever can't be decoded stays as it is. */
function withoutScheme(path: string): string {
  if (!/^file:/i.test(path)) return path
  const rest = path
    .slice('file:'.length)
    .replaceAll('\\', '/')
    .replace(/^\/\/[^/]*(?=\/)/, '')
  try {
    return decodeURIComponent(rest)
  } catch {
    return rest
  }
}
