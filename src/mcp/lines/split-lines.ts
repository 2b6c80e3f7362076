/**
 * Bytes into lines, at `\n` and nowhere else. A line keeps its bytes, the end of the line with it. One that is longer than the limit is
 * not kept: its beginning is given, so that whoever sent it can be answered, and the pipe goes on behind it.
 */

export interface Line {
  /** With its `\n`, where it had one. */
  bytes: Buffer
  /** How long it was, where it was too long; `bytes` is its beginning then, and `ending` its end. */
  tooLong?: number
  ending?: Buffer
}

/** What is kept of a line that is too long. */
const BEGINNING_BYTES = 64 * 1024
const ENDING_BYTES = 4 * 1024

export async function* splitLines(
  chunks: AsyncIterable<Buffer | string>,
  maxBytes: number,
): AsyncGenerator<Line, void, undefined> {
  let parts: Buffer[] = []
  let size = 0
  let beginning: Buffer | undefined
  let ending: Buffer = Buffer.alloc(0)

  const keep = (part: Buffer) => {
    size += part.length
    if (beginning !== undefined) {
      ending = lastOf(Buffer.concat([ending, lastOf(part)]))
      return
    }
    parts.push(part)
    if (size <= maxBytes) return
    const all = joined(parts)
    beginning = Buffer.from(all.subarray(0, BEGINNING_BYTES))
    ending = Buffer.from(lastOf(all))
    parts = []
  }
  const take = (): Line => {
    const line =
      beginning === undefined ? { bytes: joined(parts) } : { bytes: beginning, tooLong: size, ending }
    parts = []
    size = 0
    beginning = undefined
    return line
  }

  for await (const chunk of chunks) {
    let rest = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    for (let end = rest.indexOf(0x0a); end !== -1; end = rest.indexOf(0x0a)) {
      keep(rest.subarray(0, end + 1))
      rest = rest.subarray(end + 1)
      yield take()
    }
    if (rest.length > 0) keep(rest)
  }
  if (size > 0) yield take()
}

function lastOf(bytes: Buffer): Buffer {
  return bytes.subarray(Math.max(0, bytes.length - ENDING_BYTES))
}

function joined(parts: readonly Buffer[]): Buffer {
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}
