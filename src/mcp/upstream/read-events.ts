/** Server-sent events of an MCP server: each is a message, and may have an id by which the stream is taken up again. */
import { type Line, splitLines } from '../lines/split-lines.ts'

export interface ServerEvent {
  /** The message, as one line. Absent: it only tells the id. */
  line?: Line
  id?: string
  retryMs?: number
}

export async function* readEvents(
  chunks: AsyncIterable<Buffer | string>,
  maxBytes: number,
): AsyncGenerator<ServerEvent, void, undefined> {
  let data: Buffer[] = []
  let size = 0
  let event: ServerEvent = {}
  for await (const { bytes, tooLong } of splitLines(chunks, maxBytes)) {
    const text = bytes.toString('latin1').replace(/\r?\n$/, '')
    if (text === '') {
      // Some begin a stream with an event that has an id and no message.
      if (size > 0) yield { ...event, line: lineOf(data, size, maxBytes) }
      else if (event.id !== undefined || event.retryMs !== undefined) yield event
      data = []
      size = 0
      event = {}
      continue
    }
    const colon = text.indexOf(':')
    const field = colon === -1 ? text : text.slice(0, colon)
    const value = colon === -1 ? '' : text.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') {
      size += tooLong ?? value.length
      data.push(Buffer.from(value, 'latin1'))
    } else if (field === 'id') event = { ...event, id: Buffer.from(value, 'latin1').toString('utf8') }
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) event = { ...event, retryMs: Number(value) }
  }
}

/** Lines of one event are parts of one message; between them, as in JSON, a space does. */
function lineOf(data: Buffer[], size: number, maxBytes: number): Line {
  const bytes = Buffer.concat([...data.flatMap((part) => [part, SPACE]), NEWLINE])
  if (size <= maxBytes) return { bytes }
  return { bytes, tooLong: size, ending: bytes.subarray(-4096) }
}

const SPACE = Buffer.from(' ')
const NEWLINE = Buffer.from('\n')
