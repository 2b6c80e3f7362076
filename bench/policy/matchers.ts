/**
 * What the worst patterns that a policy may hold cost on 10 kB of text, in milliseconds of processor time: a regular
 * expression at the cap of its size (promised: 20 ms) and path patterns of the greatest length (promised: 5 ms). The
 * caps in `src/policy/matchers` were chosen by these figures.
 */

import { compileRegex, MAX_REGEX_INSTRUCTIONS } from '../../src/core/regex/regex.ts'
import { compilePathPattern } from '../../src/policy/matchers/path-pattern.ts'
import { type Contestant, type Figure, interleave } from '../measure.ts'

const LENGTH = 10_000
const SAME = 'a'.repeat(LENGTH)
const MIXED = 'ab_ \nЖ'.repeat(LENGTH).slice(0, LENGTH)

/** Each is repeated until the program is as large as it may be. */
const REGEXES: ((times: number) => string)[] = [
  (times) => `a[ab]{${times}}!`,
  (times) => `(?s).{${times}}!`,
  (times) => `(?:a?){${times}}a{${times}}!`,
  (times) => `(?:\\pL*){${times}}!`,
  (times) => `(?:\\b\\w*|\\B\\W*){${times}}!`,
]

const PATTERNS = [`./${'*a'.repeat(490)}*b`, `**/${'?'.repeat(980)}b`, `./${'**/a/'.repeat(190)}b`]

export function benchMatchers(rounds: number): Promise<Figure[]> {
  const regexes = REGEXES.flatMap((pattern) => {
    const source = pattern(largest(pattern))
    const finds = compileRegex(source)
    return [
      contestant(`regex ${source}, one letter`, () => finds(SAME)),
      contestant(`regex ${source}, mixed`, () => finds(MIXED)),
    ]
  })
  const paths = PATTERNS.flatMap((pattern) => {
    const matches = compilePathPattern(pattern, { roots: ['/work'] }, '')
    const name = `path ${pattern.slice(0, 12)}… (${pattern.length} characters)`
    const deep = `/work${'/a'.repeat(LENGTH / 2)}`
    return [
      contestant(`${name}, one name`, () => matches(`/space/${SAME}`, SAME)),
      contestant(`${name}, many names`, () => matches(deep, deep)),
    ]
  })
  return interleave([...regexes, ...paths], rounds)
}

function largest(pattern: (times: number) => string): number {
  let times = 1
  while (times < MAX_REGEX_INSTRUCTIONS && isTaken(pattern(times + 1))) times++
  return times
}

function isTaken(source: string): boolean {
  try {
    compileRegex(source)
    return true
  } catch {
    return false
  }
}

/** The time of the processor and not that of the clock, so that neighbours on the machine do not count. */
function contestant(name: string, work: () => unknown): Contestant {
  return {
    name,
    unit: 'ms',
    run() {
      const before = process.cpuUsage()
      work()
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    },
  }
}
