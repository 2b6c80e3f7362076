/**
 * The words of a command, as people type them on a phone: quotes of any kind around what has blanks, and long dashes in place of two
 * short ones. A quote counts only where a word begins, and ends only where a word ends, so an apostrophe is a letter. Each word knows
 * its place, so that a message can be taken as it was written.
 */
export interface CommandWord {
  start: number
  end: number
  /** Without its quotes. */
  text: string
  isQuoted: boolean
}

const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”', '‘': '’', '「': '」' }
const BLANK = /\s/u

export function commandWords(text: string): CommandWord[] {
  const words: CommandWord[] = []
  /** Quotes that nothing ends, from here to the end of the text: it is searched once for each kind. */
  const unclosed = new Set<string>()
  let at = 0
  while (at < text.length) {
    if (BLANK.test(text[at]!)) {
      at++
      continue
    }
    const word = quotedWord(text, at, unclosed) ?? bareWord(text, at)
    words.push(word)
    at = word.end
  }
  return words
}

/** It begins with a quote that nothing ends. */
export function isUnclosed({ text, isQuoted }: CommandWord): boolean {
  return !isQuoted && Object.hasOwn(QUOTES, text[0]!)
}

function quotedWord(text: string, start: number, unclosed: Set<string>): CommandWord | undefined {
  const opening = text[start]!
  const closing = Object.hasOwn(QUOTES, opening) ? QUOTES[opening]! : undefined
  if (closing === undefined || unclosed.has(opening)) return undefined
  for (let at = text.indexOf(closing, start + 1); at >= 0; at = text.indexOf(closing, at + 1)) {
    const isEnd = at + 1 === text.length || BLANK.test(text[at + 1]!)
    if (isEnd) return { start, end: at + 1, text: text.slice(start + 1, at), isQuoted: true }
  }
  unclosed.add(opening)
  return undefined
}

/** A backslash keeps a blank in it. */
function bareWord(text: string, start: number): CommandWord {
  let end = start
  while (end < text.length && !BLANK.test(text[end]!))
    end += text[end] === '\\' && text[end + 1] === ' ' ? 2 : 1
  return { start, end, text: text.slice(start, end).replaceAll('\\ ', ' '), isQuoted: false }
}
