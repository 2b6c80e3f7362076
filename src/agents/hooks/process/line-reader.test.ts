import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLineReader, type LongLine } from './line-reader.ts'

function read(chunks: readonly Buffer[], maxLineBytes: number) {
  const lines: string[] = []
  const long: LongLine[] = []
  const reader = createLineReader(maxLineBytes, {
    line: (text) => lines.push(text),
    tooLong: (line) => {
      long.push(line)
      lines.push('<too long>')
    },
  })
  for (const chunk of chunks) reader.push(chunk)
  return { lines, long }
}

/** Cut at the given places, each taken as a share of the whole. */
function cut(bytes: Buffer, shares: readonly number[]): Buffer[] {
  const places = shares.map((share) => Math.floor(share * bytes.length)).sort((one, other) => one - other)
  return [...places, bytes.length].map((end, index) =>
    bytes.subarray(index === 0 ? 0 : places[index - 1], end),
  )
}

describe('line reader', () => {
  it('P5: gives the same lines however the bytes are cut, and skips those over the limit alone', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.replaceAll('\n', ' '))
    const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 })
    fc.assert(
      fc.property(fc.array(line), shares, fc.integer({ min: 1, max: 60 }), (texts, places, limit) => {
        const bytes = Buffer.from(texts.map((text) => `${text.toWellFormed()}\n`).join(''))
        const expected = texts.map((text) =>
          Buffer.byteLength(text) > limit ? '<too long>' : text.toWellFormed(),
        )
        expect(read(cut(bytes, places), limit).lines).toEqual(expected)
      }),
    )
  })

  it('keeps what has no end yet to itself', () => {
    expect(read([Buffer.from('one\ntw'), Buffer.from('o')], 100).lines).toEqual(['one'])
  })

  it.each([1, 7, 64 * 1024])(
    'P5: keeps the beginning and the end of a long line that comes in pieces of %i',
    (size) => {
      const bytes = Buffer.from(`{"id":7${'x'.repeat(20_000)}"id":8}\nnext\n`)
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      )
      const { lines, long } = read(pieces, 10_000)
      expect(lines).toEqual(['<too long>', 'next'])
      expect(long[0]).toMatchObject({ bytes: bytes.length - 6, head: bytes.toString('utf8', 0, 4096) })
      expect(long[0]?.tail).toBe(bytes.toString('utf8', bytes.length - 6 - 64, bytes.length - 6))
    },
  )
})
