/**
 * A program's arguments as shell text: each word quoted so that a shell expands nothing in it and reads exactly the
 * value back. Two lists of words therefore never have the same text. The policy remembers commands in this form, and
 * people are shown it.
 */

/** Controls but for tab and newline, line separators, and marks that turn the direction of writing. */
export const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/

/** Blanks that no shell takes for a blank, and characters without a width. */
export const INVISIBLE = /(?! )[\p{Default_Ignorable_Code_Point}\p{Zs}]/u

/** Needs no quotes in any shell, whatever stands before it. */
const PLAIN = /^[\p{L}\p{N}_@%+:,./^-][\p{L}\p{N}_@%+=:,./^~-]*$/u

const PLAIN_ALONE: ReadonlySet<string> = new Set(['[', ']', '{}', '!', '='])

const RESERVED: ReadonlySet<string> = new Set(
  '! { } [[ ]] if then elif else fi case esac for select while until do done in function time coproc'.split(
    ' ',
  ),
)

const ASSIGNMENT = /^[\p{L}_][\p{L}\p{N}_]*\+?=/u

/** What a shell would have to be given to start the program with exactly these arguments. */
export function quoteWords([program, ...words]: readonly string[]): string {
  return program === undefined ? '' : [quoteProgram(program), ...words.map(quoteWord)].join(' ')
}

/** A word that means something to the shell itself in the first place is quoted. */
export function quoteProgram(name: string): string {
  return RESERVED.has(name) || ASSIGNMENT.test(name) ? quoteAlways(name) : quoteWord(name)
}

export function quoteWord(value: string): string {
  if (PLAIN_ALONE.has(value)) return value
  if (PLAIN.test(value) && !value.includes('=~') && !value.includes(':~') && value.isWellFormed())
    return value
  return quoteAlways(value)
}

/** In plain ASCII whatever the value, for one that would not be clear as it is: `$'\u0440aypal'`. */
export function spellWord(value: string): string {
  return `$'${value.replace(/[^!-&(-[\]-~]/gu, (character) => (character === ' ' ? '\\x20' : spell(character)))}'`
}

function quoteAlways(value: string): string {
  if (!needsEscapes(value)) return `'${value.replaceAll("'", "'\\''")}'`
  return `$'${value.replace(/[^ !-&(-[\]-~]/gu, (character) => (isClear(character) ? character : spell(character)))}'`
}

/** Whether the text can't be shown as it is without hiding something. */
export function needsEscapes(text: string): boolean {
  return /[\t\n]/.test(text) || CONTROL.test(text) || INVISIBLE.test(text) || !text.isWellFormed()
}

function isClear(character: string): boolean {
  return character > '\x7f' && !needsEscapes(character)
}

/** No `\'`: a shell that does not know this kind of quotes would take it for their end. */
function spell(character: string): string {
  if (character === '\n') return '\\n'
  if (character === '\t') return '\\t'
  if (character === '\\') return '\\\\'
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return `\\x${hex(code, 2)}`
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0')
}
