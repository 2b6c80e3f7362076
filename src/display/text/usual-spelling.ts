/**
 * Tells whether a text is spelled as texts usually are. Unicode has several spellings for much that is drawn alike: é is one
 * character, or an e and an accent; the ångström sign is a letter with a ring; the parts of a Korean syllable are one character
 * or three; accents can stand in one order or in another. The usual spelling is NFC, and no two texts in NFC are drawn alike for
 * these reasons.
 */
export function isUsualSpelling(text: string): boolean {
  return text.normalize('NFC') === text
}

/**
 * Where the first character stands, of those between the two places, that is not spelled in the usual way, by itself or with
 * the one before it. They carry no combining marks.
 */
export function usualUntil(text: string, from: number, to: number, isAfterOrdinary: boolean): number {
  let before = isAfterOrdinary ? text.slice(lastCharacterAt(text, from), from) : ''
  const run = text.slice(from, to)
  if (isUsualSpelling(before + run)) return to
  let at = from
  for (const character of run) {
    if (!isUsualSpelling(before + character)) return at
    before = character
    at += character.length
  }
  return to
}

/** Where the last character before this place begins. */
export function lastCharacterAt(text: string, at: number): number {
  const isPair = at > 1 && (text.codePointAt(at - 2) ?? 0) > 0xffff
  return Math.max(0, at - (isPair ? 2 : 1))
}
