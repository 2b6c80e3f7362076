import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json/json.ts'
import { type ClientMessage, readClientLine } from '../lines/client-message.ts'
import { spliced } from '../lines/splice.ts'
import { argumentsEdit, type GatedCall, readGatedCall } from './gated-call.ts'

function read(line: string) {
  const message = readClientLine({ bytes: Buffer.from(line) }, 10_000_000)
  return readGatedCall(message as ClientMessage)
}
const call = (line: string) => {
  const found = read(line)
  if ('because' in found) throw new Error(found.because)
  return found as GatedCall
}
const because = (line: string) => {
  const found = read(line)
  if ('because' in found) return found.because
  throw new Error('it was read')
}
const toolCall = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}\n`

describe('readGatedCall', () => {
  it('P3: refuses arguments that the core can’t hold exactly', () => {
    const exactly = /can't be held exactly/
    for (const args of [
      '{"n":12345678901234567890}',
      '{"n":9007199254740993}',
      '{"n":1e400}',
      '{"n":0.1000000000000000055511151231257827}',
      '{"t":"\\ud800"}',
      '{"\\udfff":1}',
      `{"deep":${'['.repeat(2000)}${']'.repeat(2000)}}`,
    ])
      expect(because(toolCall(`{"name":"t","arguments":${args}}`))).toMatch(exactly)
    const others = ['"file:///x",12345678901234567890', '"\\ud800"']
    for (const uri of others)
      expect(because(`{"id":1,"method":"resources/read","params":{"uri":[${uri}]}}`)).toMatch(exactly)
  })

  it('reads digits, escapes and names of every object as they are', () => {
    const { arguments: args } = call(
      toolCall('{"name":"t","arguments":{"__proto__":{"x":1},"constructor":2,"n":1.50,"e":"\\u00e9\\/"}}'),
    )
    expect(Object.keys(args)).toEqual(['__proto__', 'constructor', 'n', 'e'])
    expect(JSON.stringify(args)).toBe('{"__proto__":{"x":1},"constructor":2,"n":1.5,"e":"é/"}')
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  it('takes a call without arguments, and refuses those that are no object', () => {
    expect(call(toolCall('{"name":"t"}'))).toMatchObject({ tool: 't', arguments: {} })
    for (const args of ['null', '[]', '"a"', '1'])
      expect(because(toolCall(`{"name":"t","arguments":${args}}`))).toMatch(/not an object/)
  })

  it('refuses parameters that are no object: a server may take them by their place', () => {
    for (const method of ['tools/call', 'resources/read', 'prompts/get', 'completion/complete'])
      expect(because(`{"id":1,"method":"${method}","params":["file:///etc/passwd"]}`)).toMatch(
        /not an object|not name a tool/,
      )
  })

  it('refuses a tool without a name, and one that is called like a method which is allowed by default', () => {
    for (const params of ['{}', '{"name":""}', '{"name":1}', '{"name":["t"]}', '{"name":null}'])
      expect(because(toolCall(params))).toMatch(/does not name a tool/)
    for (const name of ['resources/read', 'prompts/get', 'completion/complete', 'tools/call'])
      expect(because(toolCall(`{"name":"${name}"}`))).toMatch(/method of the protocol/)
  })

  it('keeps progress tokens as they are written, and takes a call’s id only where it is one', () => {
    expect(call(toolCall('{"name":"t","_meta":{"progressToken":12345678901234567890}}')).progressToken).toBe(
      '12345678901234567890',
    )
    expect(call(toolCall('{"name":"t","_meta":{"claudecode/toolUseId":"toolu_1"}}')).callId).toBe('toolu_1')
    for (const id of ['""', '"a b"', '1', 'null', `"${'x'.repeat(201)}"`, '"\\u0000"'])
      expect(call(toolCall(`{"name":"t","_meta":{"claudecode/toolUseId":${id}}}`)).callId).toBeUndefined()
  })
})

describe('argumentsEdit', () => {
  const withArguments = (call: GatedCall, args: JsonObject) =>
    spliced(call.message.bytes, [argumentsEdit(call, args)])

  it('P3: changes the arguments and no other byte', () => {
    const before = ' { "x":1.0,"params" : {"a":"é\\u00e9", "arguments" : '
    const after = ' ,"name":"t" , "_meta":{"k":1e5}} ,"method":"tools\\/call","id":12345678901234567890}\r\n'
    const line = `${before}{"old": [1, 2]}${after}`
    const written = withArguments(call(line), { new: 'ü' }).toString()
    expect(written).toBe(`${before}{"new":"ü"}${after}`)
  })

  it('gives arguments to a call that had none', () => {
    const written = withArguments(call(toolCall(' { "name":"t" } ')), { a: 1 }).toString()
    expect(JSON.parse(written).params).toEqual({ arguments: { a: 1 }, name: 't' })
  })
})
