import { describe, expect, it } from 'vitest'
import { widthOf } from '../../display/index.ts'
import { INBOX, makeQuestion, makeRequest } from '../fixtures/requests.ts'
import { promptLine, type ScreenOptions, showOutput } from './watch-screen.ts'
import { initialState, type WatchMode, type WatchState } from './watch-state.ts'
import { watchWords } from './watch-words.ts'

const options: ScreenOptions = {
  locale: 'en',
  paint: (_, text) => text,
  columns: 60,
  now: Date.parse('2026-01-01T00:10:00.000Z'),
}
const painted: ScreenOptions = { ...options, paint: (style, text) => `<${style}>${text}</${style}>` }

const inMode = (mode: WatchMode, request = makeRequest('a')): WatchState => ({
  ...initialState('ana', INBOX),
  current: { kind: 'shown', id: request.id, request, quietUntil: 0, mode },
})

describe('the screen', () => {
  it('P9: what has to be uncovered is not offered for approval, and the line of keys says why', () => {
    const covered = { uncover: ['/password'], uncovered: true, because: '' }
    for (const locale of ['en', 'zh'] as const) {
      const at = { ...options, locale, columns: 80 }
      const line = promptLine(inMode({ kind: 'reading' }, makeRequest('a', { covered })), at)
      expect(line).not.toMatch(/\[[yaA]\]/)
      expect(line).toMatch(/\[n\].*\[e\].*\[s\]/)
      expect(line).toMatch(locale === 'en' ? /hidden.*inbox/ : /隐藏.*收件箱/)
      expect([...line].reduce((sum, character) => sum + widthOf(character), 0)).toBeLessThan(80)
    }
  })

  it('shows the whole request: the call, why, who asks and who may approve', () => {
    const request = makeRequest('req_1', {
      agent: { name: 'builder', parents: ['planner'] },
      severity: 'critical',
    })
    const text = showOutput({ kind: 'request', request }, options)
    for (const part of [
      'req_1 · critical risk · 10 min ago · expires in 23 h 50 min',
      'builder wants to write a file',
      'Tool: write_file',
      'path: notes.txt',
      'Why: nobody has said that it may',
      'planner › builder',
      'owner (one approval)',
      'Digest: digest of req_1',
    ]) {
      expect(text).toContain(part)
    }
  })

  it('P9: what an agent or a foreign server sends can’t control the terminal', () => {
    const evil = '\u001b]0;x\u0007\u001b[2J\u202e\u009bK'
    const request = makeRequest(evil, {
      rendering: { title: evil, intent: 'other', summary: evil, text: `Tool: x\n${evil}`, warnings: [] },
      because: evil,
      session: evil,
      context: evil,
      preview: evil,
      agent: { name: evil, parents: [evil] },
      submittedBy: evil,
      approvers: [{ rule: evil, approvers: [evil], quorum: 1 }],
      votes: [{ by: evil, at: '2026-01-01T00:00:00.000Z', via: evil, digest: evil }],
      decision: {
        kind: 'approve',
        by: evil,
        at: '2026-01-01T00:00:00.000Z',
        via: evil,
        digest: evil,
        reason: evil,
      },
      cancelled: { cause: 'withdrawn', by: evil, reason: evil },
      outcome: { kind: 'ok', by: evil, at: '2026-01-01T00:00:00.000Z', summary: evil },
      questions: [{ id: evil, question: evil, header: evil, options: [{ label: evil, description: evil }] }],
      state: 'done',
    })
    const outputs = [
      showOutput({ kind: 'request', request }, options),
      showOutput({ kind: 'whole', request: { ...request, arguments: { [evil]: evil } } }, options),
      showOutput({ kind: 'question', request, index: 0 }, options),
      showOutput({ kind: 'difference', request, arguments: { path: evil } }, options),
      showOutput({ kind: 'ended', summary: evil, request }, options),
      showOutput({ kind: 'gone', request }, options),
      showOutput({ kind: 'bad', text: watchWords('en').refused(evil) }, options),
      promptLine(inMode({ kind: 'line', purpose: { kind: 'reason' }, typed: evil }), options),
    ]
    for (const text of outputs) expect(text).not.toMatch(/[\u001b\u0007\u009b\u202e]/)
  })

  it('P9: an agent’s words stand behind a bar, on every line', () => {
    const request = makeRequest('a', {
      context: 'I am careful.\nWhy: it is harmless',
      preview: 'x\ny',
    })
    const lines = showOutput({ kind: 'request', request }, options).split('\n')
    expect(lines).toContain('  │ Why: it is harmless')
    expect(lines).toContain('  │ y')
    expect(lines.filter((line) => line.startsWith('Why: '))).toHaveLength(1)
  })

  it('paints our own marks, and nothing in a tool’s text', () => {
    const request = makeRequest('a', {
      rendering: {
        title: '',
        intent: 'other',
        summary: '',
        warnings: [],
        text: 'Title\n! look\n  │ rm ⟨ESC⟩x',
      },
    })
    const text = showOutput({ kind: 'request', request }, painted)
    expect(text).toContain('<bold>agent wants to use write_file</bold>')
    expect(text).toContain('<yellow>! look</yellow>')
    expect(text).toContain('<dim>  │</dim> rm <magenta>⟨ESC⟩</magenta>x')
  })

  it('shows the difference that an edit makes', () => {
    const text = showOutput(
      { kind: 'difference', request: makeRequest('a'), arguments: { path: 'other.txt', content: 'hello' } },
      options,
    )
    expect(text).toContain('-   "path": "notes.txt"')
    expect(text).toContain('+   "path": "other.txt"')
  })

  it('numbers the options of a question', () => {
    const text = showOutput({ kind: 'question', request: makeQuestion('q'), index: 0 }, options)
    expect(text).toContain('Question 1 of 2')
    expect(text).toContain('  1) red')
    expect(text).toContain('  2) green: like grass')
  })

  it('keeps what is typed on one line', () => {
    const typed = 'x'.repeat(500)
    const line = promptLine(inMode({ kind: 'line', purpose: { kind: 'reason' }, typed }), options)
    expect(line.length).toBeLessThan(80)
    expect(line).toContain('…xxx')
  })

  it('offers other keys for a question, and says what it waits for', () => {
    expect(promptLine(inMode({ kind: 'reading' }), options)).toContain('[y] approve')
    expect(promptLine(inMode({ kind: 'reading' }, makeQuestion('q')), options)).toContain('[a] answer')
    expect(promptLine(inMode({ kind: 'gone' }), options)).toContain('Enter')
    expect(promptLine(initialState('ana', INBOX), options)).toContain('[q] quit')
  })

  it('speaks Chinese where that is wanted', () => {
    const chinese: ScreenOptions = { ...options, locale: 'zh' }
    expect(promptLine(inMode({ kind: 'reading' }), chinese)).toContain('[y] 批准')
    expect(showOutput({ kind: 'request', request: makeRequest('a') }, chinese)).toContain('原因')
    expect(showOutput({ kind: 'gone', request: makeRequest('a', { state: 'expired' }) }, chinese)).toContain(
      '已过期',
    )
  })
})
