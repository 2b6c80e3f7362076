import { describe, expect, it } from 'vitest'
import { readServerLine, type ServerMessage } from './lines/server-message.ts'
import { createListedTools } from './listed-tools.ts'

const answer = (result: string): ServerMessage =>
  readServerLine(Buffer.from(`{"jsonrpc":"2.0","id":1,"result":${result}}\n`))

function listed(pages: (string | undefined)[], hidden: string[] = []) {
  const asked: unknown[] = []
  const tools = createListedTools({
    async request(_, params) {
      asked.push(params)
      const page = pages[Math.min(asked.length, pages.length) - 1]
      return page === undefined ? undefined : answer(page)
    },
    hidden: async (names) => new Set(names.filter((name) => hidden.includes(name))),
  })
  return { tools, asked }
}

describe('find', () => {
  it('asks for all pages, once, and passes on what the newer protocol has to carry', async () => {
    const { tools, asked } = listed([
      '{"tools":[{"name":"a"}],"nextCursor":"c1"}',
      '{"tools":[{"name":"b","x":1}]}',
    ])
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
    const found = await Promise.all([tools.find('b', meta), tools.find('a', meta), tools.find('none', meta)])
    expect(found).toEqual([{ name: 'b', x: 1 }, { name: 'a' }, undefined])
    expect(await tools.find('none', {})).toBeUndefined()
    expect(asked).toEqual([{ _meta: meta }, { cursor: 'c1', _meta: meta }])
  })

  it('asks again after the list has changed, and where it could not be read', async () => {
    const { tools, asked } = listed([
      undefined,
      '{"tools":[{"name":"a","v":1}]}',
      '{"tools":[{"name":"a","v":2}]}',
    ])
    expect(await tools.find('a', {})).toBeUndefined()
    expect(await tools.find('a', {})).toEqual({ name: 'a', v: 1 })
    tools.forget()
    expect(await tools.find('a', {})).toEqual({ name: 'a', v: 2 })
    expect(asked).toHaveLength(3)
  })

  it('ends with a server whose pages never do', async () => {
    const { tools, asked } = listed(['{"tools":[],"nextCursor":"more"}'])
    expect(await tools.find('a', {})).toBeUndefined()
    expect(asked.length).toBeLessThanOrEqual(200)
  })

  it('an older list that comes late does not take the place of a newer one', async () => {
    const waiting: ((page: ServerMessage) => void)[] = []
    const tools = createListedTools({
      request: () => new Promise((resolve) => waiting.push(resolve)),
      hidden: async () => new Set(),
    })
    const old = tools.find('a', {})
    tools.forget()
    const fresh = tools.find('a', {})
    waiting[1]!(answer('{"tools":[{"name":"a","v":2}]}'))
    expect(await fresh).toEqual({ name: 'a', v: 2 })
    waiting[0]!(answer('{"tools":[{"name":"a","v":1}]}'))
    await old
    expect(await tools.find('a', {})).toEqual({ name: 'a', v: 2 })
  })

  it('P5: keeps what the client was told: where the server tells us otherwise, both are what it says', async () => {
    const { tools } = listed(['{"tools":[{"name":"a","v":1}]}'])
    await tools.noteAnswer(answer('{"tools":[{"name":"a","v":2},{"name":"b"}]}'))
    expect(await tools.find('a', {})).toEqual({ name: 'a', v: 2 })
    tools.forget()
    const both = await tools.find('a', {})
    expect(both).toMatchObject({ name: 'a', v: 2, listedAlsoAs: [{ name: 'a', v: 1 }, expect.any(String)] })
    expect(await tools.find('a', {})).toEqual(both)
    expect(await tools.find('b', {})).toMatchObject({ name: 'b', listedAlsoAs: [expect.any(String)] })
    tools.forget()
    await tools.noteAnswer(answer('{"tools":[{"name":"a","v":1}]}'))
    expect(await tools.find('a', {})).toEqual({ name: 'a', v: 1 })
  })

  it('takes names of every object for names', async () => {
    const { tools } = listed(['{"tools":[{"name":"__proto__"},{"name":"constructor"}]}'])
    expect(await tools.find('__proto__', {})).toMatchObject({ name: '__proto__' })
    expect(await tools.find('toString', {})).toBeUndefined()
  })
})

describe('noteAnswer', () => {
  const text = (bytes: Buffer) => bytes.toString().slice('{"jsonrpc":"2.0","id":1,"result":'.length, -2)

  it('gives the bytes as they came where nothing is hidden', async () => {
    const { tools } = listed([])
    const message = answer('{ "tools" : [ {"name":"a","n":1.0} , {"name":"b"} ],"x":1}')
    expect(await tools.noteAnswer(message)).toBe(message.bytes)
    expect(await tools.find('a', {})).toEqual({ name: 'a', n: 1 })
  })

  it.each([
    [
      '{ "tools" : [ {"name":"a"} , {"name":"b","n":1.0} ],"x":1}',
      '{ "tools" : [{"name":"b","n":1.0}],"x":1}',
    ],
    ['{"tools":[{"name":"\\u0061"}]}', '{"tools":[]}'],
    [
      '{"tools":[{"name":"b","d":"é]"},{"name":"a"},{"name":"c"}]}',
      '{"tools":[{"name":"b","d":"é]"},{"name":"c"}]}',
    ],
    ['{"nextCursor":"2","tools":[{"name":"a"}]}', '{"nextCursor":"2","tools":[]}'],
  ])('cuts out what the policy denies: %s', async (before, after) => {
    const { tools } = listed([], ['a'])
    expect(text(await tools.noteAnswer(answer(before)))).toBe(after)
  })

  it.each([
    '{"tools":[}]}',
    '{"tools":[',
    '{"tools":{}}',
    '{"tools":null}',
    '[]',
    '{"tools":[1,"a",null,{"name":7}]}',
    '{}',
  ])('passes on what is no list: %s', async (result) => {
    const { tools } = listed([], ['a'])
    const message = answer(result)
    expect(await tools.noteAnswer(message)).toBe(message.bytes)
  })
})
