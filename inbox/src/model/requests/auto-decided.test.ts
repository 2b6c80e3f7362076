import { describe, expect, it } from 'vitest'
import { addAutoDecided, autoDecidedFromCall, autoDecidedFromEntry } from './auto-decided.ts'

const body = { session: 's', callId: 'c', tool: 'read\u200b', because: 'allowed' }
const at = '2026-01-01T00:00:00.000Z'

describe('calls that the policy settled', () => {
  it('reads them from entries, with hidden characters visible, and passes over other entries', () => {
    expect(autoDecidedFromEntry({ type: 'call.denied', at, body })).toMatchObject({
      kind: 'denied',
      tool: 'read⟨U+200B ZWSP⟩',
    })
    expect(autoDecidedFromEntry({ type: 'session.ended', at, body })).toBeUndefined()
  })

  it('knows a call from the history as the one from the event, and keeps what the event said', () => {
    const event = autoDecidedFromEntry({ type: 'grant.used', at, body })!
    const call = autoDecidedFromCall({
      ...body,
      digest: 'd',
      verdict: 'allow',
      submittedBy: 'agent-1',
      createdAt: at,
    })
    expect(addAutoDecided([event], [call])).toEqual([event])
  })

  it('has the newest first and not more than twenty', () => {
    const calls = Array.from({ length: 30 }, (_, index) => ({
      id: String(index),
      kind: 'allowed' as const,
      tool: 't',
      because: 'b',
      at: new Date(index * 1000).toISOString(),
    }))
    const shown = addAutoDecided(calls.slice(0, 15), calls.slice(15))
    expect(shown).toHaveLength(20)
    expect(shown[0]?.id).toBe('29')
  })
})
