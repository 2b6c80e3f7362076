/**
 * Splits the text of a command pattern into words the way a shell would, but for expansions: there are none. A `*` is
 * a wildcard wherever it stands, in quotes too.
 */
import { BanksmanError } from '../../../core/errors.ts'
import { reasonOf } from '../../../core/reasons/reason-of.ts'

export interface PatternWord {
  readonly value: string
  /** Begins with a `~` outside quotes. */
  readonly home: boolean
}

export function splitPattern(pattern: string): PatternWord[] {
  const words: PatternWord[] = []
  let at = 0
  while (at < pattern.length) {
    if (/\s/.test(pattern.charAt(at))) {
      at++
      continue
    }
    const home = pattern.charAt(at) === '~'
    let value = ''
    while (at < pattern.length && !/\s/.test(pattern.charAt(at))) {
      const [text, end] = readPiece(pattern, at)
      value += text
      at = end
    }
    words.push({ value, home })
  }
  return words
}

function readPiece(pattern: string, at: number): [string, number] {
  const character = pattern.charAt(at)
  if (character === "'") {
    const end = pattern.indexOf("'", at + 1)
    return end === -1 ? unclosed(pattern, "'") : [pattern.slice(at + 1, end), end + 1]
  }
  if (character === '"') return readDoubleQuoted(pattern, at + 1)
  if (character === '\\' && at + 1 < pattern.length) return [pattern.charAt(at + 1), at + 2]
  return [character, at + 1]
}

function readDoubleQuoted(pattern: string, from: number): [string, number] {
  let value = ''
  for (let at = from; at < pattern.length; at++) {
    const character = pattern.charAt(at)
    if (character === '"') return [value, at + 1]
    if (character === '\\' && '"\\$`'.includes(pattern.charAt(at + 1) || 'x')) value += pattern.charAt(++at)
    else value += character
  }
  return unclosed(pattern, '"')
}

function unclosed(pattern: string, mark: string): never {
  // The sentence of the reason: the messages are out of reach here, see `split-pattern.test.ts`.
  throw new BanksmanError(
    'invalid_policy',
    `The command pattern \`${pattern}\` has a ${mark} without its partner. Close it, or write \\${mark} for the character itself.`,
    { reason: reasonOf('wrong.unclosed', { pattern, mark }) },
  )
}
