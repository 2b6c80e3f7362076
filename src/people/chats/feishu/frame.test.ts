import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../test/fixtures/property-runs.ts'
import { createFragments } from './fragments.ts'
import { decodeFrame, encodeFrame, type FeishuFrame } from './frame.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 20 })
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const payload = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))
const frame = fc.record(
  {
    sequence: uint64,
    log: uint64,
    service: int32,
    method: int32,
    headers: fc.array(fc.tuple(text, text), { maxLength: 5 }),
    payloadEncoding: text,
    payloadType: text,
    payload,
    logName: text,
  },
  { requiredKeys: ['sequence', 'log', 'service', 'method', 'headers'] },
) as fc.Arbitrary<FeishuFrame>

describe('frames', () => {
  it('what was written is read', () => {
    fc.assert(
      fc.property(frame, (one) => {
        expect(decodeFrame(Buffer.from(encodeFrame(one)))).toEqual(one)
      }),
      { numRuns: runs(200) },
    )
  })

  it('the bytes are those of Protocol Buffers', () => {
    const one: FeishuFrame = {
      sequence: 1n,
      log: 300n,
      service: 33,
      method: 0,
      headers: [['type', 'ping']],
      payload: Buffer.from('{}'),
    }
    const bytes = '080110ac0218212000' + '2a0c0a0474797065120470696e67' + '42027b7d'
    expect(Buffer.from(encodeFrame(one)).toString('hex')).toBe(bytes)
    // One that is cut off is none.
    for (const end of [1, 3, 5, 6])
      expect(() => decodeFrame(Buffer.from(bytes, 'hex').subarray(0, -end))).toThrow('the frame ends')
    // A field that we don't know, of each kind, is passed over.
    const more = Buffer.from(`${bytes}5001590000000000000000620178${'6d00000000'}`, 'hex')
    expect(decodeFrame(more)).toEqual(one)
  })

  it('P5: other bytes are refused, and nothing loops or reads past the end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          decodeFrame(bytes)
        } catch (error) {
          expect((error as Error).message).toMatch(/^the frame /)
        }
      }),
      { numRuns: runs(500) },
    )
  })
})

describe('fragments', () => {
  const piece = (id: string, count: number, place: number, bytes: Uint8Array): FeishuFrame => ({
    sequence: 0n,
    log: 0n,
    service: 0,
    method: 1,
    headers: Object.entries({ message_id: id, sum: String(count), seq: String(place) }),
    payload: bytes,
  })

  it('pieces make the whole, in whatever order they come, and however often', () => {
    const pieces = fc
      .array(payload, { minLength: 1, maxLength: 8 })
      .chain((all) =>
        fc.tuple(
          fc.constant(all),
          fc.shuffledSubarray([...all.keys()], { minLength: all.length }),
          fc.nat(all.length - 1),
        ),
      )
    fc.assert(
      fc.property(pieces, ([all, order, twice]) => {
        const fragments = createFragments()
        const sent = [order[twice]!, ...order].filter((place, at) => at > 0 || place !== order.at(-1))
        const got = sent.map((place) => fragments.add(piece('m', all.length, place, all[place]!), 0))
        expect(got.filter((one) => one !== undefined).map((one) => Buffer.from(one!))).toContainEqual(
          Buffer.concat(all),
        )
      }),
      { numRuns: runs(100) },
    )
  })

  it('P5: pieces of two events never make one, nor do old ones, wrong numbers, or more than a megabyte', () => {
    const bytes = Buffer.from('x')
    const fragments = createFragments()
    expect(fragments.add(piece('a', 2, 0, bytes), 0)).toBeUndefined()
    expect(fragments.add(piece('b', 2, 1, bytes), 0)).toBeUndefined()
    expect(fragments.add(piece('a', 2, 1, bytes), 10_000)).toBeUndefined()
    for (const [count, place] of [
      [2, 2],
      [0, 0],
      [65, 0],
      [99_999, 1],
    ] as const)
      expect(fragments.add(piece('c', count, place, bytes), 0)).toBeUndefined()
    const large = Buffer.alloc(600 * 1024)
    expect([0, 1].map((place) => fragments.add(piece('d', 2, place, large), 0))).toEqual([
      undefined,
      undefined,
    ])
    // A flood of first pieces takes no more than its room.
    for (let index = 0; index < 1000; index++) fragments.add(piece(`f${index}`, 2, 0, bytes), 0)
    expect(fragments.add(piece('f0', 2, 1, bytes), 0)).toBeUndefined()
  })
})
