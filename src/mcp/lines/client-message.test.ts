import { describe, expect, it } from 'vitest'
import { type ClientMessage, type RefusedLine, readClientLine } from './client-message.ts'

const LIMIT = 1_000_000
const read = (line: string | Buffer) => readClientLine({ bytes: Buffer.from(line) }, LIMIT)
const message = (line: string | Buffer) => {
  const found = read(line)
  if (found === undefined || found.kind === 'refused') throw new Error(`refused: ${found?.because}`)
  return found as ClientMessage
}
const refused = (line: string | Buffer) => {
  const found = read(line)
  if (found?.kind !== 'refused') throw new Error(`not refused, but ${JSON.stringify(found?.kind)}`)
  return found as RefusedLine
}

describe('readClientLine', () => {
  it('tells requests, notifications and responses apart, and keeps their bytes', () => {
    const line = ' {"jsonrpc":"2.0" ,"id" : 12345678901234567890,"method":"x\\u002fy","params":{"a":1}}\r\n'
    const found = message(line)
    expect(found).toMatchObject({ kind: 'request', method: 'x/y', params: { a: 1 } })
    expect(found.bytes.toString()).toBe(line)
    expect(found.id?.source).toBe('12345678901234567890')
    expect(message('{"method":"m"}\n').kind).toBe('notification')
    expect(message('{"id":"a","result":{}}\n').kind).toBe('response')
    expect(read('\n')).toBeUndefined()
    expect(read(' \r\n')).toBeUndefined()
  })

  it('reads a method and its names as a server does, however they are spelled', () => {
    for (const line of [
      '{"id":1,"method":"tools/call","params":{"name":"t"}}',
      '{"id":1,"method":"tools\\u002fcall","params":{"name":"t"}}',
      '{"id":1,"method":"\\u0074ools\\/call","params":{"name":"t"}}',
      '{"id":1,"\\u006dethod":"tools/call","par\\u0061ms":{"n\\u0061me":"\\u0074"}}',
      '\t{ "params" : { "name" : "t" } , "method" : "tools/call" , "id" : 1 } ',
    ])
      expect(message(line)).toMatchObject({
        kind: 'request',
        method: 'tools/call',
        params: { name: 't' },
        id: { key: '1' },
      })
  })

  it('P5: a method is one whatever names were read before it', () => {
    const before = '{"z":0,"met\\\\u0":"","jsonrpc":"2.0","id":1}'
    const written = '{"z":0,"met\\u0068od":"tools/call","jsonrpc":"2.0","id":1}'
    JSON.parse(before)
    read(before)
    expect(read(written)).toMatchObject({ kind: 'request', method: 'tools/call' })
  })

  it('refuses a name that stands twice, at any depth and however it is written', () => {
    const twice = /stands twice/
    for (const line of [
      '{"id":1,"method":"ping","method":"tools/call"}',
      '{"id":1,"method":"ping","\\u006dethod":"tools/call"}',
      '{"id":1,"method":"tools/call","params":{"name":"a","name":"b"}}',
      '{"id":1,"method":"tools/call","params":{"name":"a","arguments":{"x":[{"p":1,"\\u0070":2}]}}}',
      '{"id":1,"method":"m","params":{"__proto__":1,"__proto__":2}}',
      '{"id":1,"method":"m","params":{"é":1,"\\u00e9":2}}',
    ])
      expect(refused(line)).toMatchObject({ because: expect.stringMatching(twice), id: { key: '1' } })
    // Which of the two would the answer be for?
    expect(refused('{"id":1,"id":2,"method":"ping"}').id).toBeUndefined()
  })

  it('refuses a member of the protocol in other letters: some servers take no notice of case', () => {
    const otherwise = /spelled/
    for (const line of [
      '{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call"}',
      '{"jsonrpc":"2.0","id":1,"METHOD":"tools/call","result":{}}',
      '{"jsonrpc":"2.0","Method":"tools/call","ID":1,"method":"notifications/x"}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{},"Params":{"name":"x"}}',
      // U+017F and U+212A are s and K without their case.
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","param\u017f":{"name":"x"}}',
      '{"JSONRPC":"2.0","id":1,"method":"ping"}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","Name":"b"}}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","ARGUMENTS":{}}}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","argument\u017f":{}}}',
      '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"a","URI":"b"}}',
    ])
      expect(refused(line).because).toMatch(otherwise)
    expect(message('{"id":1,"method":"m","Other":1,"params":{"other":1}}').kind).toBe('request')
  })

  it('refuses batches, marks, carriage returns inside, and what is no object', () => {
    const call = '{"id":1,"method":"tools/call","params":{"name":"t"}}'
    const cases: [string | Buffer, RegExp][] = [
      [`[${call}]`, /list of messages/],
      [` [${call},${call}]\n`, /list of messages/],
      [`\ufeff${call}`, /byte order mark/],
      [`{"method":"x","params":\r${call}\r}\n`, /carriage return/],
      [`${call}\r\r\n`, /carriage return/],
      [`${call}\r${call}\n`, /carriage return/],
      ['"tools/call"', /not an object/],
      ['null', /not an object/],
      ['1', /not an object/],
      [`${call}${call}`, /not JSON/],
      [`${call} x`, /not JSON/],
      ['{"id":1,"method":"x",}', /not JSON/],
      ["{'method':'tools/call'}", /not JSON/],
      ['{"method":"tools/call","id":1,"params":{"name":NaN}}', /not JSON/],
      [Buffer.from([...Buffer.from('{"method":"a'), 0xff, ...Buffer.from('"}')]), /UTF-8/],
      // An overlong slash, and half of a pair.
      [Buffer.from([...Buffer.from('{"method":"tools'), 0xc0, 0xaf, ...Buffer.from('call"}')]), /UTF-8/],
      [Buffer.from([...Buffer.from('{"method":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')]), /UTF-8/],
      [Buffer.from(call, 'utf16le'), /UTF-8|not JSON/],
    ]
    for (const [line, because] of cases) expect(refused(line).because).toMatch(because)
  })

  it('refuses an id that is no text and no number, and a message that is nothing', () => {
    for (const id of ['null', '[1]', '{"a":1}', 'true'])
      expect(refused(`{"id":${id},"method":"tools/call","params":{"name":"t"}}`).because).toMatch(
        /neither a text/,
      )
    expect(refused('{}').because).toMatch(/neither a method/)
    expect(refused('{"id":null,"result":{}}').because).toMatch(/neither a method/)
    expect(refused('{"id":1,"method":["tools/call"]}').because).toMatch(/not a text/)
    expect(refused('{"id":1,"method":null}').because).toMatch(/not a text/)
  })

  it('reads a line that is nested as deep as it is long', () => {
    const deep = (open: string, close: string) =>
      `{"id":1,"method":"x","params":${open.repeat(100_000)}1${close.repeat(100_000)}}`
    expect(message(deep('[', ']')).kind).toBe('request')
    expect(message(deep('{"a":', '}')).kind).toBe('request')
  })

  it('answers a line over the limit where its id stands at an edge, and never takes another for it', () => {
    const tooLong = (beginning: string, ending: string) =>
      (
        readClientLine(
          { bytes: Buffer.from(beginning), ending: Buffer.from(ending), tooLong: LIMIT + 1 },
          LIMIT,
        ) as RefusedLine
      ).id?.source
    expect(tooLong('{"jsonrpc":"2.0","id":5,"method":"x","params":{"a":"', '"}}\n')).toBe('5')
    expect(tooLong('{"jsonrpc":"2.0","method":"x","params":{"a":"', '"},"id":"k"}\n')).toBe('"k"')
    expect(tooLong('{"jsonrpc":"2.0","params":{"id":5,"a":"', '"}}\n')).toBeUndefined()
    expect(tooLong('{"jsonrpc":"2.0","params":{"a":"', '","id":5}}\n')).toBeUndefined()
  })

  it('is not misled by members of every object', () => {
    for (const line of ['{"__proto__":{"method":"ping"},"id":1}', '{"constructor":1,"toString":2}']) {
      const found = read(line)
      expect(found?.kind === 'refused' || found?.kind === 'response').toBe(true)
    }
    expect(message('{"id":1,"method":"toString"}').method).toBe('toString')
  })
})
