/**
 * A line from the client, read whole. What a server could read otherwise than we do is refused: the call that passes here must be the one
 * that arrives there.
 *
 * - A name twice in one object: parsers differ in which they take.
 * - A name of the protocol in other letters: what is written in Go takes `Method` for `method`.
 * - A list of messages: servers take them over HTTP whatever the revision says.
 * - A byte order mark, a carriage return inside of the line, bytes that are no UTF-8: others may split or read the line in another way.
 */

import { isUtf8 } from 'node:buffer'
import { skipSpace } from '../../core/json/json-text.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import { type ByteSpan, doubledKey, type MemberSpan, membersAt } from './json-members.ts'
import { idAtEdges, type MessageId, messageId } from './message-id.ts'
import type { Line } from './split-lines.ts'

export interface ClientMessage {
  kind: 'request' | 'notification' | 'response'
  /** As it came, with the end of the line. */
  bytes: Buffer
  /** The same as Latin-1. */
  text: string
  members: Map<string, MemberSpan>
  /** Of a request and of a response. */
  id?: MessageId
  /** Empty for a response. */
  method: string
  /** Parsed, for looking only. */
  params: Record<string, unknown>
}

export interface RefusedLine {
  kind: 'refused'
  /** Whom to answer; absent where that can't be told. */
  id?: MessageId
  code: number
  because: string
}

const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const MISSPELLED = "its method is one of the protocol's, spelled in other letters"

/** Undefined: there is nothing in it. */
export function readClientLine(
  { bytes, tooLong, ending }: Line,
  maxBytes: number,
): ClientMessage | RefusedLine | undefined {
  const text = bytes.toString('latin1')
  if (tooLong !== undefined)
    return refused(
      `it has ${tooLong} bytes, and the limit is ${maxBytes}`,
      idAtEdges(text, ending?.toString('latin1') ?? ''),
    )
  if (text.trim() === '') return undefined
  if (!isUtf8(bytes)) return refused('its bytes are not UTF-8', undefined, PARSE_ERROR)
  if (text.startsWith('\u00ef\u00bb\u00bf')) return refused('it begins with a byte order mark')
  if (/\r(?!\n?$)/.test(text)) return refused('it has a carriage return inside')
  let value: unknown
  try {
    value = parseJson(bytes.toString('utf8'))
  } catch {
    return refused('it is not JSON', undefined, PARSE_ERROR)
  }
  if (Array.isArray(value)) return refused('it is a list of messages; send them one by one')
  if (typeof value !== 'object' || value === null) return refused('it is not an object')
  const members = membersAt(text, skipSpace(text, 0))
  const source = sourceOf(text, members.get('id'))
  const id = source === undefined ? undefined : messageId(source)
  const doubled = doubledKey(text)
  if (doubled !== undefined)
    return refused(
      `the name ${JSON.stringify(doubled.slice(0, 100))} stands twice in one object`,
      doubled === 'id' ? undefined : id,
    )
  const { method, params } = value as { method?: unknown; params?: unknown }
  const isObject = typeof params === 'object' && params !== null && !Array.isArray(params)
  const misspelled =
    misspelledName(members) ??
    (isObject ? Object.keys(params).find((name) => isMisspelled(name, PARAMETER_NAMES)) : undefined)
  if (misspelled !== undefined)
    return refused(
      `the name ${JSON.stringify(misspelled.slice(0, 100))} is one of the protocol's, spelled in other letters`,
      id,
    )
  const looked = { bytes, text, members, params: isObject ? (params as Record<string, unknown>) : {} }
  if (method === undefined)
    return id === undefined
      ? refused('it has neither a method nor the id of a question')
      : { kind: 'response', ...looked, id, method: '' }
  if (typeof method !== 'string') return refused('its method is not a text', id)
  if (id !== undefined) return { kind: 'request', ...looked, id, method }
  // An id that is null or a list is none, and some servers answer it all the same.
  if (source !== undefined) return refused('its id is neither a text nor a number')
  return { kind: 'notification', ...looked, method }
}

function refused(because: string, id?: MessageId, code = INVALID_REQUEST): RefusedLine {
  return id === undefined ? { kind: 'refused', code, because } : { kind: 'refused', id, code, because }
}

const MESSAGE_NAMES = spellings('jsonrpc', 'id', 'method', 'params', 'result', 'error')
const PARAMETER_NAMES = spellings(
  ...['name', 'arguments', 'uri', 'ref', 'argument', 'context', '_meta', 'task', 'taskId'],
  ...['inputResponses', 'requestState', 'requestId', 'cursor'],
)

/** Names of the protocol, by how they are written without regard to case. */
function spellings(...names: string[]): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [name.toLowerCase(), name]))
}

/** Which name of the protocol's messages is spelled in other letters here. */
export function misspelledName(members: ReadonlyMap<string, unknown>): string | undefined {
  return [...members.keys()].find((name) => isMisspelled(name, MESSAGE_NAMES))
}

/** Whether somebody who is less strict could take the text for one of these: other letters, spaces, slashes, or an end that C sees. */
export function isLookAlike(text: string, known: readonly string[]): boolean {
  if (known.includes(text)) return false
  const letters = lettersOf(text)
  return known.some((one) => lettersOf(one) === letters)
}

function lettersOf(text: string): string {
  return (text.split(/[\0?#;]/, 1)[0] ?? '').normalize('NFKC').toLowerCase().replace(/\P{L}/gu, '')
}

/** As Go compares names: U+017F and U+212A are an s and a k to it. */
function isMisspelled(name: string, known: ReadonlyMap<string, string>): boolean {
  const right = known.get(name.replaceAll('\u017f', 's').replaceAll('\u212a', 'k').toLowerCase())
  return right !== undefined && right !== name
}

function sourceOf(text: string, span: ByteSpan | undefined): string | undefined {
  return span === undefined ? undefined : text.slice(span.from, span.to)
}
