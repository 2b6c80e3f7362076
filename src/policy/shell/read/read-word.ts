/**
 * Reads one word: what the program would be given, where that is fixed, and what the shell would run to find out.
 * It looks at the parts of a word and never at its text alone: `'$(rm x)'` and `$(rm x)` have the same text inside.
 */

import type { WordYield } from '../commands/readers.ts'
import { makeDoubt, type Scope, spanOf } from '../commands/scope.ts'
import type { DoubtCode } from '../commands/why-doubted.ts'
import { hasInvisible } from '../parse/control-characters.ts'
import type { Word, WordPart } from '../parse/parse.ts'
import type { Doubt, ShellWord } from '../reading.ts'
import { readArithmetic, readParameter } from './read-expansion.ts'

/** Nothing in these means anything to any shell. */
const PLAIN = /^[A-Za-z0-9_.,@%+/-][A-Za-z0-9_.,:@%+=/-]*$/

export function readWord(word: Word, scope: Scope, yielded: WordYield): ShellWord {
  const { text } = word
  if (PLAIN.test(text)) return { text, value: text, pattern: false }
  const parts = word.parts
  const state = openState()
  if (parts === undefined) {
    state.value = word.value
    state.bare = text
    readUnquoted(text, word, scope, yielded)
  } else readParts(parts, scope, yielded, state, false)
  readStart(text, state)
  readBare(state)
  if (state.glob && mayLeaveFolder(state.value)) state.fixed = false
  return { text, value: state.fixed ? state.value : undefined, pattern: state.many }
}

export function emptyYield(): WordYield {
  return { scripts: [], doubts: [] }
}

/** Parts of a here-document or of a pattern, whose value is of no interest. */
export function readLooseParts(parts: readonly WordPart[], scope: Scope, yielded: WordYield): void {
  readParts(parts, scope, yielded, openState(), true)
}

interface WordState {
  value: string
  /** The value is known before the line runs. */
  fixed: boolean
  /** It may come to any number of words. */
  many: boolean
  glob: boolean
  /** What stands outside quotes and expansions. */
  bare: string
}

function openState(): WordState {
  return { value: '', fixed: true, many: false, glob: false, bare: '' }
}

function readParts(
  parts: readonly WordPart[],
  scope: Scope,
  yielded: WordYield,
  state: WordState,
  quoted: boolean,
): void {
  for (const part of parts) readPart(part, scope, yielded, state, quoted)
}

function readPart(part: WordPart, scope: Scope, yielded: WordYield, state: WordState, quoted: boolean): void {
  switch (part.type) {
    case 'Literal':
      state.value += part.value
      if (quoted) return
      state.bare += part.text
      readUnquoted(part.text, part, scope, yielded)
      return
    case 'SingleQuoted':
      state.value += part.value
      return
    case 'AnsiCQuoted':
      state.value += part.value
      if (isReadDifferently(part)) addDoubt(yielded, scope, part, 'expansion', 'part.shells-differ')
      return
    case 'DoubleQuoted':
      readParts(part.parts, scope, yielded, state, true)
      return
    case 'LocaleString':
      unknown(state, true)
      readParts(part.parts, scope, yielded, state, true)
      return
    case 'Glob':
      state.value += part.value
      state.glob = true
      state.many = true
      if (part.parts !== undefined) readLooseParts(part.parts, scope, yielded)
      return
    case 'BraceExpansion':
      unknown(state, false)
      if (part.parts !== undefined) readLooseParts(part.parts, scope, yielded)
      return
    case 'ExtendedGlob':
      unknown(state, false)
      addDoubt(yielded, scope, part, 'expansion', 'part.expansion')
      if (part.parts !== undefined) readLooseParts(part.parts, scope, yielded)
      return
    case 'SimpleExpansion':
      unknown(state, quoted && part.text !== '$@')
      return
    case 'ParameterExpansion':
      unknown(state, quoted && !/[@*]/.test(part.text))
      readParameter(part, scope, yielded)
      return
    case 'ArithmeticExpansion':
      unknown(state, quoted)
      if (part.expression === undefined) addDoubt(yielded, scope, part, 'unparsable', 'part.unclear')
      else readArithmetic(part.expression, scope, yielded)
      return
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      unknown(state, quoted)
      if (part.script === undefined) addDoubt(yielded, scope, part, 'unparsable', 'part.unclear')
      else yielded.scripts.push({ script: part.script, span: { start: part.pos, end: part.end } })
      if (!isClosed(part.text)) addDoubt(yielded, scope, part, 'unparsable', 'part.open')
      if (part.text.startsWith('${')) {
        addDoubt(yielded, scope, part, 'expansion', 'part.shells-differ')
        scope.track.lost = true
      }
      return
    default:
      unknown(state, false)
      addDoubt(yielded, scope, part satisfies never, 'unparsable', 'part.unclear')
  }
}

/** To a shell without these quotes `\\'` is where they end, and a slash written as a number is none. */
function isReadDifferently(part: { text: string; value: string }): boolean {
  return part.text.includes("\\'") || part.value.split('/').length > part.text.split('/').length
}

function unknown(state: WordState, oneWord: boolean): void {
  state.fixed = false
  if (!oneWord) state.many = true
}

function readUnquoted(
  text: string,
  at: { pos: number; end: number },
  scope: Scope,
  yielded: WordYield,
): void {
  if (hasInvisible(text)) addDoubt(yielded, scope, { ...at, text }, 'control character', 'part.invisible')
}

/** What only the beginning of a word means: a home folder, and in zsh the path of a program. */
function readStart(text: string, state: WordState): void {
  if (text.startsWith('~')) {
    if (!/^~(\/|$)/.test(text)) state.fixed = false
  } else if (/^=./s.test(text) || /^[A-Za-z_]\w*=([^'"]*:)?~/.test(text)) state.fixed = false
}

/** Wildcards and braces, even where the parser took them for plain text because of what stands between them. */
function readBare(state: WordState): void {
  const bare = state.bare.replace(/\\./gs, '')
  if (/[*?]/.test(bare) || between(bare, '[', ']') !== undefined) {
    state.glob = true
    state.many = true
  }
  if (/,|\.\./.test(between(bare, '{', '}') ?? '')) unknown(state, false)
}

function between(text: string, opening: string, closing: string): string | undefined {
  const start = text.indexOf(opening)
  const end = text.lastIndexOf(closing)
  return start !== -1 && start < end ? text.slice(start + 1, end) : undefined
}

/** After a wildcard `..` leads anywhere, and a wildcard behind a dot may itself mean `..`. */
function mayLeaveFolder(value: string): boolean {
  const wild = value.search(/[*?[]/)
  const start = value.lastIndexOf('/', wild) + 1
  return /(^|\/)\.(\.(\/|$)|[^/]*[*?[])/.test(value.slice(start))
}

function addDoubt(
  yielded: WordYield,
  scope: Scope,
  part: { pos: number; end: number; text: string },
  kind: Doubt['kind'],
  why: DoubtCode,
): void {
  yielded.doubts.push(makeDoubt(kind, part.text, why, spanOf(scope, { start: part.pos, end: part.end })))
}

/** In a here-document the parser lets a substitution end with the text. */
function isClosed(text: string): boolean {
  if (text.startsWith('`')) return text.length > 1 && text.endsWith('`')
  return text.endsWith(text.startsWith('${') ? '}' : ')')
}
