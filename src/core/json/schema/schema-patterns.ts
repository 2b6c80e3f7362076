/**
 * Patterns of a schema, as RE2. They are written for JavaScript's engine, which may take longer than the world has; what
 * both mean is carried over, and what RE2 can't do is not tried.
 */
import { isBanksmanError } from '../../errors.ts'
import { expandedSize } from '../../regex/expanded-size.ts'
import { type Regex, readRegex } from '../../regex/regex.ts'

/**
 * Compiling takes up to 100 µs for each character with its repetitions written out, as `\pL{99}` comes to 99 lists of
 * letters, and a pattern that is read takes up to 3 MB: some 100 ms in all at worst.
 */
const MAX_PATTERN = 200
const MAX_ALL_PATTERNS = 1000

export class SchemaPatterns {
  #left = MAX_ALL_PATTERNS
  readonly #read = new Map<string, Regex | undefined>()

  get size(): number {
    return this.#read.size
  }

  /** Undefined for one that can't be checked. */
  read(pattern: string): Regex | undefined {
    if (this.#read.has(pattern)) return this.#read.get(pattern)
    const regex = pattern.length > Math.min(this.#left, MAX_PATTERN) ? undefined : this.#compile(pattern)
    if (this.#read.size < MAX_ALL_PATTERNS) this.#read.set(pattern, regex)
    return regex
  }

  #compile(pattern: string): Regex | undefined {
    const source = toRe2(pattern)
    const size = Math.max(pattern.length, expandedSize(source ?? ''))
    if (source === undefined || size > this.#left) return undefined
    this.#left -= size
    if (source === '') return { finds: () => true, instructions: 1 }
    try {
      return readRegex(source)
    } catch (error) {
      if (isBanksmanError(error, 'invalid_policy')) return undefined
      throw error
    }
  }
}

/** Escapes that mean the same in both, besides those of signs. */
const SHARED_ESCAPES = 'dDwWsSbBnrtfvxpP'

function toRe2(pattern: string): string | undefined {
  let source = ''
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]!
    if (char !== '\\') {
      source += char
      continue
    }
    const next = pattern[++at]
    if (next === undefined) return undefined
    if (next === 'u') {
      const code = /^(?:[0-9a-fA-F]{4}|\{[0-9a-fA-F]{1,6}\})/.exec(pattern.slice(at + 1, at + 9))?.[0]
      if (code === undefined) return undefined
      source += `\\x{${code.replace(/[{}]/g, '')}}`
      at += code.length
    } else if (/[A-Za-z0-9]/.test(next) && !SHARED_ESCAPES.includes(next)) return undefined
    else source += `\\${next}`
  }
  return source
}
