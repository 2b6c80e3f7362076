/** How long each client is kept waiting. */
import { describe, expect, it } from 'vitest'
import { limitOf } from './client-limits.ts'

describe('limitOf', () => {
  it('opencode waits for a day only where progress keeps it waiting', () => {
    expect(limitOf('opencode', true).holdMs).toBe(24 * 3_600_000)
    expect(limitOf('opencode', false).holdMs).toBe(50_000)
  })

  it('others are not kept waiting longer by progress, and unknown ones less than a minute', () => {
    for (const name of ['claude-code', 'codex-mcp-client', 'gemini-cli-mcp-client', 'Visual Studio Code'])
      expect(limitOf(name, true)).toEqual(limitOf(name, false))
    expect(limitOf(undefined, true).holdMs).toBe(50_000)
  })
})
