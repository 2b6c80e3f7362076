import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { prepareCall } from '../../core/call.ts'
import type { DoorCaller } from '../door.ts'
import { sessionIdOf } from './session-id.ts'

function caller(subject: string, credential: DoorCaller['credential'] = 'bearer'): DoorCaller {
  const actor = { subject, role: 'approver', via: 'http' } as const
  return { actor, token: `tok_${subject}`, credential, stillHolds: async () => true }
}

const label = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 300 })
  .filter((text) => text.isWellFormed())
const subject = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 100 })
  .filter((text) => text.isWellFormed())

describe('the name of a session', () => {
  it('P6, property: no label of one person is the session of another', () => {
    fc.assert(
      fc.property(subject, subject, label, label, (one, other, mine, theirs) => {
        fc.pre(one !== other)
        expect(sessionIdOf(caller(one), mine)).not.toBe(sessionIdOf(caller(other), theirs))
      }),
    )
  })

  it('property: two labels are two sessions, and each is a name that a call can have', () => {
    fc.assert(
      fc.property(subject, label, label, (who, one, other) => {
        const id = sessionIdOf(caller(who), one)
        expect(prepareCall({ tool: 't', arguments: {}, callId: 'c', session: id }).session).toBe(id)
        expect(id === sessionIdOf(caller(who), other)).toBe(one === other)
      }),
    )
  })

  it('P6: a cookie names sessions of its own', () => {
    expect(sessionIdOf(caller('ana'), 's/1')).toBe('react-plus/ana/s%2F1')
    expect(sessionIdOf(caller('ana', 'cookie'), 's/1')).toBe('react-plus/tok_ana/s%2F1')
  })
})
