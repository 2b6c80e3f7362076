/** The tools that a rule names. */
import type { WhenBlock } from '../language/language.ts'

export function toolsOf(when: WhenBlock): string[] {
  return when.tool === undefined ? [] : [when.tool].flat()
}
