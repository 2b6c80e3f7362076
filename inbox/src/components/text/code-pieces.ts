/**
 * A sentence cut where it quotes: what stands between backticks is code. Ours are the backticks of a message, and around a value there are
 * more than it has in a row itself. A value that stands in a sentence unquoted keeps its backticks, and then all of it stands as it is
 * written: a value never becomes markup, and no character of it disappears (P9).
 */
import type { Reason, ReasonValue } from '../../../../src/core/reasons/reason.ts'

export interface CodePiece {
  text: string
  isCode: boolean
}

/** `reason`: what the sentence was made of. */
export function codePieces(text: string, reason: Reason): CodePiece[] {
  const pieces = cutAtQuotes(text)
  const quoted = pieces.filter(({ isCode }) => isCode)
  const isSafe = textsIn(reason).every((value) => {
    if (!value.includes('`')) return true
    const found = countOf(text, value)
    return found > 0 && found === quoted.reduce((sum, piece) => sum + countOf(piece.text, value), 0)
  })
  return isSafe ? pieces : [{ text, isCode: false }]
}

/** Of our own words, which have no values in them. */
export function cutAtQuotes(text: string): CodePiece[] {
  const pieces: CodePiece[] = []
  let at = 0
  for (const match of text.matchAll(QUOTED)) {
    if (match.index > at) pieces.push({ text: text.slice(at, match.index), isCode: false })
    const [whole, ticks = '', inner = ''] = match
    pieces.push({ text: ticks.length > 1 ? inner.replace(/^ (.*) $/su, '$1') : inner, isCode: true })
    at = match.index + whole.length
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isCode: false })
  return pieces
}

/** As many backticks at the end as at the beginning. */
const QUOTED = /(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/gsu

function textsIn(reason: Reason): string[] {
  const of = (value: ReasonValue): string[] => {
    if (typeof value === 'string') return [value]
    if (typeof value !== 'object') return []
    return 'code' in value ? textsIn(value) : value.flatMap(of)
  }
  return Object.values(reason.values ?? {}).flatMap(of)
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1
}
