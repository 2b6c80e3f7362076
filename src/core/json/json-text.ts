/** Places in JSON text, found without parsing it. The text must be JSON; on anything else these end, and say nothing of worth. */

export function skipSpace(text: string, from: number): number {
  let at = from
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09
}

/** Behind the closing quote of the string whose opening quote is at `from`. */
export function endOfString(text: string, from: number): number {
  for (let at = from + 1; ; ) {
    const quote = text.indexOf('"', at)
    if (quote === -1) return text.length
    let before = quote - 1
    while (text[before] === '\\') before--
    if ((quote - before) % 2 === 1) return quote + 1
    at = quote + 1
  }
}

/** Whether the name of a member is written with a backslash. */
export function hasEscapedName(text: string): boolean {
  let backslash = text.indexOf('\\')
  for (let at = text.indexOf('"'); at !== -1 && backslash !== -1; ) {
    const to = endOfString(text, at)
    if (backslash < to) {
      if (text[skipSpace(text, to)] === ':') return true
      backslash = text.indexOf('\\', to)
    }
    at = text.indexOf('"', to)
  }
  return false
}
