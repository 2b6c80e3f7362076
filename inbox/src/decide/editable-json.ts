/** Arguments as text that a person edits: what can't be seen is escaped, which JSON reads back as what it was. */
import type { JsonObject, JsonValue } from '../../../src/client/index.ts'
import { isBanksmanError } from '../../../src/core/errors.ts'
import { parseStrictJson } from '../../../src/core/strict-json.ts'

/** Control, format and unassigned characters, blanks other than the space, and what fonts draw as nothing. */
const UNSEEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu

/** What was read, or what is wrong and where: line and column count from 1. */
export type Read<T> =
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
  return JSON.stringify(value, null, 2).replaceAll(UNSEEN, (character) =>
    character === ' ' || character === '\n' ? character : escapeUnits(character),
  )
}

/** Strictly: what would be sent as something else than what stands there is an error, with its place. */
export function fromEditableJson(text: string): JsonObject {
  const value = parseStrictJson(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new TypeError('the arguments must be an object: { … }')
}

/** The same, as something that can be shown. */
export function readAs<T>(read: () => T): Read<T> {
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
  return !text.replaceAll(/[ \n\t]/g, '').match(UNSEEN)
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`
  }).join('')
}
