/** The paths that the arguments of a tool name, and the folders that its patterns start from. */
import { isProcessPath } from '../../core/process/process-path.ts'
import { valuesAt } from '../matchers/pointer.ts'
import type { JudgedCall } from '../policy.ts'
import { joinFolder, NOWHERE } from '../shell/paths/folder.ts'
import type { PathMention, ShellCommand } from '../shell/reading.ts'
import { spendSteps } from '../steps.ts'
import type { CatalogueEntry } from '../tools/catalogue.ts'
import { patchedFiles, readPatch } from '../tools/patch-headers.ts'

/** A tool that searches and was given no path works in the working folder. */
export function pathsOf(call: JudgedCall, entry: CatalogueEntry): { pointer: string; path: string }[] {
  const { glob } = entry
  if (entry.patches.length > 0) return [...named(call, entry.paths), ...patchedPaths(call, entry.patches)]
  if ((entry.paths.length === 0 && glob === undefined) || entry.kind === 'shell') return []
  const found = named(call, entry.paths)
  // One that takes a file and names none may take it from elsewhere, which nobody has looked at.
  const otherwise = glob === undefined ? NOWHERE : '.'
  const paths = found.length > 0 ? found : [{ pointer: entry.paths[0] ?? '', path: otherwise }]
  const base = paths[0]?.path ?? '.'
  for (const { pointer, value } of glob === undefined ? [] : valuesAt(call.arguments, glob)) {
    if (!isPath(value)) paths.push({ pointer, path: NOWHERE })
    else paths.push({ pointer, path: startOf(base, value, call.cwd) })
  }
  return paths
}

function named(call: JudgedCall, pointers: readonly string[]): { pointer: string; path: string }[] {
  return pointers
    .flatMap((pointer) => valuesAt(call.arguments, pointer))
    .map(({ pointer, value }) => ({ pointer, path: isPath(value) ? value : NOWHERE }))
}

/** The files of a patch in a shell line: those that its text names, and an unknown one where that is not all that can be told. */
export function patchedMentions(command: ShellCommand, line: string): PathMention[] {
  const { program, folder, words } = command
  if (!/^apply_?patch$/.test(program ?? '')) return []
  const [first] = words.flatMap(({ value }) => value ?? [])
  const text = words.length === 0 ? documentOf(command, line) : words.length === 1 ? first : undefined
  const read = text === undefined ? undefined : readPatch(text)
  spendSteps(1 + Math.ceil(line.length / CHARACTERS_A_STEP))
  const isSure = read !== undefined && folder !== undefined
  const seen = read ?? [line, text ?? ''].map((one) => one.replaceAll('\\n', '\n')).flatMap(patchedFiles)
  const files = new Set(seen.map((file) => file.replace(/["']$/, '')))
  spendSteps(64 * files.size)
  return [...files, ...(isSure ? [] : [NOWHERE])].flatMap((file): PathMention[] => {
    const path = file === NOWHERE ? NOWHERE : joinFolder(folder, file)
    return path === undefined ? [] : [{ path, access: 'write', text: file }]
  })
}

/** What stands behind `apply_patch <<'EOF'`, where the command is written so, or is all that a shell is given. */
function documentOf({ start, through }: ShellCommand, line: string): string | undefined {
  const [head, quote = '', mark = '', end] = DOCUMENT.exec(line.slice(start)) ?? []
  if (head === undefined || (quote === '') !== (through.length === 0)) return undefined
  const rest = line.slice(start + head.length - 1)
  const close = new RegExp(`\\n\\t*${end}(?=[\\n"']|$)`).exec(rest)
  const text = rest.slice(1, close?.index)
  const behind = close === null ? undefined : rest.slice(close.index + close[0].length)
  const isWhole = quote === '' ? /^(?:\n|$)/ : new RegExp(`^\\n?${quote}\\s*$`)
  // Without quotes the shell puts something else into it, and in that may be headers.
  const isFixed = (mark !== '' && quote !== '"') || !/[$`\\]/.test(text)
  return behind !== undefined && isWhole.test(behind) && isFixed ? text : undefined
}

const DOCUMENT =
  /^(?:(?:[\w/]*\/)?(?:ba|z)?sh -l?c (["']))?apply_?patch[ \t]*<<-?[ \t]*(["']?)(\w+)\2[ \t]*\n/

const CHARACTERS_A_STEP = 32

/** Each file of a patch has a pointer of its own, below the text that names it. */
function patchedPaths(call: JudgedCall, pointers: readonly string[]): { pointer: string; path: string }[] {
  const texts = pointers.flatMap((pointer) => valuesAt(call.arguments, pointer))
  if (texts.length === 0) return [{ pointer: pointers[0]!, path: NOWHERE }]
  return texts.flatMap(({ pointer, value }) => {
    const files = typeof value === 'string' ? readPatch(value) : undefined
    return (files ?? [NOWHERE]).map((path, at) => ({
      pointer: `${pointer}/${at}`,
      path: isPath(path) ? path : NOWHERE,
    }))
  })
}

/** No system takes a longer one, so nobody can say where it leads. */
const LONGEST_PATH = 4096

function isPath(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_PATH
}

/** Where a pattern starts from. One that goes through a process stays as it is: no folder above it says where it leads. */
function startOf(base: string, pattern: string, cwd: string | undefined): string {
  const isWhole = /^(?:[/~\\]|[a-z]:|file:)/i.test(pattern)
  const whole = isWhole ? pattern : `${base}/${pattern}`
  if (isProcessPath(whole, cwd)) return whole
  const start = beforeWildcards(pattern)
  if (isWhole || start === NOWHERE || base === '.') return start
  return start === '.' ? base : `${base}/${start}`
}

/** The folder that a pattern starts from: what follows may be any name. */
function beforeWildcards(pattern: string): string {
  const wildcard = pattern.search(/[*?[{!(\\]/)
  if (wildcard === -1) return pattern
  if (mayLeadElsewhere(pattern, wildcard)) return NOWHERE
  return pattern.slice(0, pattern.lastIndexOf('/', wildcard) + 1) || '.'
}

/**
 * A step up behind a wildcard, or one that wildcards may come to, leads to where nobody can say. So does a second pattern.
 * Braces of plain words and sets of plain letters stay within a name; others may hold a slash, a dot, or nothing at all.
 */
function mayLeadElsewhere(pattern: string, wildcard: number): boolean {
  const bare = pattern
    .replace(/\{\.?[\w-]+(?:(?:,\.?|\.,?)[\w-]+)*\}|\[(?:\w-\w|\w)+\]/g, 'x')
    .replace(/(?<=\w)\{[\w,-]*\}/g, '')
  return (
    pattern.includes('..', wildcard) ||
    /[{[(\\]/.test(bare) ||
    /[\s,;|:](?:[/~\\]|\.\.)/.test(pattern) ||
    bare.split('/').some((step) => /^\.(?![\w-]).*[*?]/.test(step))
  )
}
