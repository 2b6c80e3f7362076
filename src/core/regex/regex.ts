/**
 * Regular expressions that others write, in RE2's syntax: no back-references and no look-around, and in return no expression
 * on which matching takes ages. This is the only file that knows the library.
 */
import { RE2JS, RE2JSException } from 're2js'
import { BanksmanError } from '../errors.ts'
import type { Reason } from '../reasons/reason.ts'
import { reasonOf } from '../reasons/reason-of.ts'
import { expandedSize } from './expanded-size.ts'
import { createRegexRunner, isEverFound, type Program } from './regex-program.ts'

/**
 * The time grows with the instructions and with the length of the text: at this cap 10 kB take 3 to 5 ms of a
 * processor at worst, and up to 19 ms the very first time, before the engine has made machine code; 20 ms is what we
 * promise. At 300 it would be 9 and 27. Ordinary expressions have 10 to 60 instructions; `{1,50}` counts 50 times.
 */
export const MAX_REGEX_INSTRUCTIONS = 200
const MAX_SOURCE = 1000
/** What is larger than this is refused before it is compiled, which takes some 10 ms and 5 MB at most below it. */
const MAX_EXPANDED = 4000

export interface Regex {
  /** Whether it is found anywhere in a text. */
  finds(text: string): boolean
  /** The time that `finds` takes grows with this and with the length of the text. */
  instructions: number
}

/** Whether the expression is found anywhere in a text. The caller adds where it stands in the policy. */
export function compileRegex(source: string): (text: string) => boolean {
  return readRegex(source).finds
}

/** Whether there is a text in which it is found. For who checks what somebody wrote: it is worked out anew each time. */
export function isRegexEverFound(source: string): boolean {
  return isEverFound(programOf(parse(source).re2()))
}

export function readRegex(source: string): Regex {
  if (source === '') refuse(reasonOf('regex.empty'))
  if (source.length > MAX_SOURCE) {
    refuse(reasonOf('regex.long', { length: source.length, limit: MAX_SOURCE }))
  }
  if (!source.isWellFormed()) refuse(reasonOf('regex.surrogate'))
  const expanded = expandedSize(source)
  if (expanded > MAX_EXPANDED) tooLarge(source, expanded)
  const re2 = parse(source).re2()
  const instructions: number = re2.numberOfInstructions()
  if (instructions > MAX_REGEX_INSTRUCTIONS) tooLarge(source, instructions)
  return { finds: createRegexRunner(programOf(re2)), instructions }
}

function programOf({ dfa, prog }: ReturnType<RE2JS['re2']>): Program {
  return {
    start: prog.start,
    instructions: prog.inst,
    classStarts: dfa.classBounds,
    classOf: (rune) => dfa.runeClass(rune),
  }
}

function tooLarge(source: string, instructions: number): never {
  refuse(
    reasonOf('regex.large', {
      source: JSON.stringify(source),
      count: instructions,
      limit: MAX_REGEX_INSTRUCTIONS,
      example: '{1,200}',
    }),
  )
}

function parse(source: string): RE2JS {
  try {
    return RE2JS.compile(source)
  } catch (error) {
    const why =
      error instanceof RE2JSException
        ? error.message.replace(/^error parsing regexp: /, '')
        : reasonOf('regex.too-large')
    const wrong = reasonOf('regex.syntax', { source: JSON.stringify(source), why })
    const hint = hintFor(source)
    return refuse(hint === undefined ? wrong : reasonOf('regex.hint', { why: wrong, hint }))
  }
}

function hintFor(source: string): Reason | undefined {
  if (/\(\?<?[=!]/.test(source)) {
    return reasonOf('regex.no-look-around')
  }
  if (/\\[1-9]|\\k[<{']|\(\?P=/.test(source)) {
    return reasonOf('regex.no-references')
  }
  if (/\(\?>|[*+?}]\+/.test(source)) return reasonOf('regex.no-atomic')
  if (/^\/.*\/[a-z]*$/s.test(source)) return reasonOf('regex.slashes')
  return undefined
}

/** Whoever knows where it stands makes the sentence of it. */
function refuse(reason: Reason): never {
  throw new BanksmanError('invalid_policy', reason.code, { reason })
}
