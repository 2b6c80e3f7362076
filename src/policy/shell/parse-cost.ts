/**
 * The parser looks for the end of every `{` and of every `$[` by itself, so a text with thousands of them that are never
 * closed costs their number squared: seconds for a few kilobytes. This counts the steps beforehand, and stops counting
 * as soon as they are too many. It need not be exact: a text that is refused is a doubt, and one that is let through
 * is slow.
 */

/** What any text may cost, and what each of its characters may add. */
const STEPS = 1_000_000
const STEPS_EACH = 20

export function costsTooMuch(source: string): boolean {
  let left = STEPS + STEPS_EACH * source.length
  for (let at = source.indexOf('{'); at !== -1 && left > 0; at = source.indexOf('{', at + 1))
    left -= stepsToEnd(source, at, left)
  for (let at = source.indexOf('$['); at !== -1 && left > 0; at = source.indexOf('$[', at + 2))
    left -= source.length - at
  return left <= 0
}

const QUOTES = '"\'`'
const ENDS = ' \t\n;&|<>('
const BEFORE_BRACKETS = '$<>?*+@!'

/** From a brace to the one that closes it, or to the end of the word that it stands in. */
function stepsToEnd(source: string, start: number, most: number): number {
  let depth = 0
  let at = start
  for (; at < source.length && at - start < most; at++) {
    const character = source.charAt(at)
    if (character === '{') depth++
    else if (character === '}') {
      if (--depth === 0) break
    } else if (character === '\\') at++
    else if (QUOTES.includes(character)) at = endOf(source, character, at + 1)
    else if (!ENDS.includes(character)) continue
    else if (source.charAt(at + 1) === '(') continue
    else if (character !== '(' || !BEFORE_BRACKETS.includes(source.charAt(at - 1))) break
    else at = endOf(source, ')', at + 1)
  }
  return at - start
}

function endOf(source: string, mark: string, from: number): number {
  const end = source.indexOf(mark, from)
  return end === -1 ? source.length : end
}
