/** What is not wrong in a policy but probably not meant. */
import type { PolicyBlock } from './policy-block.ts'

export function warningsOf(block: PolicyBlock): string[] {
  const warnings: string[] = []
  const stricter = new Map<string, string>()
  for (const key of ['deny', 'ask', 'allow'] as const) {
    const seen = new Set<string>()
    for (const pattern of block[key]) {
      const written = `${key}: ${JSON.stringify(pattern)}`
      if (seen.has(pattern)) warnings.push(`${written} is there twice`)
      else warnings.push(...warningsOfPattern(pattern, written))
      seen.add(pattern)
      const list = stricter.get(pattern)
      if (list !== undefined)
        warnings.push(`${written} has no effect: the same is in ${list}, which is stricter`)
    }
    for (const pattern of seen) if (!stricter.has(pattern)) stricter.set(pattern, key)
  }
  if (block.mode === 'bypass') {
    warnings.push('mode: bypass allows every tool that no list names, also one that is added later')
  }
  return warnings
}

function warningsOfPattern(pattern: string, written: string): string[] {
  const warnings: string[] = []
  const literal = /[?[\]{}|,]/.exec(pattern)?.[0]
  if (literal !== undefined) {
    warnings.push(
      `${written}: "${literal}" means itself; * is the only wildcard, and each pattern is an entry of its own`,
    )
  }
  if (pattern !== pattern.trim())
    warnings.push(`${written} begins or ends with a space, which is part of the name`)
  return warnings
}
