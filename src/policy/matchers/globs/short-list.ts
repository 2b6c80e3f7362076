/**
 * Up to 32 patterns, told apart by the letters at three places of a name. For each place a table says which patterns a
 * letter leaves in the running, one bit a pattern; what is left after the three is asked. Most lists are this short, and
 * a tree would cost more than it saves.
 */
import { type Glob, matchesGlob } from './glob.ts'

export interface ListedPattern {
  /** Where it stands in its list. */
  readonly index: number
  readonly match: PatternMatch
}

/** A name in full, or what a pattern with stars comes to. */
type PatternMatch = string | Glob

export interface ShortList {
  first(name: string): number
  /** The matching entries' indices, in the order in which the entries were given. */
  all(name: string): readonly number[]
}

const MOST_ENTRIES = 32
/** When a name leaves more than so many to be asked, a tree is faster. */
const MOST_LEFT = 4

/** Undefined where the entries are too many, or too much alike at their ends. */
export function createShortList(entries: readonly ListedPattern[]): ShortList | undefined {
  if (entries.length > MOST_ENTRIES) return undefined
  const matches = entries.map(({ match }) => match)
  const chosen = choosePlaces(matches)
  if (chosen === undefined) return undefined
  const [a, b, c] = chosen
  const indices = entries.map(({ index }) => index)
  const alone = indices.map((index) => Object.freeze([index]))

  const all = (name: string): readonly number[] => {
    let left = leftBy(a, name) & leftBy(b, name) & leftBy(c, name)
    if (left === 0) return NONE
    let found = NONE
    do {
      const bit = 31 - Math.clz32(left & -left)
      left &= left - 1
      if (isMatch(matches[bit]!, name)) {
        found = found === NONE ? alone[bit]! : [...found, indices[bit]!]
      }
    } while (left !== 0)
    return found
  }
  return { all, first: (name) => all(name)[0] ?? -1 }
}

const NONE: readonly number[] = Object.freeze([])

function isMatch(match: PatternMatch, name: string): boolean {
  return typeof match === 'string' ? match === name : matchesGlob(match, name)
}

/** A place in names: an offset from their beginning, or if it is negative from their end. */
interface LetterPlace {
  offset: number
  /** By the letter there, which patterns may still match; then one for letters past ASCII and one for no letter. */
  left: Int32Array
}

const PAST_ASCII = 128
const NO_LETTER = 129

function leftBy({ offset, left }: LetterPlace, name: string): number {
  const { length } = name
  const at = offset >= 0 ? offset : length + offset
  if (at < 0 || at >= length) return left[NO_LETTER]!
  const code = name.charCodeAt(at)
  return left[code < PAST_ASCII ? code : PAST_ASCII]!
}

const FARTHEST = 24

/**
 * One after another the place that sends the most patterns away which are still there, over the names that each pattern
 * matches and over one that none does. A letter that the pattern leaves open counts as one that no pattern has.
 */
function choosePlaces(matches: readonly PatternMatch[]): [LetterPlace, LetterPlace, LetterPlace] | undefined {
  const offsets = Array.from({ length: 2 * FARTHEST }, (_, at) => at - FARTHEST)
  const places = offsets.map((offset) => placeAt(matches, offset))
  const left = new Int32Array(matches.length + 1).fill(-1)
  const leftAfter = (row: number, { left: table, offset }: LetterPlace) =>
    left[row]! & table[row < matches.length ? letterAt(matches[row]!, offset) : NO_LETTER]!
  const next = () => {
    const sums = places.map((place) =>
      left.reduce((sum, _, row) => sum + countBits(leftAfter(row, place)), 0),
    )
    const best = places[sums.indexOf(Math.min(...sums))]!
    for (const row of left.keys()) left[row] = leftAfter(row, best)
    return best
  }
  const chosen: [LetterPlace, LetterPlace, LetterPlace] = [next(), next(), next()]
  return left.every((bits) => countBits(bits) <= MOST_LEFT) ? chosen : undefined
}

function placeAt(matches: readonly PatternMatch[], offset: number): LetterPlace {
  const left = new Int32Array(NO_LETTER + 1)
  for (const [bit, match] of matches.entries()) {
    const letter = letterAt(match, offset)
    for (let each = 0; each < left.length; each++) {
      if (letter === NO_LETTER || letter === each) left[each]! |= 1 << bit
    }
  }
  return { offset, left }
}

/** The letter that every matching name has there, as tables have it; NO_LETTER where it may be any, or none. */
function letterAt(match: PatternMatch, offset: number): number {
  const affix = typeof match === 'string' ? match : offset >= 0 ? match.prefix : match.suffix
  const at = offset >= 0 ? offset : affix.length + offset
  return at >= 0 && at < affix.length ? Math.min(affix.charCodeAt(at), PAST_ASCII) : NO_LETTER
}

function countBits(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count++
  return count
}
