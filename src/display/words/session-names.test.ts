import { describe, expect, it } from 'vitest'
import { saySessionName } from './session-names.ts'

describe('the name of a session without a title', () => {
  const hex = '3f2a91c07d5e4b688a1c0f9e2d3b4c5a'

  it.each([
    [`claude-code-${hex}`, '/home/ana/shop/', 'Claude Code session, shop', 'Claude Code 会话，shop'],
    [`codex-${hex}`, undefined, 'Codex session 3f2a91c0', 'Codex 会话 3f2a91c0'],
    ['chat-3f2a91c0-7d5e-4b68-8a1c-0f9e2d3b4c5a', undefined, 'Conversation 3f2a91c0', '对话 3f2a91c0'],
    ['ses_1m7ny6d3j000x0a62czf9a9a.t1.2.0', 'C:\\web', 'Coding session, web', '编程会话，web'],
    ['chat-7', '/srv', 'chat-7', 'chat-7'],
    ['a'.repeat(60), undefined, `${'a'.repeat(16)}…`, `${'a'.repeat(16)}…`],
  ])('%s', (session, cwd, english, chinese) => {
    expect(saySessionName({ session, cwd }, 'en')).toBe(english)
    expect(saySessionName({ session, cwd }, 'zh')).toBe(chinese)
  })

  it('P9: shows what is hidden in an id or a folder', () => {
    expect(saySessionName({ session: 'a\u202eb' }, 'en')).toContain('U+202E')
    expect(saySessionName({ session: `codex-${hex}`, cwd: '/a\u202eb' }, 'en')).toContain('U+202E')
  })
})
