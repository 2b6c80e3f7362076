import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readLines } from './read-lines.ts'

const encode = (text: string) => new TextEncoder().encode(text)

async function linesOf(chunks: Uint8Array[]): Promise<string[]> {
  return collect(new Blob(chunks as BlobPart[]).stream())
}

async function collect(body: ReadableStream<Uint8Array>): Promise<string[]> {
  const lines: string[] = []
  for await (const line of readLines(body, 'http://here')) lines.push(line)
  return lines
}

describe('lines of a body', () => {
  it('gives the last line too when it has no end, and no empty ones', async () => {
    expect(await linesOf([encode('a\n\nb\nc')])).toEqual(['a', 'b', 'c'])
    expect(await linesOf([])).toEqual([])
  })

  it('P10: a body that breaks off throws instead of passing for the whole', async () => {
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(encode('one\ntw'))
        controller.error(new TypeError('terminated'))
      },
    })
    const seen: string[] = []
    await expect(async () => {
      for await (const line of readLines(body, 'http://here')) seen.push(line)
    }).rejects.toMatchObject({
      code: 'unreachable',
      detail: expect.stringContaining('http://here (terminated)'),
    })
    expect(seen).not.toContain('tw')
  })

  it('property: the same lines however the body is cut', async () => {
    const line = fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => text.replaceAll('\n', '↵'))
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.array(fc.nat({ max: 60 })), async (lines, sizes) => {
        const bytes = encode(lines.map((text) => `${text}\n`).join(''))
        let from = 0
        const chunks = sizes.map((size) => {
          from += size
          return bytes.subarray(from - size, from)
        })
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            for (const chunk of [...chunks, bytes.subarray(from)]) controller.enqueue(chunk)
            controller.close()
          },
        })
        // A byte order mark at the very beginning is not text.
        const expected = lines.map((text, index) => (index === 0 ? text.replace(/^\ufeff/, '') : text))
        expect(await collect(body)).toEqual(expected.filter((text) => text !== ''))
      }),
    )
  })
})
