/**
 * Whether a word with a shell's wildcards may come to a file or folder that a path pattern is about: `cat *.p*`
 * may read what `*.pem` in any folder stands for, a word with a wildcard for a folder what the folder `secrets` holds. It errs on the side of yes.
 */

/** Nobody writes a longer one. What it may come to is not worked out. */
const LONGEST_WORD = 1024

/** A word with wildcards, taken apart once for all patterns that it is compared with. */
export interface WildWord {
  readonly isTooLong: boolean
  readonly isWild: boolean
  /** It stands for the dot of a hidden name too, and for either case. */
  readonly findsDots: boolean
  /** It stays below the folder of the line. */
  readonly staysBelow: boolean
  readonly lastStep: string
  /** The steps with a wildcard, but for a last one that is anything: that is all in a folder, as if the folder were named. */
  readonly wildSteps: readonly string[]
}

export function readWildWord(given: string, findsDots = false): WildWord {
  const word = findsDots ? given.toLowerCase() : given
  const isTooLong = word.length > LONGEST_WORD
  const steps = isTooLong ? [] : word.split('/').filter((step) => step !== '')
  return {
    isTooLong,
    isWild: steps.some(isWild),
    findsDots,
    staysBelow: !/^[/~]/.test(word) && !steps.includes('..'),
    lastStep: steps.at(-1) ?? '',
    wildSteps: steps.filter((step, at) => isWild(step) && !(at === steps.length - 1 && isAnything(step))),
  }
}

export function compileWildcardMeets(pathPattern: string): (word: WildWord) => boolean {
  // A relative word stays below the folder of the line, where no pattern for another place can be met.
  const isElsewhere = /^[/~]/.test(pathPattern)
  const names = pathPattern.split('/').filter((name) => !['', '.', '~'].includes(name))
  const last = names.at(-1) ?? ''
  const folders = names.filter(
    (name, index) => name !== '**' && (index < names.length - 1 || isPlace(pathPattern, last)),
  )
  const meets = (step: string, name: string, findsDots: boolean) =>
    findsDots ? namesMeet(step, name.toLowerCase()) : nameMeets(step, name)
  return ({ isTooLong, isWild: hasWildcard, staysBelow, findsDots, lastStep, wildSteps }) => {
    if (isTooLong) return true
    if (!hasWildcard || (isElsewhere && staysBelow)) return false
    if (last !== '**' && !isAnything(lastStep) && meets(lastStep, last, findsDots)) return true
    return wildSteps.some((step) => folders.some((name) => meets(step, name, findsDots)))
  }
}

export function wildcardMeets(word: string, pathPattern: string, findsDots = false): boolean {
  return compileWildcardMeets(pathPattern)(readWildWord(word, findsDots))
}

/** `./secrets` may be a folder, and then stands for all that is in it; `*.pem` in any folder is a file. */
function isPlace(pattern: string, last: string): boolean {
  return !pattern.startsWith('**/') && pattern.includes('/') && !isWild(last)
}

function isWild(step: string): boolean {
  return /[*?[{(]/.test(step)
}

function isAnything(step: string): boolean {
  return /^\*+$/.test(step)
}

function nameMeets(step: string, name: string): boolean {
  // A wildcard does not stand for the dot at the beginning of a name.
  if (/^[*?]/.test(step) && name.startsWith('.')) return false
  if (differ(step[0], name[0]) || differ(step.at(-1), name.at(-1))) return false
  return meet(simplified(step), simplified(name))
}

/** Two plain letters at the beginning, or at the end, that are not the same. */
function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== other && PLAIN.test(one ?? '') && PLAIN.test(other ?? '')
}

const PLAIN = /^[\w.-]$/

/** Whether some name fits both, of which either may have wildcards in it. They stand for a dot at the beginning too. */
export function namesMeet(one: string, other: string): boolean {
  return meet(simplified(one), simplified(other))
}

/** A set is one letter of some; braces and extended patterns may be anything. */
function simplified(name: string): string {
  const plain = name.replace(/[{(].*/s, '*')
  // Behind the last bracket nothing closes any more, and each `[` there would be followed to the end.
  const end = plain.lastIndexOf(']') + 1
  const classes = plain.slice(0, end).replace(/\[[^\]]+\]/g, '?')
  return (classes + plain.slice(end)).replace(/\*+/g, '*').slice(0, MAX_NAME)
}

/** No file system has longer names. */
const MAX_NAME = 255

/** Whether some text fits both, in which `*` stands for anything and `?` for a letter. Each pair of places is looked at once. */
function meet(a: string, b: string): boolean {
  let reached = afterStars(new Set([0]), b)
  for (const letter of a) {
    const next = new Set<number>()
    for (const at of reached) {
      if (letter === '*') {
        for (let to = at; to <= b.length; to++) next.add(to)
        continue
      }
      const other = b[at]
      if (other === '*') next.add(at)
      else if (other !== undefined && (other === letter || other === '?' || letter === '?')) next.add(at + 1)
      if (b[at - 1] === '*') next.add(at)
    }
    reached = afterStars(next, b)
  }
  return reached.has(b.length)
}

/** A star may stand for nothing. */
function afterStars(places: Set<number>, pattern: string): Set<number> {
  const all = new Set(places)
  for (const at of places) for (let next = at; pattern[next] === '*'; next++) all.add(next + 1)
  return all
}
