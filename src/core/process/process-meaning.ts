/**
 * What a path through a process may mean: the folder that the process works in, a path from the root, a file that it
 * has open, its memory. Steps up are taken both as the system takes them and as programs do that simplify a path first.
 */
import { mayBeName, mayBeNumber, type ProcessStep, processStepIn } from './process-path.ts'

export type ProcessMeaning =
  /** In the folder that the process works in, which may be any. */
  | { readonly kind: 'folder'; readonly tail: readonly string[] }
  /** In no process after all, as behind `/proc/self/root`. */
  | { readonly kind: 'absolute'; readonly path: string }
  /** A file or folder that is open, or below one. `number` is undefined where it is not known which. */
  | {
      readonly kind: 'descriptor'
      readonly whose: Whose
      readonly number: number | undefined
      readonly tail: readonly string[]
    }
  | { readonly kind: 'memory'; readonly whose: Whose }
  /** Something that says of the process, and leads nowhere. */
  | { readonly kind: 'other' }

/** `self`: the process that opens the path, for certain. */
type Whose = 'self' | 'any'

/** None for a path that goes through no process. */
export function processMeanings(path: string, base?: string): ProcessMeaning[] {
  const step = processStepIn(path, base)
  if (step === undefined) return []
  // Nobody writes so many names. What they may mean is not worked out: that looks at all of them again and again.
  if (step.rest.length > MAX_NAMES) return [ANYTHING]
  const simple = simplified(step)
  const budget: ProcessLookBudget = { left: MAX_LOOKS }
  const found = [
    ...meaningsOf(step, 0, budget),
    ...(simple === undefined ? [] : meaningsOf(simple, 0, budget)),
  ]
  return budget.left > 0 ? found : [...found, ANYTHING]
}

const ANYTHING: ProcessMeaning = { kind: 'descriptor', whose: 'any', number: undefined, tail: [] }

/** Each wildcard may stand for several names, so all that a path may mean is not worked out: what is left may be anything. */
interface ProcessLookBudget {
  left: number
}

const MAX_LOOKS = 200

/** As whoever takes `..` by the text reads it. */
function simplified({ place, rest }: ProcessStep): ProcessStep | undefined {
  if (!rest.includes('..')) return undefined
  const names = [...place]
  for (const name of rest) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return processStepIn(`/${names.join('/')}`)
}

const MAX_NAMES = 100

/** Nobody writes a path through more processes than this. */
const MAX_DEPTH = 8

type Back = (rest: readonly string[]) => ProcessMeaning[]

function meaningsOf(
  { place, rest }: ProcessStep,
  depth: number,
  budget: ProcessLookBudget,
): ProcessMeaning[] {
  const [first = '', second = ''] = place
  if (place.length < 2) {
    // A file by its number on the disk may be any.
    if (first.toLowerCase() === '.vol')
      return [{ kind: 'descriptor', whose: 'any', number: undefined, tail: rest }]
    return [{ kind: 'other' }]
  }
  const fromTop = (path: readonly string[]): ProcessMeaning[] => {
    const written = `/${path.filter((name) => name !== '').join('/')}`
    const again = depth < MAX_DEPTH ? processStepIn(written) : undefined
    return again === undefined ? [{ kind: 'absolute', path: written }] : meaningsOf(again, depth + 1, budget)
  }
  const inSelf = new Process('self', fromTop, budget)
  const found: ProcessMeaning[] = []
  if (mayBeName(first, 'dev')) {
    if (mayBeName(second, 'fd')) found.push(...inSelf.descriptors(rest, (more) => inSelf.at(more)))
    for (const [number, name] of ['stdin', 'stdout', 'stderr'].entries())
      if (mayBeName(second, name)) found.push({ kind: 'descriptor', whose: 'self', number, tail: rest })
  }
  if (mayBeName(first, 'proc')) {
    const isSelf = second === 'self' || second === 'thread-self'
    const looked = isSelf ? inSelf : new Process('any', fromTop, budget)
    if (mayBeName(second, 'net') || mayBeName(second, 'mounts'))
      found.push(...inSelf.other(rest, (more) => inSelf.at(more)))
    if (mayBeName(second, 'self') || mayBeName(second, 'thread-self') || mayBeNumber(second))
      found.push(...looked.at(rest))
  }
  return found
}

/** The folder of one process in `/proc`. */
class Process {
  readonly #whose: Whose
  readonly #fromTop: Back
  readonly #budget: ProcessLookBudget

  constructor(whose: Whose, fromTop: Back, budget: ProcessLookBudget) {
    this.#whose = whose
    this.#fromTop = fromTop
    this.#budget = budget
  }

  at(names: readonly string[], back: Back = (rest) => this.#fromTop(['proc', ...rest])): ProcessMeaning[] {
    if (this.#budget.left-- <= 0) return []
    const [name, ...rest] = withoutDots(names)
    if (name === undefined) return [{ kind: 'other' }]
    if (name === '..') return back(rest)
    const here: Back = (more) => this.at(more, back)
    const found: ProcessMeaning[] = []
    if (mayBeName(name, 'cwd')) found.push({ kind: 'folder', tail: rest })
    if (mayBeName(name, 'root')) found.push(...this.#fromTop(rest))
    if (mayBeName(name, 'fd') || mayBeName(name, 'map_files')) found.push(...this.descriptors(rest, here))
    if (mayBeName(name, 'mem')) found.push({ kind: 'memory', whose: this.#whose })
    if (mayBeName(name, 'task')) found.push(...this.#tasks(rest, here))
    return found.length > 0 ? found : this.other(rest, here)
  }

  descriptors(names: readonly string[], back: Back): ProcessMeaning[] {
    const [name, ...tail] = withoutDots(names)
    if (name === undefined) return [{ kind: 'other' }]
    if (name === '..') return back(tail)
    const number = /^\d+$/.test(name) ? Number(name) : undefined
    return [{ kind: 'descriptor', whose: this.#whose, number, tail }]
  }

  other(names: readonly string[], back: Back): ProcessMeaning[] {
    if (this.#budget.left-- <= 0) return []
    const [name, ...rest] = withoutDots(names)
    if (name === undefined) return [{ kind: 'other' }]
    return name === '..' ? back(rest) : this.other(rest, (more) => this.other(more, back))
  }

  #tasks(names: readonly string[], back: Back): ProcessMeaning[] {
    const [name, ...rest] = withoutDots(names)
    if (name === undefined) return [{ kind: 'other' }]
    return name === '..' ? back(rest) : this.at(rest, (more) => this.#tasks(more, back))
  }
}

function withoutDots(names: readonly string[]): readonly string[] {
  const first = names.findIndex((name) => name !== '' && name !== '.')
  return first === -1 ? [] : names.slice(first)
}
