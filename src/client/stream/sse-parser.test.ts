import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSseParser, type SseMessage } from './sse-parser.ts'

const encode = (text: string) => new TextEncoder().encode(text)

function parseIn(chunks: Uint8Array[]): SseMessage[] {
  const parser = createSseParser()
  return chunks.flatMap((chunk) => parser.push(chunk))
}

const parse = (text: string) => parseIn([encode(text)])

describe('server-sent events', () => {
  it('reads id, event and data', () => {
    expect(parse('id: 7\nevent: request\ndata: {"a":1}\n\n')).toEqual([
      { id: '7', event: 'request', data: '{"a":1}' },
    ])
  })

  it('joins several data lines, and takes one space after the colon away', () => {
    expect(parse('data: one\ndata:two\ndata:  three\ndata\n\n')).toEqual([
      { id: '', event: 'message', data: 'one\ntwo\n three\n' },
    ])
  })

  it('passes over comments, unknown fields and blocks without data', () => {
    expect(parse(': keep-alive\n\nretry: 10\nfoo: bar\n\nevent: x\n\ndata: y\n\n')).toEqual([
      { id: '', event: 'message', data: 'y' },
    ])
  })

  it('keeps the last id for later messages, and does not take one with NUL in it', () => {
    expect(
      parse('id: 1\ndata: a\n\ndata: b\n\nid: 2\0\ndata: c\n\nid\ndata: d\n\n').map(({ id }) => id),
    ).toEqual(['1', '1', '1', ''])
  })

  it('counts an id only once its block is complete, with or without data', () => {
    const parser = createSseParser()
    parser.push(encode('id: 1\ndata: a\n\nid: 2\ndata: b\n'))
    expect(parser.lastId()).toBe('1')
    parser.push(encode('\n'))
    expect(parser.lastId()).toBe('2')
    parser.push(encode('id: 3\n\n'))
    expect(parser.lastId()).toBe('3')
  })

  it('takes no half-said message from a stream that broke off', () => {
    expect(parse('data: a\n\ndata: b\n')).toEqual([{ id: '', event: 'message', data: 'a' }])
  })

  it('drops a byte order mark at the beginning only', () => {
    expect(parse('\ufeffdata: a\ufeffb\n\n')).toEqual([{ id: '', event: 'message', data: 'a\ufeffb' }])
  })

  it('gives up on a message that never ends', () => {
    const parser = createSseParser()
    parser.push(encode('data: '))
    const chunk = encode('x'.repeat(4 * 1024 * 1024))
    expect(() => {
      for (let count = 0; count < 10; count++) parser.push(chunk)
    }).toThrow(/more than 33554432 characters/)
  })

  it('gives up on a message of endlessly many lines', () => {
    const parser = createSseParser()
    const chunk = encode(`data: ${'x'.repeat(4 * 1024 * 1024)}\n`)
    expect(() => {
      for (let count = 0; count < 10; count++) parser.push(chunk)
    }).toThrow(/more than 33554432 characters/)
  })

  it('reads the same messages however the stream is cut in two', () => {
    const text = [
      ': hello\r\n\r\n',
      'id: é1\r\nevent: request\r\ndata: {"t":"银行 🏦"}\r\ndata: 2\r\n\r\n',
      'data: \u{1f468}\u200d\u{1f469}\n\n',
      'data: cr\r\rid: 9\rdata: x\r\r',
      '\n\r\ndata: end\n\n',
    ].join('')
    const bytes = encode(text)
    const whole = parseIn([bytes])
    expect(whole.map(({ data }) => data)).toEqual([
      '{"t":"银行 🏦"}\n2',
      '\u{1f468}\u200d\u{1f469}',
      'cr',
      'x',
      'end',
    ])
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(parseIn([bytes.subarray(0, cut), bytes.subarray(cut)]), `cut at byte ${cut}`).toEqual(whole)
    }
    expect(parseIn([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole)
  })

  it('property: what a server writes is what is read, with any line ends and any cuts', () => {
    const lineEnd = fc.constantFrom('\n', '\r', '\r\n')
    const oneLine = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n\0]/g, ''))
    const written = fc.record({
      id: oneLine,
      event: oneLine.filter((text) => text !== ''),
      data: fc.array(oneLine, { minLength: 1 }),
      lineEnd,
    })
    fc.assert(
      fc.property(fc.array(written), fc.array(fc.nat({ max: 400 })), (messages, sizes) => {
        const bytes = encode(
          messages
            .map(({ id, event, data, lineEnd }) =>
              [`id: ${id}`, `event: ${event}`, ...data.map((line) => `data: ${line}`), '', ''].join(lineEnd),
            )
            .join(''),
        )
        const chunks: Uint8Array[] = []
        let from = 0
        for (const size of sizes) {
          chunks.push(bytes.subarray(from, from + size))
          from += size
        }
        chunks.push(bytes.subarray(from))
        expect(parseIn(chunks)).toEqual(
          messages.map(({ id, event, data }) => ({ id, event, data: data.join('\n') })),
        )
      }),
      { numRuns: 500 },
    )
  })
})
