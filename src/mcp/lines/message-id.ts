/**
 * The id of a JSON-RPC message: as it is written, since digits beyond a double have to come back as they were sent, and as a key by which
 * an answer is found. The two sides of a connection count for themselves: a question of the server may have the id of a call.
 */
import { survivesDouble } from '../../core/json/decimal.ts'
import { type MemberSpan, membersAt } from './json-members.ts'

export interface MessageId {
  /** Its bytes, as Latin-1, to be put into an answer. */
  source: string
  /** Equal for ids that are the same to JSON: `1` and `1.0`, but not `1` and `"1"`. */
  key: string
}

/** Undefined: that is no id. */
export function messageId(source: string): MessageId | undefined {
  if (source.startsWith('"')) {
    const value = JSON.parse(Buffer.from(source, 'latin1').toString('utf8')) as string
    return { source, key: JSON.stringify(value) }
  }
  if (!/^-?\d/.test(source)) return undefined
  return { source, key: survivesDouble(source) ? String(Number(source)) : source }
}

const WRITTEN_ID = String.raw`"id"\s*:\s*("[^"\\]*"|-?\d+)`
const FIRST = new RegExp(
  String.raw`^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*${WRITTEN_ID}\s*,`,
)
const LAST = new RegExp(String.raw`,\s*${WRITTEN_ID}\s*\}\s*$`)

/** Of a line that is not here whole: the id where it stands before or behind the long part. */
export function idAtEdges(beginning: string, ending: string): MessageId | undefined {
  const source = (FIRST.exec(beginning) ?? LAST.exec(ending))?.[1]
  return source === undefined ? undefined : messageId(source)
}

/** Of `notifications/cancelled`, from either side: the request that is no longer wanted. */
export function cancelledKey({
  text,
  members,
}: {
  text: string
  members: Map<string, MemberSpan>
}): string | undefined {
  const params = members.get('params')
  if (params === undefined || text[params.from] !== '{') return undefined
  const id = membersAt(text, params.from).get('requestId')
  return id === undefined ? undefined : messageId(text.slice(id.from, id.to))?.key
}
