/**
 * How large a regular expression becomes once its repetitions are written out, from the text alone. The compiler writes
 * them out before anyone can count, and `(?:…){1000}` around 900 characters takes half a gigabyte. The estimate may be too
 * high by the letters of a group's name; it is never too low by more than a small factor.
 */
export function expandedSize(source: string): number {
  const open: Level[] = [{ sum: 0, last: 0 }]
  let level = open[0]!
  const atom = (size: number) => {
    level.sum += size
    level.last = size
  }
  for (let at = 0; at < source.length; ) {
    const char = source[at]!
    if (char === '\\' && source[at + 1] === 'Q') {
      const end = endOf(source, '\\E', at + 2)
      atom(end - at)
      at = end
    } else if (char === '\\') {
      atom(1)
      at = /[pPx]/.test(source[at + 1] ?? '') && source[at + 2] === '{' ? endOf(source, '}', at) : at + 2
    } else if (char === '[') {
      atom(1)
      at = endOfClass(source, at)
    } else if (char === '(') {
      level = { sum: 0, last: 0 }
      open.push(level)
      at++
    } else if (char === ')' && open.length > 1) {
      const { sum } = open.pop()!
      level = open.at(-1)!
      atom(sum + 2)
      at++
    } else if (char === '{') {
      REPETITION.lastIndex = at
      const found = REPETITION.exec(source)
      if (found === null) atom(1)
      else {
        const times = Math.max(1, Number(found[1]), Number(found[2] || 0))
        level.sum += level.last * (times - 1)
        level.last *= times
      }
      at += found?.[0].length ?? 1
    } else {
      // A character, or a sign that comes to an instruction of its own.
      if ('*+?'.includes(char)) level.sum++
      else atom(1)
      at++
    }
  }
  return open.reduce((total, { sum }) => total + sum, 0)
}

interface Level {
  sum: number
  /** The size of what a repetition would repeat. */
  last: number
}

const REPETITION = /\{(\d{1,9})(?:,(\d{0,9}))?\}/y

function endOf(source: string, text: string, from: number): number {
  const found = source.indexOf(text, from)
  return found === -1 ? source.length : found + text.length
}

/** A `]` that comes first is a member. */
function endOfClass(source: string, from: number): number {
  let at = from + 1
  if (source[at] === '^') at++
  if (source[at] === ']') at++
  while (at < source.length && source[at] !== ']') {
    if (source.startsWith('[:', at)) at = endOf(source, ':]', at)
    else at += source[at] === '\\' ? 2 : 1
  }
  return at + 1
}
