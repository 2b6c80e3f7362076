/**
 * Of facts, those that can be true for whoever makes the call. A path through a process (`/proc/self/cwd/x`, `/dev/fd/3`) leads
 * elsewhere for each that opens it, so what somebody found behind it says nothing: neither where the path is written so,
 * nor where a fact itself leads there. Whoever gathers facts leaves those out; here it does not depend on that.
 *
 * Where such a path was said to lead is kept among the places it may lead to: that it might be ours still counts.
 */
import { isProcessPath } from '../../core/process/process-path.ts'
import type { Facts, PathFact } from '../../core/verdict.ts'
import { valuesAt } from '../matchers/pointer.ts'
import type { JudgedCall } from '../policy.ts'

export function trustedFacts(call: JudgedCall, facts: Facts | undefined): Facts | undefined {
  if (facts === undefined) return undefined
  const doubtful = new Set<string>()
  const { folder, paths } = facts
  if (folder !== undefined && (isProcessPath(folder) || isProcessPath(call.cwd ?? folder))) doubtful.add('')
  for (const pointer in paths) {
    const { resolved } = paths[pointer]!
    if (isProcessPath(resolved) || isWrittenSo(call, pointer)) doubtful.add(pointer)
  }
  if (doubtful.size === 0) return facts
  const kept: Record<string, PathFact> = {}
  const unsure = new Set(facts.unsure)
  for (const pointer in paths) {
    if (doubtful.has(pointer)) unsure.add(paths[pointer]!.resolved)
    else kept[pointer] = paths[pointer]!
  }
  const { folder: _, ...others } = facts
  if (doubtful.has('') && folder !== undefined) unsure.add(folder)
  const lasting = doubtful.has('') || folder === undefined ? {} : { folder }
  return {
    ...others,
    ...lasting,
    ...(paths === undefined ? {} : { paths: kept }),
    unsure: [...unsure].sort(),
  }
}

function isWrittenSo(call: JudgedCall, pointer: string): boolean {
  return valuesAt(call.arguments, pointer).some(
    ({ value }) => typeof value === 'string' && isProcessPath(value, call.cwd),
  )
}

/** Where a word of a line leads, unless it is written so or leads there. */
export function trustedWord(call: JudgedCall, facts: Facts | undefined, path: string): string | undefined {
  const words = facts?.words
  // Facts are keyed by texts that the agent chose.
  const resolved = words !== undefined && Object.hasOwn(words, path) ? words[path] : undefined
  if (resolved === undefined || isProcessPath(path, call.cwd) || isProcessPath(resolved)) return undefined
  return resolved
}
