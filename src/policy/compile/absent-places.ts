/**
 * A deny that names one place plainly, such as `./.env`, is no reason to ask about a search where that place was found
 * not to be there. Only for a tool that searches: a shell line may make the file before it reads.
 */
import { isProcessPath } from '../../core/process/process-path.ts'
import { type PatternPlaces, readPattern, startsOf } from '../matchers/path-pattern.ts'
import type { SweepPart } from '../recursive-reads/sweep-part.ts'
import type { CallSubject } from '../subject/subject.ts'
import type { CompiledRule } from './compile-rules.ts'

/** All that the patterns name, absolute; undefined where one of them may name more than plain places. */
export function namedPlaces(patterns: readonly string[], places: PatternPlaces): string[] | undefined {
  const found: string[] = []
  for (const pattern of patterns) {
    const read = readPattern(pattern, '')
    const { names, floats } = read
    const starts = startsOf(read, places)
    const isPlain = names.length > 0 && !floats && !names.some((name) => /[*?\0]/.test(name))
    if (!isPlain || starts.length === 0 || /^[A-Za-z]:$/.test(names[0]!)) return undefined
    found.push(...starts.map((start) => `${start}/${names.join('/')}`))
  }
  const isKnown = found.every((place) => place.startsWith('/') && !isProcessPath(place))
  return found.length === 0 || !isKnown ? undefined : [...new Set(found)]
}

/** Whether nothing that the rule names is there to be read. Its other conditions can only narrow it. */
export function isAbsent({ facts }: CallSubject, { command }: SweepPart, { when }: CompiledRule): boolean {
  const { absent } = facts ?? {}
  if (absent === undefined || command !== undefined || when.namedPlaces === undefined) return false
  return when.namedPlaces.every((place) => absent.includes(place))
}
