/**
 * The one form in which a command is shown and remembered. It is itself shell text, and reading it gives the same
 * words again: so two commands with different words never look the same.
 */
import { needsEscapes } from './characters.ts'
import type { ShellWord } from './reading.ts'

/** Needs no quotes in any shell, whatever stands before it. */
const PLAIN = /^[\p{L}\p{N}_@%+:,./^-][\p{L}\p{N}_@%+=:,./^~-]*$/u

const PLAIN_ALONE: ReadonlySet<string> = new Set(['[', ']', '{}', '!'])

const RESERVED: ReadonlySet<string> = new Set(
  '! { } [[ ]] if then elif else fi case esac for select while until do done in function time coproc'.split(
    ' ',
  ),
)

/** The program is given as it is to stand there: quoted, or from the source. */
export function commandText(program: string, words: readonly ShellWord[]): string {
  let text = program
  for (const word of words) text += ` ${wordText(word)}`
  return text
}

export function wordText(word: ShellWord): string {
  const { value } = word
  if (value === undefined || word.pattern) return sourceText(word.text)
  if (!isHomePath(word)) return quote(value)
  return value.length <= 2 ? value : `~/${quote(value.slice(2))}`
}

/** A word that means something to the shell itself in this place is quoted. */
export function quoteProgram(name: string): string {
  return RESERVED.has(name) ? `'${name}'` : quote(name)
}

export function quote(value: string): string {
  if (PLAIN_ALONE.has(value)) return value
  if (PLAIN.test(value) && !value.includes('=~') && !value.includes(':~')) return value
  if (!needsEscapes(value)) return `'${value.replaceAll("'", "'\\''")}'`
  return `$'${value.replace(/[^ !-&(-[\]-~]/gu, escapeCharacter)}'`
}

/** An unquoted `~` or `~/…`, which the shell turns into the home folder. */
export function isHomePath(word: ShellWord): boolean {
  return word.text.startsWith('~') && word.value !== undefined
}

/** A continued line is one line; inside single quotes nothing is continued. */
function sourceText(text: string): string {
  return text.includes("'") ? text : text.replaceAll('\\\n', '')
}

/** No `\'`: a shell that does not know this kind of quotes would take it for their end. */
function escapeCharacter(character: string): string {
  if (character === '\n') return '\\n'
  if (character === '\t') return '\\t'
  if (character === '\\') return '\\\\'
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return `\\x${hex(code, 2)}`
  if (!needsEscapes(character)) return character
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0')
}
