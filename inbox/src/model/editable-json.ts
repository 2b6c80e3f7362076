/** Arguments as text that a person edits: what can't be seen is escaped, which JSON reads back as what it was. */
import type { JsonObject } from '../../../src/client/index.ts'
import { parseStrictJson } from '../../../src/core/strict-json.ts'

/** Control, format and unassigned characters, blanks other than the space, and what fonts draw as nothing. */
const UNSEEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu

export function toEditableJson(value: JsonObject): string {
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

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`
  }).join('')
}
