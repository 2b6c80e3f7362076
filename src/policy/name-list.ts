/** One of the lists `deny`, `ask`, `allow`, made ready to be asked which of its patterns match a tool's name. */
import { compileGlob } from './matchers/glob.ts'

export interface NameList {
  /** The first pattern that matches, a plain name before those with stars. */
  first(tool: string): string | undefined
  /** Every pattern that matches. */
  all(tool: string): string[]
}

export function compileNameList(patterns: readonly string[]): NameList {
  const names = new Set(patterns.filter((pattern) => !pattern.includes('*')))
  const globs = [...new Set(patterns)]
    .filter((pattern) => pattern.includes('*'))
    .map((pattern) => ({ pattern, matches: compileGlob(pattern) }))
  return {
    first(tool) {
      if (names.has(tool)) return tool
      for (const glob of globs) if (glob.matches(tool)) return glob.pattern
      return undefined
    },
    all(tool) {
      const matching = names.has(tool) ? [tool] : []
      for (const glob of globs) if (glob.matches(tool)) matching.push(glob.pattern)
      return matching
    },
  }
}
