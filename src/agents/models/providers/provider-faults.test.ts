/** What goes wrong at a model's server, through the real provider code, over both wires. */
import { describe, expect, it } from 'vitest'
import { until } from '../../../../test/fixtures/until.ts'
import { type ModelEvent, ModelFault } from '../model.ts'
import { createRetryingModel, type Retry } from '../retrying-model.ts'
import type { ModelScript } from '../scripted/script.ts'
import { all, ask, faultOf, join, KEY, live, PROVIDERS, serve, start } from './fixtures/served-model.ts'

describe.each(PROVIDERS)('a server of a model over the wire of %s', (provider) => {
  it.each([
    [400, false, /answered 400: told to/],
    [401, false, /check TEST_KEY/],
    [403, false, /check that TEST_KEY may use the model test-model/],
    [404, false, /check model \(test-model\) and baseUrl \(http:/],
    [408, true, /answered 408/],
    [413, false, /answered 413/],
    [429, true, /answered 429/],
    [500, true, /answered 500/],
    [503, true, /answered 503/],
    [529, true, /answered 529/],
  ])('tells what to mend after a %d, and whether to ask again', async (status, mayRetry, says) => {
    const { model, server } = await start(provider, [{ steps: [{ say: 'Hello.' }] }])
    server.misbehave({ kind: 'status', status })
    const fault = await faultOf(model.stream(ask('go'), live()))
    expect(fault).toMatchObject({ mayRetry, retryAfterMs: undefined })
    expect(fault.message).toMatch(says)
    expect(fault.message).toContain(`${provider}/test-model: `)
  })

  it('P5: never tells the key, although the server does', async () => {
    const { model } = await start(provider, [{ steps: [{ say: 'Hello.' }] }], { apiKey: 'sk-another-key' })
    const fault = await faultOf(model.stream(ask('go'), live()))
    expect(fault.message).toMatch(/answered 401: invalid key: …; check TEST_KEY/)
    expect(JSON.stringify([fault.message, fault.stack, fault])).not.toContain(KEY)
    expect(fault.cause).toBeUndefined()
  })

  it('is let in with the right key', async () => {
    const { model } = await start(provider, [{ steps: [{ say: 'Hello.' }] }], { apiKey: KEY })
    expect(join(await all(model.stream(ask('go'), live())), 'text')).toBe('Hello.')
  })

  it.each([
    ['7', 7000],
    ['0.5', 500],
    ['Thu, 01 Jan 1970 00:01:10 GMT', 10_000],
    ['soon', undefined],
  ])('hands on when to come back: %s', async (retryAfter, retryAfterMs) => {
    const { model, server } = await start(provider, [{ steps: [{ say: 'Hello.' }] }])
    server.misbehave({ kind: 'status', status: 429, retryAfter })
    expect(await faultOf(model.stream(ask('go'), live()))).toMatchObject({ mayRetry: true, retryAfterMs })
  })

  it('is not asked again where a quota is used up', async () => {
    const { model, server } = await start(provider, [{ steps: [{ say: 'Hello.' }] }])
    server.misbehave({
      kind: 'status',
      status: 429,
      message: 'insufficient_quota',
      code: 'insufficient_quota',
    })
    expect(await faultOf(model.stream(ask('go'), live()))).toMatchObject({ mayRetry: false })
  })

  it('does not take its key along to where the server sends it on', async () => {
    const { model, server } = await start(provider, [{ steps: [{ say: 'Hello.' }] }])
    const other = await serve([{ steps: [{ say: 'Gotcha.' }] }])
    server.misbehave({ kind: 'redirect', to: other.baseUrl })
    const fault = await faultOf(model.stream(ask('go'), live()))
    expect(fault).toMatchObject({ mayRetry: false })
    expect(fault.message).toMatch(/sends on to http:.*; set baseUrl/)
    expect(other.requests).toEqual([])
  })

  it('P5: makes no call of an answer that did not come to its end', async () => {
    const script: ModelScript['scenes'] = [
      { steps: [{ calls: [{ tool: 'get_weather', arguments: { city: 'Ulm' } }] }] },
    ]
    const { model, server } = await start(provider, script)
    await all(model.stream(ask('go'), live()))
    // As many as there are before the one that says that it has ended.
    const frames = provider === 'anthropic' ? 9 : 5
    for (let afterFrames = 0; afterFrames < frames; afterFrames++) {
      for (const kind of ['drop', 'cut_short', 'error_frame'] as const) {
        server.misbehave({ kind, afterFrames })
        const seen: ModelEvent[] = []
        const fault = await faultOf(model.stream(ask('go'), live()), seen)
        expect(fault.mayRetry, `${kind} after ${afterFrames}: ${fault.message}`).toBe(true)
        expect(seen).toEqual([])
      }
    }
  })

  it('P5: makes no call of an answer that is not understood', async () => {
    const { model, server } = await start(provider, [{ steps: [{ calls: [{ tool: 'get_weather' }] }] }])
    for (const order of [
      { kind: 'garbage_frame', afterFrames: 0 },
      { kind: 'garbage_frame', afterFrames: 3 },
      { kind: 'page', status: 200 },
    ] as const) {
      server.misbehave(order)
      const seen: ModelEvent[] = []
      const fault = await faultOf(model.stream(ask('go'), live()), seen)
      expect(seen).toEqual([])
      expect(fault).toBeInstanceOf(ModelFault)
    }
    server.misbehave({ kind: 'page', status: 502 })
    expect(await faultOf(model.stream(ask('go'), live()))).toMatchObject({ mayRetry: true })
  })

  it('stops at once when it is told to, and the server hears of it', async () => {
    const { model, server } = await start(provider, [{ steps: [{ say: 'one two three four' }] }])
    server.misbehave({ kind: 'stall', afterFrames: 5 })
    const stop = new AbortController()
    const events = model.stream(ask('go'), stop.signal)[Symbol.asyncIterator]()
    expect(await events.next()).toMatchObject({ value: { kind: 'text' } })
    const rest = (async () => {
      for (;;) if ((await events.next()).done === true) return
    })()
    const reason = new Error('enough')
    stop.abort(reason)
    await expect(rest).rejects.toBe(reason)
    expect(await server.requests[0]!.ended).toBe('gone')
  })

  it('stops at once while the server has not answered yet', async () => {
    const { model, server } = await start(provider, [{ steps: [{ say: 'Hello.' }] }])
    server.misbehave({ kind: 'hang' })
    const stop = new AbortController()
    const reading = all(model.stream(ask('go'), stop.signal))
    const reason = new Error('enough')
    const stopped = expect(reading).rejects.toBe(reason)
    await until(() => server.requests.length === 1)
    stop.abort(reason)
    await stopped
    expect(await server.requests[0]!.ended).toBe('gone')
    const before = new AbortController()
    before.abort(new Error('no'))
    await expect(all(model.stream(ask('go'), before.signal))).rejects.toThrow('no')
    expect(server.requests).toHaveLength(1)
  })

  it.each([0, 4])(
    'ends the connection to a server that reports an error after %d frames and lingers',
    async (afterFrames) => {
      const { model, server } = await start(provider, [{ steps: [{ say: 'one two three four' }] }])
      server.misbehave({ kind: 'error_frame', afterFrames, lingers: true, type: 'overloaded_error' })
      expect(await faultOf(model.stream(ask('go'), live()))).toMatchObject({ mayRetry: true })
      expect(await server.requests[0]!.ended).toBe('gone')
    },
  )

  it('ends the connection when nobody listens any more', async () => {
    const { model, server } = await start(provider, [{ steps: [{ say: 'one two three four' }] }])
    server.misbehave({ kind: 'stall', afterFrames: 5 })
    for await (const _ of model.stream(ask('go'), live())) break
    expect(await server.requests[0]!.ended).toBe('gone')
  })

  it.each([
    { order: { kind: 'hang' }, waits: 1 },
    { order: { kind: 'stall', afterFrames: 1 }, waits: 3 },
  ] as const)('gives up on a server that says nothing ($order.kind)', async ({ order, waits }) => {
    const timers = new Set<() => void>()
    let begun = 0
    const clock = {
      now: () => 0,
      after(delayMs: number, callback: () => void) {
        expect(delayMs).toBe(30_000)
        begun++
        timers.add(callback)
        return { cancel: () => timers.delete(callback) }
      },
    }
    const script = [{ steps: [{ say: 'Hello.' }] }]
    const { model, server } = await start(provider, script, {}, { idleTimeoutMs: 30_000, clock })
    server.misbehave(order)
    const reading = faultOf(model.stream(ask('go'), live()))
    await until(() => server.requests.length === 1 && begun >= waits && timers.size === 1)
    for (const due of timers) due()
    const fault = await reading
    expect(fault).toMatchObject({ mayRetry: true })
    expect(fault.message).toContain('nothing was heard from the server for 30 s')
    expect(await server.requests[0]!.ended).toBe('gone')
    expect(timers.size).toBe(0)
  })

  it('says where nobody answers', async () => {
    const { model, server } = await start(provider, [{ steps: [{ say: 'Hello.' }] }])
    await server.close()
    const fault = await faultOf(model.stream(ask('go'), live()))
    expect(fault).toMatchObject({ mayRetry: true })
    expect(fault.message).toContain(
      `the connection to ${new URL(server.baseUrl).origin} failed (ECONNREFUSED)`,
    )
  })

  it.each([
    ['http://127.0.0.1:1/v1', 'that port is for another protocol (bad port)'],
    ['http://127.0.0.1:99999/v1', 'it is no URL'],
    ['somewhere', 'it is no URL'],
    ['ftp://127.0.0.1/v1', 'it must begin with http: or https:'],
    ['file:///v1', 'it must begin with http: or https:'],
    ['http://ana:secret@127.0.0.1/v1', 'it has a name or a password in it'],
  ])('is not asked again where no server can be: %s', async (baseUrl, says) => {
    const { model } = await start(provider, [{ steps: [{ say: 'Hello.' }] }], {}, { baseUrl })
    const fault = await faultOf(model.stream(ask('go'), live()))
    expect(fault.message).toContain(says)
    expect(fault.message).not.toContain('secret')
    expect(fault).toMatchObject({ mayRetry: false })
  })

  it('is asked again by a retrying model, no sooner than the server wants', async () => {
    const { model, server } = await start(provider, [{ steps: [{ say: 'Hello.' }] }])
    server.misbehave({ kind: 'status', status: 429, retryAfter: '9' })
    server.misbehave({ kind: 'drop', afterFrames: 1 })
    server.misbehave({ kind: 'status', status: 500 })
    const retries: Retry[] = []
    const retrying = createRetryingModel(model, {
      after(_, callback) {
        setImmediate(callback)
        return { cancel() {} }
      },
      random: () => 0,
      onRetry: (retry) => retries.push(retry),
    })
    expect(join(await all(retrying.stream(ask('go'), live())), 'text')).toBe('Hello.')
    expect(retries.map(({ attempt, of, delayMs }) => [attempt, of, delayMs])).toEqual([
      [1, 4, 9000],
      [2, 4, 1000],
      [3, 4, 2000],
    ])
    expect(server.requests).toHaveLength(4)
  })
})
