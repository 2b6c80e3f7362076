/**
 * A literal piece of a pattern, and where it stands in a text. Looking for it takes time in proportion to the text:
 * the engine's own `indexOf` falls back to comparing at every place when a long piece almost fits everywhere, so long
 * pieces are looked for by Knuth, Morris and Pratt's method, which never goes back in the text.
 */
export interface GlobPiece {
  readonly text: string
  /** Its first place at or after `from`, or -1. */
  indexIn(text: string, from: number): number
}

/** Up to here comparing at every place costs little: so many steps a character at worst. It is about 20 times as fast otherwise. */
const SHORT = 32

export function pieceOf(text: string): GlobPiece {
  if (text.length <= SHORT) return { text, indexIn: (within, from) => within.indexOf(text, from) }
  const fallbacks = fallbacksOf(text)
  return { text, indexIn: (within, from) => indexOf(text, fallbacks, within, from) }
}

function indexOf(piece: string, fallbacks: Uint32Array, within: string, from: number): number {
  let fitting = 0
  for (let at = from; at < within.length; at++) {
    const code = within.charCodeAt(at)
    while (fitting > 0 && piece.charCodeAt(fitting) !== code) fitting = fallbacks[fitting]!
    if (piece.charCodeAt(fitting) === code) fitting++
    if (fitting === piece.length) return at - fitting + 1
  }
  return -1
}

/** For each length of a beginning of the piece that fits: the length of the longest shorter beginning that then fits too. */
function fallbacksOf(piece: string): Uint32Array {
  const fallbacks = new Uint32Array(piece.length + 1)
  let fitting = 0
  for (let at = 1; at < piece.length; at++) {
    const code = piece.charCodeAt(at)
    while (fitting > 0 && piece.charCodeAt(fitting) !== code) fitting = fallbacks[fitting]!
    if (piece.charCodeAt(fitting) === code) fitting++
    fallbacks[at + 1] = fitting
  }
  return fallbacks
}
