/**
 * The parser looks for the end of every `{` and of every `$[` by itself, and for the closing line of every `<<`, and goes
 * through what stands in brackets in brackets once for each of them. So a text with thousands of them that are never
 * closed costs their number squared: seconds for a few kilobytes. This counts the
 * steps beforehand, and stops counting as soon as they are too many. It need not be exact: a text that is refused is a
 * doubt, and one that is let through is slow.
 */

/** A step to a line's end is that much cheaper than one from character to character. */
const CHEAP = 16

/** How many steps the parser may take. Never much more than `most`. */
export function parsingSteps(source: string, most: number): number {
  let steps = 0
  for (let at = source.indexOf('{'); at !== -1 && steps <= most; at = source.indexOf('{', at + 1))
    steps += stepsToEnd(source, at, most)
  for (let at = source.indexOf('$['); at !== -1 && steps <= most; at = source.indexOf('$[', at + 2))
    steps += source.length - at
  for (let at = source.indexOf('<<'); at !== -1 && steps <= most; at = source.indexOf('<<', at + 2))
    steps += (source.length - at) / CHEAP
  return Math.ceil(steps <= most ? steps + nestedSteps(source, most - steps) : steps)
}

/** Code that people write has no more brackets around it; of what lies deeper each character counts once a bracket. */
const ORDINARY_DEPTH = 8

/** Quotes are passed over, since which of them are quotes is for the parser to say: it may count too much. */
function nestedSteps(source: string, most: number): number {
  let steps = 0
  let depth = 0
  for (let at = 0; at < source.length && steps <= most; at++) {
    const code = source.charCodeAt(at)
    if (code === 0x28 || code === 0x7b) depth++
    else if ((code === 0x29 || code === 0x7d) && depth > 0) depth--
    if (depth > ORDINARY_DEPTH) steps += depth - ORDINARY_DEPTH
  }
  return steps
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
