/**
 * A sentence cut where it quotes: what stands between backticks is code. Ours are the backticks of a message, and around a value there are
 * more than it has in a row itself. A value that stands in a sentence unquoted keeps its backticks, and then all of it stands as it is
 * written: a value never becomes markup, and no character of it disappears (P9).
 */
import type { Reason } from '../../../../src/core/reasons/reason.ts'

export interface CodePiece {
  text: string
  isCode: boolean
}

/** `reason`: what the sentence was made of. */
export function codePieces(text: string, reason: Reason): CodePiece[] {
  const pieces = cutAtQuotes(text)
  const code = pieces.map((piece) => (piece.isCode ? piece.text : '')).join('\0')
  const isQuoted = (value: string) => text.includes(value) && countOf(text, value) === countOf(code, value)
  return ownTicks(reason).every(isQuoted) ? pieces : [{ text, isCode: false }]
}

/** Of our own words, which have no values in them. */
export function cutAtQuotes(text: string): CodePiece[] {
  // Text, backticks and what stands between them by turns, beginning and ending with a text.
  return text.split(QUOTED).flatMap((part, index, all): CodePiece[] => {
    if (index % 3 === 1 || part === '') return []
    const isCode = index % 3 === 2
    return [{ text: isCode && all[index - 1] !== '`' ? part.slice(1, -1) : part, isCode }]
  })
}

/** As many backticks at the end as at the beginning. */
const QUOTED = /(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/su

/** The values that have backticks of their own. */
function ownTicks(reason: Reason): string[] {
  const found: string[] = []
  JSON.stringify(reason, (_, value) => {
    if (typeof value === 'string' && value.includes('`')) found.push(value)
    return value
  })
  return found
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1
}
