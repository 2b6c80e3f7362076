import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conversationId, roomId, roomOf, sessionKeyOf } from './conversation-id.ts'

const label = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 })
const tricky = fc.constantFrom('a', 'a/b', 'b', 'a%2Fb', '%', ':', 'pet', '..', 'default', 'ä'.repeat(40))
const name = fc.oneof(tricky, label)
const place = fc.record({ subject: name, sessionId: name, key: fc.option(name, { nil: undefined }) })
const idOf = ({ subject, sessionId, key }: { subject: string; sessionId: string; key: string | undefined }) =>
  conversationId(roomId(subject, sessionId), key)

describe('the name of a conversation', () => {
  it('P6: is the same only for the same person and the same labels', () => {
    fc.assert(
      fc.property(place, place, (one, other) => {
        expect(idOf(one) === idOf(other)).toBe(
          one.subject === other.subject && one.sessionId === other.sessionId && one.key === other.key,
        )
      }),
    )
  })

  it('P6: nobody is called what someone else’s long name becomes', () => {
    const long = 'x'.repeat(200)
    const [, subject = ''] = roomId(long, 's').split('/')
    expect(roomId(subject, 's')).not.toBe(roomId(long, 's'))
    expect(roomId(decodeURIComponent(subject), 's')).not.toBe(roomId(long, 's'))
  })

  it('is short enough for a session, has nothing invisible in it, and leads back to its room', () => {
    fc.assert(
      fc.property(place, (one) => {
        const id = idOf(one)
        expect(id.length).toBeLessThanOrEqual(256)
        expect(id).toMatch(/^[!-~]+$/)
        expect(roomOf(id)).toBe(roomId(one.subject, one.sessionId))
        if (one.key !== undefined && encodeURIComponent(one.key).length <= 80)
          expect(sessionKeyOf(id)).toBe(one.key)
      }),
    )
  })

  it.each(['', 'pet', 'pet/a', 'feishu/a/b', 'pet/a/b/c/d', 'pet//b'])('%j is none', (text) => {
    expect(roomOf(text)).toBeUndefined()
    expect(sessionKeyOf(text)).toBeUndefined()
  })
})
