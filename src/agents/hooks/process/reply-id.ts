/**
 * Reads the id of a reply that is too long to be read whole, from its beginning or its end. It only ever names a call that
 * then fails, so that a wrong guess allows nothing.
 */
import type { LongLine } from './line-reader.ts'

export function readReplyId({ head, tail }: Pick<LongLine, 'head' | 'tail'>): number | undefined {
  return idAtStart(head) ?? idAtEnd(tail)
}

/** The member `id` of the outermost object, if only scalars stand before it. */
function idAtStart(head: string): number | undefined {
  const found =
    /^\s*\{\s*(?:"(?:[^"\\]|\\.)*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[\w.+-]+)\s*,\s*)*?"id"\s*:\s*(\d{1,16})\b/.exec(
      head,
    )
  return found === null ? undefined : Number(found[1])
}

function idAtEnd(tail: string): number | undefined {
  const found = /[,{]\s*"id"\s*:\s*(\d{1,16})\s*\}\s*$/.exec(tail)
  return found === null ? undefined : Number(found[1])
}
