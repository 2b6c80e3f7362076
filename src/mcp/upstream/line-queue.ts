/** Lines from several sources, read as one. Whoever puts one in waits until it was taken. */
import type { UpstreamLine } from './upstream.ts'

export interface LineQueue {
  put(line: UpstreamLine): Promise<void>
  /** Nothing more comes. */
  close(): void
  readonly lines: AsyncIterable<UpstreamLine>
}

export function createLineQueue(): LineQueue {
  const waiting: { line: UpstreamLine; taken(): void }[] = []
  let wake: () => void = () => {}
  let isClosed = false

  async function* read(): AsyncGenerator<UpstreamLine, void, undefined> {
    for (;;) {
      const next = waiting.shift()
      if (next !== undefined) {
        yield next.line
        next.taken()
      } else if (isClosed) return
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  }

  return {
    put: (line) =>
      new Promise((resolve) => {
        waiting.push({ line, taken: resolve })
        wake()
      }),
    close() {
      isClosed = true
      wake()
    },
    lines: read(),
  }
}
