/**
 * Ids for requests of our own to the MCP server, of the same kind as those of its client. A server that could tell the two apart could tell the client
 * one thing and us another. They can't meet the client's: numbers are far above those that it has used, and everything else is random.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { parseJson } from '../../core/json/parse-json.ts'
import { type MessageId, messageId } from '../lines/message-id.ts'

export interface LikeIds {
  /** An id of the client. */
  note(id: MessageId): void
  next(): MessageId
}

/** No client makes so many requests in one session. */
const FAR = 2 ** 24
const SPREAD = 2 ** 30
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
/** Long enough to be random. */
const RANDOM_TEXT = /[0-9A-Za-z_-]{16}/

export function createLikeIds(): LikeIds {
  let last = '0'
  let highest = 0
  return {
    note({ source }) {
      last = source
      if (!source.startsWith('"') && Number.isSafeInteger(Number(source)))
        highest = Math.max(highest, Number(source))
    },
    next() {
      const text = last.startsWith('"') ? messageId(last)!.key : undefined
      const made =
        text === undefined ? String(above(highest)) : JSON.stringify(likeText(parseJson(text) as string))
      return messageId(Buffer.from(made).toString('latin1'))!
    },
  }
}

function above(number: number): number {
  const most = Number.MAX_SAFE_INTEGER - FAR - SPREAD
  return Math.min(number, most) + FAR + randomInt(SPREAD)
}

function likeText(text: string): string {
  if (UUID.test(text)) return randomUUID()
  if (RANDOM_TEXT.test(text)) {
    const isHex = /^[0-9a-f-]+$/.test(text)
    return text.replace(/[0-9A-Za-z]/g, (character) => likeCharacter(character, isHex))
  }
  const [, before, digits, after] = /^(.*?)(\d*)(\D*)$/s.exec(text)!
  return digits === '' ? `${text}${above(0)}` : `${before}${above(Number(digits))}${after}`
}

function likeCharacter(character: string, isHex: boolean): string {
  const [from, count] = /\d/.test(character) ? ['0', 10] : /[a-z]/.test(character) ? ['a', 26] : ['A', 26]
  if (isHex) return randomInt(16).toString(16)
  return String.fromCharCode((from as string).charCodeAt(0) + randomInt(count as number))
}
