import type { ScriptReason } from './script-reason.ts'
/**
 * Whether a sed script only prints: no `w`, `W`, `r`, `R` and `e`, as commands or as flags of `s`. It is read command
 * by command, and what GNU and BSD read differently is refused. Several scripts of one invocation are each read alone,
 * so one that would go on in the next is refused too.
 */

/** Undefined where it only prints, else what is in the way, as a clause. */
export function whySedMayWrite(script: string): ScriptReason | undefined {
  if (script.endsWith('\\')) return { code: 'script.open' }
  let at = 0
  let depth = 0
  while (at < script.length) {
    at = skip(script, at, /[\s;]/)
    if (at >= script.length) break
    if (script[at] === '#') {
      at = endOfLine(script, at)
      continue
    }
    const address = skipAddresses(script, at)
    if (address === undefined) return { code: 'script.open' }
    at = address
    const command = script[at]
    if (command === undefined) return { code: 'script.open' }
    at += 1
    if (command === '{') {
      depth += 1
      continue
    }
    if (command === '}') {
      depth -= 1
      if (depth < 0) return { code: 'script.open' }
      continue
    }
    const after = skipCommand(script, at, command)
    if (after === undefined) return { code: 'script.command', values: { part: command } }
    at = after
  }
  return depth === 0 ? undefined : { code: 'script.open' }
}

/** The end of a command that begins before `at`, or undefined where it is not one that only prints. */
function skipCommand(script: string, at: number, command: string): number | undefined {
  if (command === 's' || command === 'y') return skipSubstitution(script, at, command)
  if (/[pPdDhHgGxnN=zF]/.test(command)) return endOfCommand(script, at)
  if (/[qQlL]/.test(command)) return endOfCommand(script, skip(script, skip(script, at, / /), /\d/))
  if (/[btT:]/.test(command)) return endOfCommand(script, skip(script, skip(script, at, / /), /[\w.-]/))
  // Its text ends at the line's end or goes on after a backslash: only where nothing follows are all seds agreed.
  if (/[aic]/.test(command)) return script.includes('\n', at) ? undefined : script.length
  return undefined
}

function skipSubstitution(script: string, at: number, command: string): number | undefined {
  const mark = script[at]
  if (mark === undefined || /[\s\\\w]/.test(mark)) return undefined
  const middle = skipTo(script, at + 1, mark)
  if (middle === undefined) return undefined
  const end = skipTo(script, middle, mark)
  if (end === undefined) return undefined
  // Whether a mark between square brackets ends the expression is read in two ways.
  if (hasOpenBracket(script.slice(at + 1, middle - 1))) return undefined
  return endOfCommand(script, command === 's' ? skip(script, end, /[gpiIm\d]/) : end)
}

function skipAddresses(script: string, at: number): number | undefined {
  let end = skipAddress(script, at)
  if (end === undefined) return undefined
  end = skip(script, end, / /)
  if (end > at && script[end] === ',') {
    const second = skip(script, end + 1, /[ +~]/)
    const after = skipAddress(script, second)
    if (after === undefined || after === second) return undefined
    end = skip(script, after, / /)
  }
  return skip(script, end, /[! ]/)
}

function skipAddress(script: string, at: number): number | undefined {
  const first = script[at]
  if (first === '$') return at + 1
  if (first !== undefined && /\d/.test(first)) return skip(script, at, /[\d~]/)
  const marked = first === '\\' ? at + 1 : at
  const mark = script[marked]
  if (first !== '/' && first !== '\\') return at
  if (mark === undefined || /[\s\\]/.test(mark)) return undefined
  const end = skipTo(script, marked + 1, mark)
  if (end === undefined || hasOpenBracket(script.slice(marked + 1, end - 1))) return undefined
  return skip(script, end, /[IM]/)
}

/** The place after the next unescaped mark on this line. */
function skipTo(script: string, from: number, mark: string): number | undefined {
  for (let at = from; at < script.length; at += 1) {
    if (script[at] === '\\') at += 1
    else if (script[at] === mark) return at + 1
    else if (script[at] === '\n') return undefined
  }
  return undefined
}

function hasOpenBracket(expression: string): boolean {
  const bare = expression.replace(/\\./gs, '')
  return bare.lastIndexOf('[') > bare.lastIndexOf(']')
}

/** A command ends with the line, a semicolon, a closing bracket or a remark. */
function endOfCommand(script: string, at: number): number | undefined {
  const end = skip(script, at, /[ \t]/)
  const next = script[end]
  return next === undefined || /[\n;}#]/.test(next) ? end : undefined
}

function endOfLine(script: string, at: number): number {
  const end = script.indexOf('\n', at)
  return end === -1 ? script.length : end
}

function skip(script: string, from: number, what: RegExp): number {
  let at = from
  while (at < script.length && what.test(script[at] ?? '')) at += 1
  return at
}
