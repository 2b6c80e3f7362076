/** Arguments as text that a person edits: what can't be seen is escaped, which JSON reads back as what it was. */
import type { JsonObject, JsonValue } from '../../../../../src/client/index.ts'
import { isBanksmanError } from '../../../../../src/core/errors.ts'
import { parseStrictJson } from '../../../../../src/core/json/strict-json.ts'

/** Control, format and unassigned characters, blanks other than the space, and what fonts draw as nothing. */
const UNSEEN = /[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]--[ \n]]/gv
const UNSEEN_IN_FIELD = /[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]--[ \n\t]]/v
/** Deep values with many members would be blanks for the most part: a hundred times as long as what they say. */
const MOST_BLANKS = 500_000
/** A text area with more lines than that takes long to answer to a key. */
const MOST_LINES = 10_000

/** What was read, or what is wrong and where: line and column count from 1. */
export type JsonRead<T> =
  | { kind: 'value'; value: T }
  | {
      kind: 'wrong'
      message: string
      line?: number
      column?: number
      /** What would be right, where that says it better than the message. */
      wanted?: 'number' | 'integer'
    }

export function toEditableJson(value: JsonValue): string {
  return JSON.stringify(value, null, indentFor(value)).replaceAll(UNSEEN, escapeUnits)
}

/** Two, or none, all on one line, where lines and blanks would be out of all proportion. */
export function indentFor(root: JsonValue): number {
  let blanksLeft = MOST_BLANKS
  let linesLeft = MOST_LINES
  const waiting: Array<{ value: JsonValue; depth: number }> = [{ value: root, depth: 1 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, depth } = next
    if (typeof value !== 'object' || value === null) continue
    const members = Object.values(value)
    blanksLeft -= 2 * depth * (members.length + 1)
    linesLeft -= members.length + 1
    if (blanksLeft < 0 || linesLeft < 0) return 0
    for (const member of members) {
      if (typeof member === 'object') waiting.push({ value: member, depth: depth + 1 })
    }
  }
  return 2
}

/** Strictly: what would be sent as something else than what stands there is an error, with its place. */
export function fromEditableJson(text: string): JsonObject {
  const value = parseStrictJson(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new TypeError('the arguments must be an object: { … }')
}

/** The same, as something that can be shown. */
export function readAs<T>(read: () => T): JsonRead<T> {
  try {
    return { kind: 'value', value: read() }
  } catch (error) {
    if (!isBanksmanError(error)) return { kind: 'wrong', message: (error as Error).message }
    const { line, column } = error.details
    const message = error.message.replace(/^line \d+, column \d+: /, '')
    return { kind: 'wrong', message, line: Number(line), column: Number(column) }
  }
}

/** Whether all of a text can be seen in a field that people write in, and comes out of it as it went in. */
export function isPlainText(text: string): boolean {
  return !UNSEEN_IN_FIELD.test(text)
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`
  }).join('')
}
