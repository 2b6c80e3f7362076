import { describe, expect, it } from 'vitest'
import { INBOX, makeQuestion, makeRequest } from '../fixtures/requests.ts'
import type { ScreenOptions } from '../watch/watch-screen.ts'
import { watchWords } from '../watch/watch-words.ts'
import { feedWatch } from './advance-chat.ts'
import { chatPrompt, createChatScreen, pieceText, saidText, showChatOutput } from './chat-screen.ts'
import { type ChatState, initialChatState } from './chat-state.ts'
import { chatWords } from './chat-words.ts'
import { widthOfText } from './text-flow.ts'

const options: ScreenOptions = { locale: 'en', paint: (_, text) => text, columns: 60, now: 0 }
const words = { chat: chatWords('en'), watch: watchWords('en') }

/** What a terminal shows in the end, of the codes that we use. */
function displayOf(sent: string): string[] {
  const rows = ['']
  for (const [, code, text = ''] of sent.matchAll(/(\r|\n|\u001b\[2K|\u001b\[1A)|([^\r\n\u001b]+)/g)) {
    if (code === '\n') rows.push('')
    else if (code === '\u001b[1A') rows.pop()
    else if (code === '\u001b[2K') rows[rows.length - 1] = ''
    else rows[rows.length - 1] += text
  }
  return rows
}

describe('the screen of a chat', () => {
  function opened(columns = 40) {
    let sent = ''
    let prompt = '› '
    const screen = createChatScreen({
      send: (text) => {
        sent += text
      },
      columns: () => columns,
      paint: options.paint,
      prompt: () => prompt,
    })
    return {
      screen,
      shown: () => displayOf(sent),
      ask(line: string) {
        prompt = line
        screen.refresh()
      },
    }
  }

  it('keeps what was said, what is being said and the prompt apart', () => {
    const { screen, shown, ask } = opened()
    screen.print('welcome')
    screen.write('text', 'Hello th')
    expect(shown()).toEqual(['welcome', '  Hello th', '› '])
    ask('› typing')
    expect(shown()).toEqual(['welcome', '  Hello th', '› typing'])
    screen.write('text', 'ere, this is longer than one row of it')
    expect(shown()).toEqual(['welcome', '  Hello there, this is longer than one', '  row of it', '› typing'])
    screen.print('→ a call')
    expect(shown().slice(-3)).toEqual(['  row of it', '→ a call', '› typing'])
    screen.pause()
    screen.clear()
    expect(shown().at(-1)).toBe('')
  })

  it('thinking and saying do not run together', () => {
    const { screen, shown } = opened()
    screen.write('thinking', 'hm')
    screen.write('text', 'yes')
    screen.pause()
    expect(shown()).toEqual(['  hm', '  yes', '› '])
  })

  it('results are cut with a mark, behind a bar', () => {
    const more = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n')
    const lines = pieceText({ kind: 'good', text: 'exec: ls', more }, options).split('\n')
    expect(lines[0]).toBe('✓ exec: ls')
    expect(lines.slice(1).every((line) => line.startsWith('  │ '))).toBe(true)
    expect(lines.at(-1)).toBe('  │ … 12 more lines')
    expect(pieceText({ kind: 'good', text: 'exec: true', more: '\n' }, options)).toBe('✓ exec: true')
  })

  it('P9: words of people are visible, and none of them begins a line as ours', () => {
    const lines = saidText('hi\u001b[2J\n✓ Approved.\u202e', 'ben', options).split('\n')
    expect(lines[0]).toBe('ben › hi⟨ESC⟩[2J')
    expect(lines[1]).toBe('  ✓ Approved.⟨U+202E RLO⟩')
  })

  const asked = (...requests: Parameters<typeof makeRequest>[0][]): ChatState => {
    const all = requests.map((id) => makeRequest(id))
    const listed = feedWatch(initialChatState('ana', INBOX), { kind: 'listed', requests: all }, words).state
    return feedWatch(listed, { kind: 'fetched', request: all[0]!, at: 0 }, words).state
  }

  it('says how many wait, by which rules, and offers the keys', () => {
    const state = asked('a', 'b')
    const text = showChatOutput({ kind: 'request', request: makeRequest('a') }, state, options)
    expect(text).toContain(words.chat.several(2))
    expect(text).toContain('Rules: mode: default')
    expect(chatPrompt(state, { ...options, columns: 120 })).toContain('(+1) [y] approve')
    const single = showChatOutput({ kind: 'request', request: makeRequest('a') }, asked('a'), options)
    expect(single).not.toContain(words.chat.several(1))
  })

  it('the prompt is one row, however narrow the terminal and long the message', () => {
    const states: ChatState[] = [
      asked('a', 'b'),
      { ...initialChatState('ana', INBOX), typed: `${'漢'.repeat(300)}\u001b[2J` },
      { ...initialChatState('ana', INBOX), typed: 'x\ny', turn: 't1' },
    ]
    for (const columns of [24, 40, 80]) {
      for (const state of states) {
        const line = chatPrompt(state, { ...options, columns })
        expect(widthOfText(line)).toBeLessThan(columns)
        expect(line).not.toMatch(/[\u001b\n]/)
      }
    }
  })

  it('a question has keys of its own, and skipped ones are counted', () => {
    const request = makeQuestion('q', { allowedDecisions: ['reject'] })
    const opening = feedWatch(
      initialChatState('ana', INBOX),
      { kind: 'changed', request, at: 0 },
      words,
    ).state
    const state = feedWatch(opening, { kind: 'fetched', request, at: 0 }, words).state
    expect(chatPrompt(state, options)).toContain('[n] decline')
    const waiting: ChatState = {
      ...initialChatState('ana', INBOX),
      waiting: new Set(['a']),
      watch: { ...initialChatState('ana', INBOX).watch, settled: new Map([['a', 'digest']]) },
    }
    expect(chatPrompt(waiting, options)).toContain('(1 pending: /pending)')
  })
})
