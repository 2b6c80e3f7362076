import { describe, expect, it } from 'vitest'
import { entriesUpTo, readEntry } from './journal-entry.ts'

describe('an entry of the journal', () => {
  it('has its time and its body laid out', () => {
    const entry = {
      chain: 'c',
      n: 3,
      type: 'request.opened',
      request: 'req_1',
      body: '{"at":0,"tool":"Bash"}',
    }
    expect(readEntry(entry)).toEqual({
      n: 3,
      type: 'request.opened',
      at: '1970-01-01T00:00:00.000Z',
      request: 'req_1',
      text: '{\n  "at": 0,\n  "tool": "Bash"\n}',
    })
  })

  it('P9: hides nothing: what can not be seen is written out, a body that is no JSON is shown as it is', () => {
    const bidi = readEntry({ chain: 'c', n: 1, type: 'x', body: '{"at":1e99,"tool":"a\u202eb"}' })
    expect(bidi.text).toContain('U+202E')
    expect(bidi.at).toBeUndefined()
    expect(readEntry({ chain: 'c', n: 1, type: 'x', body: '{"broken\u0007' }).text).toContain('{"broken⟨')
  })

  it('pages lie beside each other, the newest first, whatever the address says', () => {
    expect(entriesUpTo(120, undefined, 50)).toEqual({ after: 70, to: 120 })
    expect(entriesUpTo(120, 70, 50)).toEqual({ after: 20, to: 70 })
    expect(entriesUpTo(120, 20, 50)).toEqual({ after: 0, to: 20 })
    for (const odd of [Number.NaN, -4, 0.5, 1e99]) expect(entriesUpTo(120, odd, 50).to).toBe(120)
    expect(entriesUpTo(0, undefined, 50)).toEqual({ after: 0, to: 0 })
  })
})
