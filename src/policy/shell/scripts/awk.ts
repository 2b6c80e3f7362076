import type { ScriptReason } from './script-reason.ts'

/**
 * Whether an awk program only prints: no commands, no pipes, no files but those it is given. It is split into tokens
 * as awk does, where a `/` may begin an expression or divide; where that can't be told, nothing that could hide
 * behind it is accepted.
 */

/**
 * Refused wherever they stand, in texts and expressions too: they run commands, read and write files, load code, or
 * change which files are read and what names mean.
 */
const REFUSED = /\b(system|getline|ARGV|ARGC|ENVIRON|SYMTAB|FUNCTAB|PROCINFO|close|fflush)\b|@|\/inet/

const TOKEN =
  /[ \t]+|\n|#[^\n]*|[A-Za-z_]\w*|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|>>|\|\||&&|\+\+|--|[-+*/%^=!<>]=|[\s\S]/y

/** Undefined where it only prints, else what is in the way, as a clause. */
export function whyAwkMayWrite(program: string): ScriptReason | undefined {
  const refused = REFUSED.exec(program)
  if (refused !== null) return { code: 'script.beyond', values: { part: refused[0] } }
  let at = 0
  let before = ''
  let printing = false
  while (at < program.length) {
    if (program[at] === '"') {
      const end = endOfText(program, at, '"')
      if (end === undefined) return { code: 'script.open' }
      at = end
      before = '"'
      continue
    }
    TOKEN.lastIndex = at
    const token = TOKEN.exec(program)?.[0] ?? ''
    if (token.startsWith('/')) {
      if (!divides(before)) {
        const end = endOfText(program, at, '/')
        if (end === undefined) return { code: 'script.open' }
        at = end
        before = '"'
        continue
      }
      if (/[)\]$+-]$/.test(before) && /["|>/]/.test(program.slice(at + token.length))) {
        return { code: 'script.divides' }
      }
    }
    if (token === '|') return { code: 'script.pipe' }
    if (token === '>>' || (token === '>' && printing))
      return { code: 'script.writes', values: { part: token } }
    if (token === '\\' || token === "'" || token === '`')
      return { code: 'script.unclear', values: { part: token } }
    if (token === 'print' || token === 'printf') printing = true
    if (token === ';' || token === '}') printing = false
    if (!/^[ \t#]/.test(token)) before = token
    at += token.length
  }
  return undefined
}

const KEYWORDS = new Set(['print', 'printf', 'return', 'in', 'else', 'do', 'case', 'delete', 'exit'])

/** After a value a `/` divides; after anything else it begins an expression. */
function divides(before: string): boolean {
  return /^[\w."]|^[)\]$]|^(\+\+|--)$/.test(before) && !KEYWORDS.has(before)
}

function endOfText(program: string, from: number, mark: string): number | undefined {
  for (let at = from + 1; at < program.length; at += 1) {
    if (program[at] === '\\') at += 1
    else if (program[at] === mark) return at + 1
    else if (program[at] === '\n') return undefined
    else if (mark === '/' && program[at] === '[') {
      CLASS.lastIndex = at
      const length = CLASS.exec(program)?.[0].length
      if (length === undefined) return undefined
      at += length - 1
    }
  }
  return undefined
}

/** Whether a slash between square brackets ends the expression differs from awk to awk, and so for brackets in them. */
const CLASS = /\[\^?(?:\[:[a-z]+:\]|[^[\]\\/\n])+\]/y
