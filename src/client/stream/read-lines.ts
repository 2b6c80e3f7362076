/** Splits a body of lines (NDJSON) as it comes, so that an export of any length needs the memory of one line. */
import { failureOf } from '../transport/transport.ts'

export async function* readLines(
  body: ReadableStream<Uint8Array>,
  url: string,
  signal?: AbortSignal,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  try {
    for (;;) {
      // A body that breaks off throws here: what came before it must not pass for the whole.
      const { done, value } = await reader.read().catch((error) => {
        throw failureOf(error, url, signal)
      })
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true })
      let from = 0
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
        const line = rest + text.slice(from, end)
        rest = ''
        from = end + 1
        if (line !== '') yield line
      }
      rest += text.slice(from)
      if (done) break
    }
    if (rest !== '') yield rest
  } finally {
    reader.cancel().catch(() => {})
  }
}
