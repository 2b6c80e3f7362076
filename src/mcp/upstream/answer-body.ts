/** The body of an answer: read no faster than it is passed on, and as one line. */
import type { IncomingMessage } from 'node:http'
import { messageOf } from '../../core/errors.ts'
import type { ReadShare } from './read-budget.ts'

/** Ends with an error where the connection ended first. */
export async function* metered(response: IncomingMessage, share: ReadShare): AsyncGenerator<Buffer, void> {
  try {
    for await (const chunk of response) {
      await share.took(chunk.length)
      yield chunk
    }
  } catch (error) {
    // Node's own word for it.
    throw messageOf(error) === 'aborted' ? new CutOff() : error
  }
  if (!response.complete) throw new CutOff()
}

/** The connection ended before the answer did. */
export class CutOff extends Error {
  constructor() {
    super('its answer was cut off')
  }
}

export async function wholeBody(chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`its answer was left out: the limit is ${maxBytes} bytes`)
    parts.push(chunk)
  }
  return asLine(Buffer.concat(parts))
}

/** A message has no line break outside of its strings that means anything, and none in them. */
function asLine(bytes: Buffer): Buffer {
  return Buffer.from(`${bytes.toString('latin1').replace(/[\r\n]+/g, ' ')}\n`, 'latin1')
}
