/** What a request is about, in a line beside its name. */
import type { WireRequest } from '../../../../src/client/index.ts'
import { visible } from '../text/visible-line.ts'

/** The question itself; or the summary without the tool's name in front, which stands beside it anyway. */
export function requestSummary({ tool, rendering, questions }: WireRequest): string {
  const [first] = questions ?? []
  if (first !== undefined) return visible(first.question)
  const head = `${visible(tool)}: `
  return rendering.summary.startsWith(head) ? rendering.summary.slice(head.length) : rendering.summary
}
