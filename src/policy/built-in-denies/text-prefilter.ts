/**
 * One quick test that tells whether a text is worth a closer look. Nearly no text is, and that is what keeps the
 * built-in denies cheap. It takes time in proportion to the text, whatever is in it.
 */
export interface TextPrefilter {
  test(text: string): boolean
}

export function compilePrefilter(names: readonly string[], texts: readonly string[]): TextPrefilter {
  const literals = new RegExp([...names, ...texts].map(literal).join('|'))
  const beginnings = new Set(names.map((name) => name.slice(0, 2)))
  return { test: (text) => literals.test(text) || hasWildcardAfter(text, beginnings) }
}

/** How far behind the beginning of a name a wildcard may stand for the rest of it. */
const REACH = 64

const SPACE = 0x20
const STAR = 0x2a
const SLASH = 0x2f
const QUESTION_MARK = 0x3f
const BRACKET = 0x5b

/** Whether a wildcard follows the beginning of one of the names in the same step of a path: `ba*`. */
function hasWildcardAfter(text: string, beginnings: ReadonlySet<string>): boolean {
  if (!/[*?[]/.test(text)) return false
  const firsts = new Set([...beginnings].map((beginning) => beginning.charCodeAt(0)))
  /** Where the last such beginning ended. */
  let last = Number.NEGATIVE_INFINITY
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === STAR || code === QUESTION_MARK || code === BRACKET) {
      if (at - last <= REACH) return true
    } else if (code === SLASH || code <= SPACE) last = Number.NEGATIVE_INFINITY
    else if (firsts.has(code)) {
      const beginning = text.slice(at, at + 2)
      if (beginnings.has(beginning) || beginnings.has(beginning.charAt(0))) last = at + beginning.length
    }
  }
  return false
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
