import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRpcClient } from './json-rpc.ts'
import { createLineWriter, type LineWriter } from './line-writer.ts'
import { readReplyId } from './reply-id.ts'

interface Sent {
  id?: number
  method: string
  params: unknown
}

/** A hook that is a function: gets each message, and what it gives back comes as bytes, before `write` has returned. */
function connect(answer: (message: Sent) => string | undefined, isFull = () => false) {
  const sent: Sent[] = []
  const complaints: string[] = []
  const writer: LineWriter = {
    write(line) {
      const message = JSON.parse(line) as Sent
      sent.push(message)
      const reply = answer(message)
      if (reply !== undefined) rpc.receive(Buffer.from(`${reply}\n`))
    },
    isFull,
  }
  const rpc = createRpcClient(writer, (about) => complaints.push(about))
  return { rpc, sent, complaints }
}

const silent = () => undefined

describe('json-rpc', () => {
  it('P1: knows a call before it is written, so that no reply comes too early', async () => {
    const { rpc, sent } = connect(({ id }) => `{"jsonrpc":"2.0","id":${id},"result":{"n":${id}}}`)
    expect(await rpc.call('hook.a', { x: 1 })).toEqual({ n: 1 })
    expect(await rpc.call('hook.b', {})).toEqual({ n: 2 })
    expect(sent[0]).toEqual({ jsonrpc: '2.0', id: 1, method: 'hook.a', params: { x: 1 } })
  })

  it('sends notifications without an id', () => {
    const { rpc, sent } = connect(silent)
    expect(rpc.notify('hook.event', { Kind: 1 })).toBe(true)
    expect(sent).toEqual([{ jsonrpc: '2.0', method: 'hook.event', params: { Kind: 1 } }])
  })

  it('a reply without a result is an empty one; an `error` that is null is none', async () => {
    const { rpc } = connect(({ id }) =>
      id === 1 ? '{"id":1}' : `{"id":${id},"error":null,"result":{"a":1}}\r`,
    )
    expect(await rpc.call('x', {})).toBeUndefined()
    expect(await rpc.call('x', {})).toEqual({ a: 1 })
  })

  it.each([
    ['{"id":1,"error":{"code":-32601,"message":"no"},"result":{}}', 'it answered with an error: no'],
    ['{"id":1,"error":"no"}', 'it answered with an error: "no"'],
    ['{"id":1,"error":{}}', 'it answered with an error: {}'],
    ['{"id":1,"error":false}', 'it answered with an error: false'],
  ])('P5: an error wins over a result: %s', async (reply, message) => {
    const { rpc } = connect(() => reply)
    await expect(rpc.call('x', {})).rejects.toThrow(new Error(message))
  })

  it.each([
    '{"id":1.5,"result":{"approved":true}}',
    '{"id":null,"result":{"approved":true}}',
    '{"id":0,"result":{"approved":true}}',
    '{"id":-1,"result":{"approved":true}}',
    '{"id":true,"result":{"approved":true}}',
    '{"id":[1],"result":{"approved":true}}',
    '{"id":"01","result":{"approved":true}}',
    '{"id":"1","result":{"approved":true}}',
    '{"id":"1","error":{"message":"no"}}',
    '{"result":{"approved":true}}',
    '{"id":1,"method":"x","result":{"approved":true}}',
    '[{"id":1,"result":{"approved":true}}]',
    '{"id":1,"result":{"approved":true}',
    'null',
    '1',
  ])('P5: %s is no reply', async (line) => {
    const { rpc, complaints } = connect(() => line)
    const call = rpc.call('x', {})
    expect(complaints).toHaveLength(1)
    rpc.end('over')
    await expect(call).rejects.toThrow('over')
  })

  it('P5: a call that was answered with a line that is none says so at its time limit', async () => {
    const { rpc } = connect(({ id }) => (id === 1 ? `approved\u001b[2J${'x'.repeat(500)}` : undefined))
    const limit = new AbortController()
    const failed = Promise.all(
      [rpc.call('a', {}, limit.signal), rpc.call('b', {}, limit.signal)].map((call) =>
        call.catch((error: Error) => error.message),
      ),
    )
    limit.abort(new DOMException('time is up', 'TimeoutError'))
    const [first, second] = await failed
    expect(first).toMatch(
      /^it did not answer a in time; it had written a line that is no JSON object: approved⟨ESC⟩\[2Jx+…$/,
    )
    expect(String(first).length).toBeLessThan(200)
    // What came before it was asked is no answer to it.
    expect(second).toBe('it did not answer b in time')
  })

  it('P5: a reply with a text for an id answers no call; the call says so at its time limit, or takes its own reply', async () => {
    const { rpc } = connect(({ id }) =>
      id === 3 ? '{"id":"1","result":{"approved":true}}\n{"id":3,"result":{}}' : undefined,
    )
    const limit = new AbortController()
    const told = (call: Promise<unknown>) => call.catch((error: Error) => error.message)
    const [first, second] = [rpc.call('a', {}, limit.signal), rpc.call('b', {}, limit.signal)].map(told)
    expect(await rpc.call('c', {})).toEqual({})
    limit.abort(new DOMException('time is up', 'TimeoutError'))
    expect(await first).toMatch(
      /^it did not answer a in time; it had written a reply with the id "1", a text/,
    )
    expect(await second).toBe('it did not answer b in time')
  })

  it('P5: fails what waits and what comes once it has ended', async () => {
    const { rpc } = connect(silent)
    const call = rpc.call('x', {})
    rpc.end('it exited with code 1')
    rpc.end('later')
    await expect(call).rejects.toThrow('it exited with code 1')
    await expect(rpc.call('x', {})).rejects.toThrow('it exited with code 1')
    expect(rpc.notify('x', {})).toBe(false)
  })

  it('P5: writes nothing more to whoever does not read', async () => {
    const { rpc, sent } = connect(silent, () => true)
    await expect(rpc.call('x', {})).rejects.toThrow('it does not read')
    expect(rpc.notify('x', {})).toBe(false)
    expect(sent).toEqual([])
  })

  it('P5: what can’t be written as JSON fails its call alone', async () => {
    const { rpc } = connect(({ id }) => `{"id":${id},"result":{}}`)
    await expect(rpc.call('x', { big: 1n })).rejects.toThrow('BigInt')
    expect(await rpc.call('x', {})).toEqual({})
  })

  it('P2: each call gets its own reply, whatever the order, the noise and the repetitions', async () => {
    const noise = fc.constantFrom(
      '',
      'print',
      '{"id":null}',
      '{"id":999,"result":{}}',
      '{"method":"x"}',
      '[]',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(), noise), { maxLength: 20 }), async (plan) => {
        const { rpc } = connect(silent)
        const calls = plan.map(() => rpc.call('x', {}))
        const order = plan.map(([rank, line], index) => ({ rank, line, id: index + 1 }))
        for (const { id, line } of order.sort((one, other) => one.rank - other.rank)) {
          const replies = [`{"id":${id},"result":{"n":${id}}}`, line, `{"id":${id},"result":{"n":"again"}}`]
          rpc.receive(Buffer.from(`${replies.join('\n')}\n`))
        }
        expect(await Promise.all(calls)).toEqual(plan.map((_, index) => ({ n: index + 1 })))
      }),
    )
  })
})

