/**
 * Reads a Starlark file that is nothing but calls with texts and lists of texts, as Codex' rules are. Anything else in it
 * (variables, loops, `+`) is refused: what is not read could be what stops a command.
 */
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { quoted, refuse } from './imported.ts'

export type StarlarkValue = string | boolean | number | null | StarlarkValue[]

export interface StarlarkCall {
  readonly name: string
  /** Where it begins, from 1. */
  readonly line: number
  readonly fields: ReadonlyMap<string, StarlarkValue>
}

interface StarlarkToken {
  readonly kind: 'name' | 'text' | 'number' | 'mark' | 'end'
  readonly value: string
  readonly line: number
}

const TOKEN =
  /[ \t\r\n;]+|#[^\n]*|\\\r?\n|(?<text>[rR]?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'))|(?<name>[A-Za-z_]\w*)|(?<number>-?\d+(?:\.\d+)?)|(?<mark>[()[\],=])/y

/** Longer than any file of rules. */
const LONGEST = 1024 * 1024
const MAX_DEPTH = 8

export function readStarlarkCalls(text: string): StarlarkCall[] {
  if (text.length > LONGEST) refuse(reasonOf('codex.long'), '')
  const tokens = tokensOf(text)
  let at = 0
  const next = (): StarlarkToken => tokens[at++] ?? tokens.at(-1)!
  const peek = (): StarlarkToken => tokens[at] ?? tokens.at(-1)!
  const expect = (mark: string): void => {
    const token = next()
    if (token.kind !== 'mark' || token.value !== mark) fail(token, quoted(mark))
  }
  const value = (depth: number): StarlarkValue => {
    const token = next()
    if (token.kind === 'text') {
      // Texts that stand beside each other are one.
      let whole = token.value
      while (peek().kind === 'text') whole += next().value
      return whole
    }
    if (token.kind === 'number') return Number(token.value)
    if (token.kind === 'name' && Object.hasOwn(CONSTANTS, token.value)) return CONSTANTS[token.value]!
    const end = token.kind === 'mark' ? { '[': ']', '(': ')' }[token.value] : undefined
    if (end === undefined || depth > MAX_DEPTH) return fail(token, reasonOf('codex.value'))
    const list: StarlarkValue[] = []
    while (!(peek().kind === 'mark' && peek().value === end)) {
      list.push(value(depth + 1))
      if (peek().kind === 'mark' && peek().value === ',') next()
      else break
    }
    expect(end)
    return list
  }
  const calls: StarlarkCall[] = []
  while (peek().kind !== 'end') {
    const { kind, value: name, line } = next()
    if (kind !== 'name') fail({ kind, value: name, line }, reasonOf('codex.call'))
    expect('(')
    const fields = new Map<string, StarlarkValue>()
    while (peek().kind === 'name') {
      const key = next()
      expect('=')
      if (fields.has(key.value))
        refuse(reasonOf('codex.twice', { line: key.line, key: quoted(key.value) }), '')
      fields.set(key.value, value(0))
      if (peek().kind === 'mark' && peek().value === ',') next()
      else break
    }
    expect(')')
    calls.push({ name, line, fields })
  }
  return calls
}

const CONSTANTS: Readonly<Record<string, StarlarkValue>> = { True: true, False: false, None: null }

function fail({ value, line, kind }: StarlarkToken, wanted: Reason | string): never {
  const found = kind === 'end' ? reasonOf('codex.end') : quoted(value)
  return refuse(reasonOf('codex.expected', { line, wanted, found }), '')
}

function tokensOf(text: string): StarlarkToken[] {
  const tokens: StarlarkToken[] = []
  const pattern = new RegExp(TOKEN)
  let line = 1
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex
    const match = pattern.exec(text)
    if (match === null) return fail({ kind: 'mark', value: text[at] ?? '', line }, reasonOf('codex.call'))
    const { text: string, name, number, mark } = match.groups ?? {}
    if (string !== undefined) tokens.push({ kind: 'text', value: textOf(string), line })
    else if (name !== undefined) tokens.push({ kind: 'name', value: name, line })
    else if (number !== undefined) tokens.push({ kind: 'number', value: number, line })
    else if (mark !== undefined) tokens.push({ kind: 'mark', value: mark, line })
    line += match[0].split('\n').length - 1
  }
  tokens.push({ kind: 'end', value: '', line })
  return tokens
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' }

function textOf(literal: string): string {
  const isRaw = /^[rR]/.test(literal)
  const body = literal.replace(/^[rR]/, '')
  const quotes = /^(?:"""|''')/.test(body) ? 3 : 1
  const inner = body.slice(quotes, -quotes)
  if (isRaw) return inner
  return inner.replace(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([\s\S]))/g, (_, hex, unicode, one) =>
    one === undefined ? String.fromCharCode(Number.parseInt(hex ?? unicode, 16)) : (ESCAPES[one] ?? one),
  )
}
