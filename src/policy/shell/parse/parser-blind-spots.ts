/**
 * Forms that the parser takes for something else than a shell does, so that a command in them is not seen. They are
 * found in the text as it stands, in quotes too: nobody writes them, and being asked once too often does no harm.
 */
export interface BlindSpot {
  readonly start: number
  readonly end: number
}

const SPOTS: readonly RegExp[] = [
  // The parser sees a word, a shell runs what is in the brackets: `ls 2>(touch x)`, `cat {fd}<(touch x)`.
  /[0-9}][<>]\(/,
  // The parser sees a remark, a shell goes on reading: `echo <(ls)# ; touch x`.
  /\)#/,
  // The parser takes it as one word, for a shell a new one begins: `<&-touch ls`.
  /[<>]&[0-9]*-[^\s;|&<>()]/,
]

export function findBlindSpot(text: string): BlindSpot | undefined {
  for (const form of SPOTS) {
    const match = form.exec(text)
    if (match !== null) return { start: match.index, end: match.index + match[0].length }
  }
  return undefined
}
