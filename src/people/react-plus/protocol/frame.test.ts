import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSseParser } from '../../../client/stream/sse-parser.ts'
import { split } from './event-frames.ts'
import { type Frame, frameId, frameText, placeOf } from './frame.ts'

const frame = (message: string): Frame => ({
  type: 'THINKING',
  message,
  data: {},
  meta: {},
  sessionId: 's',
  turnId: 't1',
  messageId: 't1',
  agentId: 'main',
  startTime: '2026-01-01T00:00:00.000Z',
  endTime: null,
})

describe('a frame', () => {
  it('property: is one message whose data is one line, whatever was said', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (message) => {
        const text = frameText(frame(message), 't1-7')
        expect(text.split('\n').filter((line) => line.startsWith('data: '))).toHaveLength(1)
        const [read, ...more] = createSseParser().push(new TextEncoder().encode(text))
        expect(more).toEqual([])
        expect(read).toMatchObject({ id: 't1-7', event: 'THINKING' })
        expect(JSON.parse(read!.data)).toEqual(frame(message))
      }),
    )
  })

  it('property: its id says where to go on', () => {
    const number = fc.integer({ min: 1, max: 9e15 })
    const book = fc.constantFrom('', 'n0123abcd_')
    fc.assert(
      fc.property(book, number, fc.integer({ min: 1, max: 50 }), fc.nat({ max: 49 }), (of, n, frames, at) => {
        fc.pre(at < frames)
        const event = `t1-${of}${n}`
        const place = placeOf(frameId(event, at, frames))
        if (at === frames - 1) expect(place).toEqual({ turn: 't1', after: event })
        else {
          const partly = { event, frames: at + 1 }
          expect(place).toEqual({ turn: 't1', after: `t1-${of}${n - 1}`, partly })
        }
      }),
    )
  })

  it('takes ids that lead nowhere, and has the turn told again from its beginning', () => {
    expect(placeOf('t1-r12')).toEqual({ turn: 't1', after: 't1-r12' })
    expect(placeOf('t1-r12.3')).toEqual({ turn: 't1', after: 't1-0' })
  })

  it.each(['', '-', 't1', 't1-', '-5', 't 1-5', 't1-5.0', 't1-5.x', 't1-5\n', `${'t'.repeat(300)}-1`])(
    'takes no id that can be none: %j',
    (id) => expect(placeOf(id)).toBeUndefined(),
  )

  it('property: a long text is told in parts that make it up, none too long, none ending in half a character', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '杭', '😀', '\n'), maxLength: 200 })
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 20 }), (whole, limit) => {
        const parts = split(whole, limit)
        expect(parts.join('')).toBe(whole)
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(limit)
          expect(part.isWellFormed()).toBe(true)
        }
        if (whole !== '') expect(parts).not.toContain('')
      }),
    )
  })
})
