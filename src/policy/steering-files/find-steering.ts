/**
 * Which file of the list a path is, and whether a rule's pattern names it. Names are compared without regard to case,
 * since some file systems don't tell `.NPMRC` from `.npmrc`, and without what Windows and macOS take away from a name.
 */
import { spendSteps } from '../steps.ts'
import type { SteeringGroup } from './steering-group.ts'
import { STEERING_GROUPS } from './steering-groups.ts'

export interface Steering {
  readonly group: SteeringGroup
  /** The names in the path by which it is one: `.github`, `workflows`. */
  readonly names: readonly string[]
  /** The same as the list writes them, for people. */
  readonly written: readonly string[]
  /** A folder with all that is in it, and not one file. */
  readonly isFolder: boolean
}

interface SteeringEntry {
  readonly group: SteeringGroup
  readonly atTop: boolean
  readonly isFolder: boolean
  readonly written: readonly string[]
  readonly fits: readonly ((name: string) => boolean)[]
}

/** By the first name where that is fixed, so that a path is compared with few of them. */
const byName = new Map<string, SteeringEntry[]>()
/** Where the first name has a wildcard: by its first two letters, and those that begin with the wildcard. */
const byBeginning = new Map<string, SteeringEntry[]>()
const others: SteeringEntry[] = []

for (const group of STEERING_GROUPS) {
  for (const file of group.files) {
    const atTop = file.startsWith('^/')
    const isFolder = file.endsWith('/**')
    const written = file
      .replace(/^\^\//, '')
      .replace(/\/\*\*$/, '')
      .split('/')
    const fits = written.map((name) => compileName(name.toLowerCase()))
    const entry = { group, atTop, isFolder, written, fits }
    const first = (written[0] ?? '').toLowerCase()
    const begin = /^[^*<]{2}(?=.*[*<])/.exec(first)?.[0]
    if (begin !== undefined) byBeginning.set(begin, [...(byBeginning.get(begin) ?? []), entry])
    else if (/[*<]/.test(first)) others.push(entry)
    else byName.set(first, [...(byName.get(first) ?? []), entry])
  }
}

/**
 * The groups that a path belongs to, by the names in it; the first is the one to tell people of. `roots` say where a top
 * is; a path that is relative is taken to begin there.
 */
export function findSteering(path: string, roots: readonly string[] = []): Steering[] {
  const names = namesIn(path)
  spendSteps(names.length * (2 + others.length))
  const root = roots.find((one) => path === one || path.startsWith(one.endsWith('/') ? one : `${one}/`))
  const beginning = /^[\\/~]/.test(path) ? undefined : 0
  const top = root === undefined ? beginning : namesIn(root).length
  const found: Steering[] = []
  for (let at = 0; at < names.length; at++) {
    for (const entries of [byName.get(names[at]!), byBeginning.get(names[at]!.slice(0, 2)), others]) {
      for (const entry of entries ?? []) {
        if (entry.atTop && at !== top) continue
        if (!isAt(entry, names, at) || found.some(({ group }) => group === entry.group)) continue
        const { group, written, fits, isFolder } = entry
        found.push({ group, written, isFolder, names: names.slice(at, at + fits.length) })
      }
    }
  }
  return found
}

/** Whether it is one by a folder, whatever the file in it is called. */
export function isWholeFolder({ isFolder, written }: Steering): boolean {
  return isFolder || ANY_NAME.test(written.at(-1)!)
}

const ANY_NAME = /^(?:<plain>|\*)$/

function isAt({ fits, isFolder }: SteeringEntry, names: readonly string[], at: number): boolean {
  const end = at + fits.length
  if (end > names.length || (!isFolder && end !== names.length)) return false
  return fits.every((isName, index) => isName(names[at + index]!))
}

/** Whether the pattern of a rule names the file or its folder, and does not merely reach it by a wildcard. */
export function isNamedBy(pattern: string, { names, written, isFolder }: Steering): boolean {
  const steps = namesIn(pattern.replace(/^~\//, ''))
  return steps.some((_, at) => {
    // A folder by the name of the file is not the file.
    if (!isFolder && at + names.length !== steps.length) return false
    return names.every((name, index) => {
      const step = steps[at + index]
      const listed = written[index]!.toLowerCase()
      if (step === undefined) return false
      // Any file of a folder that is named.
      if (index > 0 && ANY_NAME.test(listed)) return true
      return step === name || step === listed || isBeginning(step, listed)
    })
  })
}

/** Where the list itself has a wildcard, what stands before it is the name: `.eslintrc*` names `.eslintrc.*`. */
function isBeginning(step: string, written: string): boolean {
  const fixed = written.slice(0, Math.max(0, written.search(/[*<]/))).replace(/[.-]$/, '')
  return fixed !== '' && step.startsWith(fixed)
}

/** A dot or a space at the end of a name, and what follows a colon, is nothing on Windows; some marks are nothing on macOS. */
function namesIn(path: string): string[] {
  return path
    .slice(-LONGEST_PATH)
    .normalize('NFKC')
    .replace(/[\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u00ad]/g, '')
    .toLowerCase()
    .split(/[\\/]+/)
    .map((name) => (/^\.{1,2}$/.test(name) ? name : withoutEnding(name)))
    .filter((name) => name !== '' && name !== '.')
}

/** No system takes a longer path; what could still be opened is its end, if anything. */
const LONGEST_PATH = 32_768

function withoutEnding(name: string): string {
  const colon = name.indexOf(':', 1)
  if (colon !== -1) return name.slice(0, colon)
  let end = name.length
  while (end > 1 && (name[end - 1] === '.' || name[end - 1] === ' ')) end--
  return name.slice(0, end)
}

function compileName(written: string): (name: string) => boolean {
  if (written === '<plain>') return (name) => /^(?:\.?[^.]+)$/.test(name)
  if (!written.includes('*')) return (name) => name === written
  const pieces = written.split('*')
  const first = pieces[0]!
  const last = pieces.at(-1)!
  const inner = pieces.slice(1, -1)
  return (name) => {
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last))
      return false
    let at = first.length
    for (const piece of inner) {
      const found = name.indexOf(piece, at)
      if (found === -1) return false
      at = found + piece.length
    }
    return at <= name.length - last.length
  }
}
