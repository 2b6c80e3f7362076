import { describe, expect, it } from 'vitest'
import { renderCall } from './render.ts'

const TOKEN = `ghp_${'a1B2'.repeat(9)}`

describe('a call that a program shows, and goes on using', () => {
  it('is masked as it is now, and not as it was when it was shown before', () => {
    const args: Record<string, string> = { note: 'x' }
    const call = { tool: 'send', arguments: args }
    expect(renderCall(call).masks).toEqual([])
    args.note = TOKEN
    args.password = 'hunter2'
    const shown = renderCall(call)
    expect(shown.masks.map(({ pointer }) => pointer)).toEqual(['/note', '/password'])
    expect(JSON.stringify(shown)).not.toMatch(/ghp_|hunter2/)
    args.note = 'y'
    delete args.password
    expect(renderCall(call).masks).toEqual([])
    expect(renderCall(call).summary).toBe('send: note=y')
  })
})
