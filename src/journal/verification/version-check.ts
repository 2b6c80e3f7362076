/**
 * Follows the versions of every request across all chains: each from 1 to the newest must be told of exactly
 * once. A step of a request that was removed together with its whole chain shows here.
 *
 * Chains are read one after another, so a request's versions come in any order. What is kept is one number for
 * a request that has all from 1 to there, and ranges for the few that don't.
 */
import { createProblemList, type ProblemList, quoteName } from '../problems.ts'

export interface VersionCheck {
  add(request: string, version: number): void
  /** How many requests there were, and what is wrong with them. */
  end(): { requests: number; found: ProblemList }
}

/** Sorted, not touching, both ends included. */
type VersionRanges = { from: number; to: number }[]

export function createVersionCheck(): VersionCheck {
  const found = createProblemList()
  const seen = new Map<string, number | VersionRanges>()

  return {
    add(request, version) {
      const before = seen.get(request) ?? 0
      if (before === version - 1) {
        seen.set(request, version)
        return
      }
      const ranges: VersionRanges =
        typeof before !== 'number' ? before : before === 0 ? [] : [{ from: 1, to: before }]
      if (ranges.some(({ from, to }) => from <= version && version <= to)) {
        found.add({
          kind: 'version_twice',
          message: `request ${quoteName(request)}: version ${version} is told of twice`,
          request,
          from: version,
          to: version,
        })
        return
      }
      const merged = insert(ranges, version)
      const [only, second] = merged
      seen.set(request, only?.from === 1 && second === undefined ? only.to : merged)
    },
    end() {
      for (const [request, state] of seen) {
        if (typeof state === 'number') continue
        let next = 1
        for (const { from, to } of state) {
          if (from > next) {
            const missing = from - 1 === next ? `version ${next} is` : `versions ${next} to ${from - 1} are`
            found.add({
              kind: 'version_gap',
              message: `request ${quoteName(request)}: ${missing} nowhere in the journal, but version ${from} is`,
              request,
              from: next,
              to: from - 1,
            })
          }
          next = to + 1
        }
      }
      return { requests: seen.size, found }
    },
  }
}

function insert(ranges: VersionRanges, version: number): VersionRanges {
  const merged: VersionRanges = []
  let current = { from: version, to: version }
  for (const range of ranges) {
    if (range.to < current.from - 1) merged.push(range)
    else if (range.from > current.to + 1) {
      merged.push(current)
      current = range
    } else current = { from: Math.min(range.from, current.from), to: Math.max(range.to, current.to) }
  }
  return [...merged, current]
}
