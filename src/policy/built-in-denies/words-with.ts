/** The words of a text that have one of some pieces in them. They are found from the pieces: a text may be a megabyte of others. */

export interface FoundWord {
  readonly word: string
  readonly index: number
}

/** In order. `separator` is what stands between words, one character at a time. */
export function wordsWith(text: string, pieces: readonly string[], separator: RegExp): FoundWord[] {
  const ends = new Map<number, number>()
  for (const piece of new Set(pieces)) {
    if (piece === '') continue
    for (let at = text.indexOf(piece); at !== -1; ) {
      const start = startOfWord(text, at, separator)
      const end = endOfWord(text, at, separator)
      if (end > start) ends.set(start, end)
      at = text.indexOf(piece, Math.max(end, at + 1))
    }
  }
  return [...ends]
    .sort(([one], [other]) => one - other)
    .map(([index, end]) => ({ word: text.slice(index, end), index }))
}

/** The word that begins at this place or behind it. */
export function wordAfter(text: string, at: number, separator: RegExp): FoundWord | undefined {
  let index = at
  while (index < text.length && separator.test(text[index]!)) index++
  if (index === text.length) return undefined
  return { word: text.slice(index, endOfWord(text, index, separator)), index }
}

/** The word that ends before this place; empty where there is none. */
export function wordBefore(text: string, index: number, separator: RegExp): string {
  let end = index
  while (end > 0 && separator.test(text[end - 1]!)) end--
  return text.slice(startOfWord(text, end, separator), end)
}

function endOfWord(text: string, at: number, separator: RegExp): number {
  let end = at
  while (end < text.length && !separator.test(text[end]!)) end++
  return end
}

function startOfWord(text: string, at: number, separator: RegExp): number {
  let start = at
  while (start > 0 && !separator.test(text[start - 1]!)) start--
  return start
}
