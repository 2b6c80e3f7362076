/**
 * Matches names against patterns in which `*` is the only wildcard and stands for anything, line breaks included.
 * Everything else is literal. There is no way of writing a literal `*`.
 *
 * No regular expression: those backtrack for seconds on a pattern like `*a*a*a*b`. The pieces between the stars
 * are looked for from left to right, each from where the last one ended, and taking the first place is always
 * right because a star can swallow the rest. So the name is walked through once.
 */
import { type GlobPiece, pieceOf } from './glob-piece.ts'

export interface Glob {
  /** What stands before the first star and after the last. */
  readonly prefix: string
  readonly suffix: string
  /** What stands between stars, without the empty ones. */
  readonly middle: readonly GlobPiece[]
}

export function compileGlob(pattern: string): (text: string) => boolean {
  if (!pattern.includes('*')) return (text) => text === pattern
  const glob = parseGlob(pattern)
  return (text) => matchesGlob(glob, text)
}

/** Of a pattern with at least one star: one without is a name, which is compared. */
export function parseGlob(pattern: string): Glob {
  const pieces = pattern.split('*')
  return {
    prefix: pieces[0] ?? '',
    suffix: pieces.at(-1) ?? '',
    middle: pieces
      .slice(1, -1)
      .filter((piece) => piece !== '')
      .map(pieceOf),
  }
}

export function matchesGlob({ prefix, suffix, middle }: Glob, text: string): boolean {
  const end = text.length - suffix.length
  if (end < prefix.length) return false
  // Most globs have one of the two, and a call for nothing costs as much as one for something.
  if (prefix !== '' && !text.startsWith(prefix)) return false
  if (suffix !== '' && !text.endsWith(suffix)) return false
  let at = prefix.length
  for (const piece of middle) {
    const found = piece.indexIn(text, at)
    if (found === -1) return false
    at = found + piece.text.length
    if (at > end) return false
  }
  return true
}
