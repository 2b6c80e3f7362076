/**
 * Matches names against patterns in which `*` is the only wildcard and stands for anything, line breaks included.
 * Everything else is literal. There is no way of writing a literal `*`.
 *
 * No regular expression: those backtrack for seconds on a pattern like `*a*a*a*b`. The pieces between the stars
 * are looked for from left to right, each from where the last one ended, and taking the first place is always
 * right because a star can swallow the rest. So the name is walked through once.
 */
export function compileGlob(pattern: string): (text: string) => boolean {
  const pieces = pattern.split('*')
  const [prefix = ''] = pieces
  if (pieces.length === 1) return (text) => text === prefix
  const suffix = pieces.at(-1) ?? ''
  const middle = pieces.slice(1, -1).filter((piece) => piece !== '')
  return (text) => {
    const end = text.length - suffix.length
    if (end < prefix.length || !text.startsWith(prefix) || !text.endsWith(suffix)) return false
    let at = prefix.length
    for (const piece of middle) {
      const found = text.indexOf(piece, at)
      if (found === -1) return false
      at = found + piece.length
      if (at > end) return false
    }
    return true
  }
}
