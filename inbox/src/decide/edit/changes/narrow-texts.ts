/**
 * Of two texts that are too long to be compared whole, the part around what differs. What they have in common before and
 * after it is found at once however long it is; of what differs only so much is compared, and the rest is counted.
 */
export interface Narrowed {
  before: string
  after: string
  /** Characters of what differs that are in neither of the texts above. */
  notCompared: { before: number; after: number }
}

const MOST_COMPARED = 50_000

/** The parts begin and end with whole lines, `contextLines` of them at least around what differs. */
export function narrowTexts(before: string, after: string, contextLines: number): Narrowed {
  if (Math.max(before.length, after.length) <= MOST_COMPARED) {
    return { before, after, notCompared: { before: 0, after: 0 } }
  }
  const head = commonHead(before, after)
  const tail = commonTail(before, after, head)
  const start = linesBack(before, head, contextLines)
  const ends = { before: before.length - tail, after: after.length - tail }
  if (Math.max(ends.before, ends.after) - head <= MOST_COMPARED) {
    const more = linesOn(before, ends.before, contextLines) - ends.before
    return {
      before: before.slice(start, ends.before + more),
      after: after.slice(start, ends.after + more),
      notCompared: { before: 0, after: 0 },
    }
  }
  const cuts = {
    before: cutAt(before, Math.min(ends.before, head + MOST_COMPARED)),
    after: cutAt(after, Math.min(ends.after, head + MOST_COMPARED)),
  }
  return {
    before: before.slice(start, cuts.before),
    after: after.slice(start, cuts.after),
    notCompared: { before: ends.before - cuts.before, after: ends.after - cuts.after },
  }
}

export function commonHead(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let count = 0
  while (count < most && one.charCodeAt(count) === other.charCodeAt(count)) count++
  return isSecondHalf(one, count) || isSecondHalf(other, count) ? count - 1 : count
}

/** Of what comes after the first `head` characters. */
export function commonTail(one: string, other: string, head: number): number {
  const most = Math.min(one.length, other.length) - head
  let count = 0
  while (
    count < most &&
    one.charCodeAt(one.length - 1 - count) === other.charCodeAt(other.length - 1 - count)
  ) {
    count++
  }
  return count > 0 && isSecondHalf(one, one.length - count) ? count - 1 : count
}

function isSecondHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff
}

function cutAt(text: string, at: number): number {
  return isSecondHalf(text, at) ? at - 1 : at
}

function linesBack(text: string, from: number, lines: number): number {
  let at = from
  for (let count = 0; count <= lines; count++) {
    const found = at > 0 ? text.lastIndexOf('\n', at - 1) : -1
    if (found === -1) return 0
    at = found
  }
  return at + 1
}

function linesOn(text: string, from: number, lines: number): number {
  let at = from
  for (let count = 0; count <= lines; count++) {
    const found = text.indexOf('\n', at)
    if (found === -1) return text.length
    at = found + 1
  }
  return at
}
