/**
 * A line from the server. It goes on as it is; what has to be known of it is whether it is a message at all, and to which call it
 * belongs. It may be very long, so nothing of it is parsed that nobody asks for.
 */
import { skipSpace } from '../../core/json/json-text.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import { type ByteSpan, decodeString, type MemberSpan, membersAt } from './json-members.ts'
import { type MessageId, messageId } from './message-id.ts'

export interface ServerMessage {
  /** `stray`: a print that went to the wrong place. */
  kind: 'request' | 'notification' | 'response' | 'stray'
  bytes: Buffer
  /** As Latin-1. */
  text: string
  members: Map<string, MemberSpan>
  id?: MessageId
  method: string
}

export function readServerLine(bytes: Buffer): ServerMessage {
  const text = bytes.toString('latin1')
  const from = skipSpace(text, 0)
  const looked = { bytes, text, method: '' }
  if (text[from] !== '{') return { kind: 'stray', ...looked, members: new Map() }
  try {
    const members = membersAt(text, from)
    const id = idOf(text, members.get('id'))
    const method = members.get('method')
    if (method === undefined || text[method.from] !== '"')
      return { kind: 'response', ...looked, members, ...(id === undefined ? {} : { id }) }
    const named = { ...looked, members, method: decodeString(text, method) }
    return id === undefined ? { kind: 'notification', ...named } : { kind: 'request', ...named, id }
  } catch {
    // Nothing that can be told apart; the client says what it makes of it.
    return { kind: 'notification', ...looked, members: new Map() }
  }
}

/** A member's value, parsed; undefined where there is none or it is no JSON. */
export function parsedMember(text: string, span: ByteSpan | undefined): unknown {
  if (span === undefined) return undefined
  try {
    return parseJson(Buffer.from(text.slice(span.from, span.to), 'latin1').toString('utf8'))
  } catch {
    return undefined
  }
}

function idOf(text: string, span: ByteSpan | undefined): MessageId | undefined {
  return span === undefined ? undefined : messageId(text.slice(span.from, span.to))
}
