/** What a request is about, on one line. */
import type { WireRequest } from '../../../../src/client/index.ts'
import { visible } from '../text/visible-line.ts'

/** The question itself; of a call what it would do, as the server says it in the reader's language. */
export function requestTitle({ rendering, questions }: WireRequest): string {
  const [first] = questions ?? []
  return first === undefined ? rendering.title : visible(first.question)
}
