import { describe, expect, it } from 'vitest'
import { gateArguments, type Parse, parseApproved } from './gate-arguments.ts'

describe('gateArguments', () => {
  const counting = (parse: (value: never) => unknown) => {
    let times = 0
    const counted: Parse = (value) => {
      times++
      return { ok: true, value: parse(value as never) }
    }
    return { counted, times: () => times }
  }

  it('parses once where that changes nothing', async () => {
    const { counted, times } = counting((value: object) => ({ ...value }))
    expect(await gateArguments(counted, { b: 1, a: [2] })).toEqual({ ok: true, value: { a: [2], b: 1 } })
    expect(times()).toBe(1)
  })

  it.each([
    ['defaults', (value: object) => ({ n: 1, ...value }), { n: 1, a: 'x' }],
    ['another value each time', ({ n = 0 }: { n?: number }) => ({ a: 'x', n: n + 1 }), { a: 'x' }],
    ['a Date', () => ({ when: new Date(0) }), { a: 'x' }],
    ['NaN', () => ({ n: Number.NaN }), { a: 'x' }],
    ['a Map', () => ({ map: new Map() }), { a: 'x' }],
    ['a text', ({ a }: { a: string }) => a, { a: 'x' }],
    ['a list', () => ['x'], { a: 'x' }],
    ['null', () => null, { a: 'x' }],
  ])('P3: a schema that gives %s', async (_, parse, shown) => {
    const { counted } = counting(parse as never)
    expect(await gateArguments(counted, { a: 'x' })).toEqual({ ok: true, value: shown })
  })

  it('gives the fault of arguments that do not fit', async () => {
    const fault = { ok: false as const, error: new Error('no') }
    expect(await gateArguments(() => fault, {})).toBe(fault)
    await expect(parseApproved(() => fault, {})).rejects.toBe(fault.error)
  })
})
