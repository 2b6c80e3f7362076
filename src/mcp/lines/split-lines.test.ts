import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Line, splitLines } from './split-lines.ts'

async function linesOf(chunks: Iterable<Buffer>, maxBytes = 1_000_000): Promise<Line[]> {
  async function* flow() {
    yield* chunks
  }
  const lines: Line[] = []
  for await (const line of splitLines(flow(), maxBytes)) lines.push(line)
  return lines
}

/** The bytes in pieces, cut where the numbers say. */
function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = [0, ...at.map((one) => one % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  return places.slice(1).map((to, index) => bytes.subarray(places[index], to))
}

describe('splitLines', () => {
  it('gives every byte once, cut at line feeds only, wherever the chunks are cut', async () => {
    const content = fc
      .array(fc.constantFrom('\n', '\r', '\r\n', 'é', '\u2028', 'a', '{"x":1}', '😀', '\u0085', '\0'), {
        maxLength: 20,
      })
      .map((parts) => Buffer.from(parts.join('')))
    await fc.assert(
      fc.asyncProperty(content, fc.array(fc.nat(), { maxLength: 6 }), async (bytes, places) => {
        const lines = (await linesOf(cut(bytes, places))).map((line) => line.bytes)
        expect(Buffer.concat(lines)).toEqual(bytes)
        for (const [index, line] of lines.entries()) {
          const isLast = index === lines.length - 1
          expect(line.indexOf(0x0a)).toBe(isLast && bytes.at(-1) !== 0x0a ? -1 : line.length - 1)
        }
      }),
    )
  })

  it('leaves out a line over the limit, with its size, its beginning and its end, and goes on behind it', async () => {
    const long = Buffer.from(`{"id":7,${'x'.repeat(300_000)},"end":1}\n`)
    const bytes = Buffer.concat([Buffer.from('a\n'), long, Buffer.from('b\n'), long, Buffer.from('c')])
    for (const places of [
      [],
      [5],
      [3, 90_000, 200_000, 310_000],
      Array.from({ length: 50 }, (_, i) => i * 12_345),
    ]) {
      const lines = await linesOf(cut(bytes, places), 100_000)
      expect(lines.map((line) => line.tooLong ?? line.bytes.toString())).toEqual([
        'a\n',
        long.length,
        'b\n',
        long.length,
        'c',
      ])
      const left = lines[1]!
      expect(left.bytes.length).toBeLessThanOrEqual(64 * 1024)
      expect(long.subarray(0, left.bytes.length)).toEqual(left.bytes)
      expect(left.ending!.toString().endsWith(',"end":1}\n')).toBe(true)
      expect(left.ending!.length).toBeLessThanOrEqual(4096)
    }
  })

  it('takes a line of exactly the limit whole', async () => {
    const [line] = await linesOf([Buffer.from('abc\n')], 4)
    expect(line).toEqual({ bytes: Buffer.from('abc\n') })
    const [over] = await linesOf([Buffer.from('abcd\n')], 4)
    expect(over?.tooLong).toBe(5)
  })
})
