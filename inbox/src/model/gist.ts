/** The summary without the tool's name in front, where the name stands beside it anyway. */
import { visible } from './visible-line.ts'

export function gistOf(tool: string, summary: string): string {
  const head = `${visible(tool)}: `
  return summary.startsWith(head) ? summary.slice(head.length) : summary
}
