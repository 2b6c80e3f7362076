/** Server-sent events of an MCP server: each is a message, and may have an id by which the stream is taken up again. */
import { type Line, splitLines } from '../lines/split-lines.ts'

export interface ServerEvent {
  /** The message, as one line. Absent: it only tells the id. */
  line?: Line
  /** As Latin-1: it goes back as the bytes that it came as. */
  id?: string
  retryMs?: number
}

/** So many lines of one event become one buffer: a short line costs more than its bytes. */
const MAX_PARTS = 4096
const SPACE = Buffer.from(' ')
const NEWLINE = Buffer.from('\n')

export async function* readEvents(
  chunks: AsyncIterable<Buffer | string>,
  maxBytes: number,
): AsyncGenerator<ServerEvent, void, undefined> {
  let data: Buffer[] = []
  let parts: Buffer[] = []
  let size = 0
  let ending: Buffer | undefined
  let event: ServerEvent = {}
  for await (const { bytes, tooLong, ending: end } of splitLines(chunks, maxBytes)) {
    const text = bytes.toString('latin1').replace(/\r?\n$/, '')
    if (text === '') {
      // Some begin a stream with an event that has an id and no message.
      if (size > 0) yield { ...event, line: lineOf([...data, ...parts], size, ending, maxBytes) }
      else if (event.id !== undefined || event.retryMs !== undefined) yield event
      data = []
      parts = []
      size = 0
      ending = undefined
      event = {}
      continue
    }
    const colon = text.indexOf(':')
    const field = colon === -1 ? text : text.slice(0, colon)
    const value = colon === -1 ? '' : text.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') {
      const isFull = size > maxBytes
      size += tooLong ?? value.length + 1
      ending = end ?? Buffer.from(value.slice(-4096), 'latin1')
      if (!isFull) parts.push(Buffer.from(value, 'latin1'), SPACE)
      if (parts.length > MAX_PARTS) {
        data.push(Buffer.concat(parts))
        parts = []
      }
    } else if (field === 'id') {
      if (!value.includes('\0')) event = { ...event, id: value }
    } else if (field === 'retry' && /^\d{1,9}$/.test(value)) event = { ...event, retryMs: Number(value) }
  }
}

/** Lines of one event are parts of one message; between them, as in JSON, a space does. */
function lineOf(data: Buffer[], size: number, ending: Buffer | undefined, maxBytes: number): Line {
  if (size <= maxBytes + 1) return { bytes: Buffer.concat([...data, NEWLINE]) }
  const beginning = Buffer.from(Buffer.concat(data).subarray(0, 64 * 1024))
  return { bytes: beginning, tooLong: size, ...(ending === undefined ? {} : { ending }) }
}
