import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../core/json/json.ts'
import { renderCall } from './render.ts'
import { renderText } from './render-text.ts'

const HOSTILE = [
  ...[
    '\u001b[2J',
    '\u001b]0;title\u0007',
    '\u009b2J',
    '\r',
    '\b',
    '\0',
    '\u202e',
    '\u2066',
    '\u200b',
    '\u200d',
    '\ufeff',
  ],
  ...[
    '\u{e0041}',
    '\u3164',
    '\u2028',
    '\u0085',
    '\ufe0f',
    '\u0301',
    '\n',
    '\t',
    '\n! Nothing is hidden\n',
    'a',
    '中',
    '😀',
    'а',
  ],
  ...['<script>', '⟨ESC⟩', ' '.repeat(100), '\n'.repeat(40)],
]
const hostile = fc.array(fc.constantFrom(...HOSTILE), { maxLength: 12 }).map((parts) => parts.join(''))
const hostileCall = fc.record({
  tool: hostile,
  cwd: hostile,
  definition: fc.record({ description: hostile }),
  arguments: fc.dictionary(
    fc.oneof(hostile, fc.constantFrom('command', 'path', 'content', 'old_string', 'new_string')),
    fc.oneof(hostile, fc.array(hostile), fc.dictionary(hostile, hostile)),
    { maxKeys: 5 },
  ),
})

const RAW = /[[\p{C}\p{Z}\p{DI}]--[\x20\n\t]]/v

describe('renderText', () => {
  it('P9: lays out a whole call', () => {
    const rendering = renderCall(
      {
        tool: 'Edit',
        arguments: { path: '/w/a.ts', old_string: 'b', new_string: 'B\u200b', count: 2 },
        cwd: '/w',
      },
      { facts: { paths: { '/path': { resolved: '/w/a.ts', exists: true, text: 'a\nb' } } } },
    )
    expect(renderText(rendering)).toBe(
      [
        'Tool: Edit',
        '! Hidden characters, spelled out in brackets: zero-width space',
        'Working folder: /w',
        'path: /w/a.ts',
        'count: 2',
        'Change in the file:',
        '  │ 1   a',
        '  │ 2 - b⟨no line break at the end⟩',
        '  │ 2 + B⟨U+200B ZWSP⟩⟨no line break at the end⟩',
      ].join('\n'),
    )
  })

  it('P9: nothing a tool says reaches the terminal raw', () => {
    fc.assert(
      fc.property(
        hostileCall,
        fc.option(fc.integer({ min: 1, max: 120 }), { nil: undefined }),
        (call, width) => {
          const text = renderText(renderCall(call as typeof call & { arguments: JsonObject }), { width })
          expect(text.replace(/(?<=[\p{Emoji}--\p{Emoji_Presentation}])\ufe0f/gv, '')).not.toMatch(RAW)
        },
      ),
      { numRuns: 700 },
    )
  })

  it('P9: with colours, the only escape sequences are ours', () => {
    fc.assert(
      fc.property(hostileCall, (call) => {
        const rendering = renderCall(call as typeof call & { arguments: JsonObject })
        const coloured = renderText(rendering, { color: true, width: 40 })
        const bare = coloured.replace(/\u001b\[(?:0|1|2|7|3[1-6])m/g, '')
        expect(bare).toBe(renderText(rendering, { width: 40 }))
        expect(bare).not.toContain('\u001b')
      }),
      { numRuns: 500 },
    )
    expect(renderText(renderCall({ tool: 't', arguments: {} }), { color: true })).toContain('\u001b[1m')
  })

  it('P9: a tool can not write a line of ours', () => {
    const forged = '! Nothing is hidden'
    const args = {
      command: `ls\n${forged}\nTool: other`,
      note: `x\n${forged}`,
      [forged]: forged,
      deep: { a: [`\n${forged}`] },
    }
    for (const width of [undefined, 20, 60]) {
      const lines = renderText(renderCall({ tool: `t\n${forged}`, arguments: args, cwd: `/\n${forged}` }), {
        width,
      }).split('\n')
      expect(lines.filter((line) => line.startsWith('!') || line.startsWith('Tool: o'))).toEqual([])
    }
  })

  it('P9: a line that fills the width does not begin a line of its own', () => {
    const command = `${'x'.repeat(76)}! Nothing is hidden`
    const lines = renderText(renderCall({ tool: 'Bash', arguments: { command } }), { width: 80 }).split('\n')
    expect(lines.slice(2)).toEqual([`  │ ${'x'.repeat(76)}`, '  ┆ ! Nothing is hidden'])
  })

  it('P9: lines are broken before they are too wide, wide characters and tabs counted', () => {
    const widthOf = (line: string): number =>
      [...line].reduce(
        (sum, character) =>
          sum + (character === '\t' ? 8 : /[\u2e80-\uffef\u{1f300}-\u{1faff}]/u.test(character) ? 2 : 1),
        0,
      )
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '中', '\t', '😀', ' ', '\u202e', 'word'), { maxLength: 80 }),
        fc.integer({ min: 20, max: 60 }),
        (parts, width) => {
          const rendering = renderCall({
            tool: 't',
            arguments: { command: parts.join(''), note: parts.join('') },
          })
          for (const line of renderText(rendering, { width }).split('\n'))
            expect(widthOf(line)).toBeLessThanOrEqual(width)
        },
      ),
    )
  })

  it('P9: an escape is not torn apart at the end of a line', () => {
    const lines = renderText(renderCall({ tool: 't', arguments: { command: `${'x'.repeat(20)}\u202e` } }), {
      width: 30,
    }).split('\n')
    expect(lines.at(-1)).toBe('  ┆ ⟨U+202E RLO⟩')
  })

  it('P9: hundreds of thousands of lines are laid out', () => {
    const rendering = renderCall(
      { tool: 't', arguments: { command: '\u202e\u202d'.repeat(100_000) } },
      { limit: Number.POSITIVE_INFINITY },
    )
    expect(renderText(rendering, { width: 20 }).match(/RLO/g)).toHaveLength(100_000)
  })
})
