import { describe, expect, it } from 'vitest'
import type { WireProgress } from '../../client/index.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import { progressText } from './session-text.ts'

const AT = '2026-01-01T00:00:00.000Z'
const NOW = Date.parse(AT) + 1_200_000

function text(tool: string, locale: Locale, limits: WireProgress['limits'] = {}): string {
  const asked = { session: 's1', call: 'c1', tool, arguments: {}, since: AT, summary: `${tool}: Which?` }
  const progress: WireProgress = {
    session: 's1',
    agent: { name: 'coder' },
    state: 'waiting',
    folder: '/shop',
    mode: 'default',
    elapsedMs: 1_200_000,
    used: { turns: 1, workedMs: 2000 },
    limits,
    turn: {
      id: 't1',
      text: 'go',
      by: 'ana',
      begunAt: AT,
      since: AT,
      steps: 1,
      said: ['Hm.'],
      calls: 1,
      recent: [{ ...asked, state: 'waiting' }],
      waiting: [{ ...asked, request: 'req_1', kind: tool === 'Bash' ? 'approval' : 'question' }],
    },
  }
  return progressText(progress, { locale, columns: 200, now: NOW, paint: (_, shown) => shown })
}

describe('how far a session is', () => {
  it('names the command that answers what waits: a question can’t be approved', () => {
    expect(text('Bash', 'en')).toContain('answer it with: banksman requests approve req_1, or:')
    expect(text('ask_user_question', 'en')).toMatch(/ {2}answer it with: banksman requests watch$/)
    expect(text('ask_user_question', 'zh')).toMatch(/ {2}用以下命令答复：banksman requests watch$/)
  })

  it('tells the age of the turn apart from what it does now, and counts turns', () => {
    const [head, folder, used] = text('Bash', 'en').split('\n')
    expect(head).toBe('s1  waiting for approval  turn started 20 min ago  mode default')
    expect([folder, used]).toEqual(['Folder: /shop', 'Used: 1 turn, 2 s of work'])
    expect(text('ask_user_question', 'en')).toContain('s1  waiting for an answer  ')
    expect(text('ask_user_question', 'zh')).toContain('s1  等待回答  ')
    expect(text('Bash', 'en', { turns: 5 })).toContain('Used: 1 of 5 turns, ')
    expect(text('Bash', 'zh').split('\n').slice(0, 3)).toEqual([
      's1  等待审批  本轮 20 分前开始  模式 default',
      '文件夹：/shop',
      '已用：1 轮，工作 2 秒',
    ])
  })
})
