/**
 * Whether a text is, word for word, part of what a person wrote. The secretary reads what an attacker may write, so only the person's
 * own words pass without a question. Texts are compared as they are: nothing is folded, normalised or left out, since that is what
 * somebody would use who wants two different texts to count as the same.
 */
export function isSaidByPerson(text: string, said: readonly string[]): boolean {
  const wanted = text.trim()
  if (wanted === '' || !wanted.isWellFormed()) return false
  return said.some((message) => stands(wanted, message))
}

/** One of its occurrences begins and ends where words do: `undo` doesn't say `do`. */
function stands(wanted: string, message: string): boolean {
  for (let at = message.indexOf(wanted); at >= 0; at = message.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    if (!isOneWord(message, at) && !isOneWord(message, end)) return true
  }
  return false
}

/** Whether a cut here goes through a word. Some scripts write no blanks between words: there every cut is one. */
function isOneWord(text: string, at: number): boolean {
  const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? ''
  const after = at < text.length ? String.fromCodePoint(text.codePointAt(at)!) : ''
  return WORD.test(before) && WORD.test(after)
}

const WORD =
  /^[[\p{L}\p{M}\p{N}_]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]]$/v