describe('the id of a reply that is too long', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":12,"result":{', '', 12],
    [' { "jsonrpc" : "2\\".0" , "x":null, "id" : 12, "result":', '', 12],
    ['{"id":"12","result":', '', undefined],
    ['{"result":{"id":5', '"}},"id":"7"}', undefined],
    ['{"result":{"id":5', '"}},"id":7}', 7],
    ['{"result":{"id":5', '"}}, "id" : 7 } ', 7],
    ['{"result":{"id":5', '"id":7}}', undefined],
    ['{"result":"id\\":5', '\\"id\\":7}"}', undefined],
    ['xxx', 'xxx', undefined],
    ['', '', undefined],
  ])('P5: in %s … %s', (head, tail, id) => {
    expect(readReplyId({ head, tail })).toBe(id)
  })
})

describe('line writer', () => {
  function outlet() {
    let drain = () => {}
    const written: string[] = []
    return {
      written,
      takes: true,
      writableLength: 0,
      write(text: string) {
        written.push(text)
        return this.takes
      },
      on: (_: 'drain', listener: () => void) => {
        drain = listener
      },
      drain: () => drain(),
    }
  }
  const tick = () => new Promise((resolve) => setImmediate(resolve))

  it('writes all lines of a tick at once, whole and in order', async () => {
    const stream = outlet()
    const writer = createLineWriter(stream, 100)
    writer.write('one')
    writer.write('two')
    await tick()
    writer.write('three')
    await tick()
    expect(stream.written).toEqual(['one\ntwo\n', 'three\n'])
  })

  it('P5: waits for whoever does not read, and says when it is too much', async () => {
    const stream = Object.assign(outlet(), { takes: false })
    const writer = createLineWriter(stream, 10)
    writer.write('one')
    await tick()
    writer.write('two')
    expect(writer.isFull()).toBe(false)
    writer.write('three')
    expect(writer.isFull()).toBe(true)
    await tick()
    expect(stream.written).toEqual(['one\n'])
    stream.drain()
    expect(stream.written).toEqual(['one\n', 'two\nthree\n'])
    expect(writer.isFull()).toBe(false)
  })
})
