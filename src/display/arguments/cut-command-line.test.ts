import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LinePiece } from '../../core/rendering.ts'
import { makeVisibleWithin } from '../text/shorten.ts'
import { makeVisible } from '../text/visible.ts'
import { cutCommandLine, type LineCommand, type LinePlace } from './cut-command-line.ts'

const textOf = (pieces: LinePiece[]) => pieces.map((piece) => piece.text).join('')
const shownAs = (line: string) => makeVisible(line, { lines: 'keep' }).text

/** The command whose text stands at a place, found by that text. */
function commandAt(
  line: string,
  part: string,
  verdict: LineCommand['verdict'] = 'ask',
  from = 0,
): LineCommand {
  const start = line.indexOf(part, from)
  return { start, end: start + part.length, verdict }
}

const owned = (pieces: LinePiece[]) => pieces.map(({ text, command }) => [text, command])

describe('a line cut by its commands', () => {
  it('tells for each piece the innermost command that it belongs to', () => {
    const line = 'echo $(cat y | grep z) && ls'
    const pieces = cutCommandLine(
      line,
      ['echo $(cat y | grep z)', 'cat y', 'grep z', 'ls'].map((part) => commandAt(line, part)),
      [],
    )
    expect(owned(pieces)).toEqual([
      ['echo $(', 0],
      ['cat y', 1],
      [' | ', 0],
      ['grep z', 2],
      [')', 0],
      [' && ', undefined],
      ['ls', 3],
    ])
  })

  it('P9: of commands at the same place the strictest counts, so that a wrapper hides nothing', () => {
    const line = 'bash -c "ls; rm x"'
    const whole = (verdict: LineCommand['verdict']) => commandAt(line, line, verdict)
    expect(cutCommandLine(line, [whole('ask'), whole('deny'), whole('allow')], [])).toEqual([
      { text: line, kind: 'text', command: 1 },
    ])
    // A wrapper and what it runs are equal; then what it runs is told.
    expect(
      owned(
        cutCommandLine('sudo ls', [commandAt('sudo ls', 'sudo ls'), commandAt('sudo ls', 'sudo ls')], []),
      ),
    ).toEqual([['sudo ls', 1]])
  })

  it('P9: places stay right behind characters that are written out', () => {
    const line = 'echo \u202e\u0007\u0007 a; \u200brm x'
    const pieces = cutCommandLine(line, [commandAt(line, 'rm x', 'deny')], [commandAt(line, '\u200b')])
    expect(textOf(pieces)).toBe(shownAs(line))
    expect(pieces.at(-1)).toEqual({ text: 'rm x', kind: 'text', command: 0 })
    expect(pieces.find((piece) => piece.doubt === 0)).toMatchObject({ kind: 'escape', text: '⟨U+200B ZWSP⟩' })
  })

  it('P9: a word that is not what it looks like belongs to its own command', () => {
    const line = 'echo \0 ä; p\u0430ypal x'
    const pieces = cutCommandLine(line, [commandAt(line, 'p\u0430ypal x', 'deny')], [])
    expect(pieces.slice(-2)).toEqual([
      { text: 'p\u0430ypal⟨Latin+Cyrillic⟩', kind: 'mixed-script', name: 'Latin+Cyrillic', command: 0 },
      { text: ' x', kind: 'text', command: 0 },
    ])
  })

  it('a doubt is told where it stands, inside a run that is written as one too', () => {
    const line = 'a\0\0\0b $X c'
    const pieces = cutCommandLine(line, [], [{ start: 2, end: 3 }, commandAt(line, '$X')])
    expect(pieces.filter((piece) => piece.doubt !== undefined)).toEqual([
      { text: '⟨NUL ×3⟩', kind: 'escape', name: expect.any(String), doubt: 0 },
      { text: '$X', kind: 'text', doubt: 1 },
    ])
  })

  it('P9: beyond the limit head and tail are kept, with a mark that says how much is missing', () => {
    const line = `${'x'.repeat(20_000)}; rm y`
    const pieces = cutCommandLine(line, [commandAt(line, 'rm y', 'deny')], [])
    expect(textOf(pieces)).toBe(makeVisibleWithin(line, 16_000, { lines: 'keep' }).value.text)
    expect(pieces.find((piece) => piece.kind === 'left-out')?.text).toBe('⟨… 4,006 characters left out⟩')
    expect(pieces.at(-1)).toEqual({ text: 'rm y', kind: 'text', command: 0 })
  })

  it('an empty line has no pieces', () => {
    expect(cutCommandLine('', [], [])).toEqual([])
  })
})

describe('cutting, whatever the line and the places', () => {
  const character = fc.oneof(
    fc.constantFrom(
      ...'abc $;|&"\'\\\n\t'.split(''),
      '\0',
      '\u200b',
      '\u202e',
      '\u27e8',
      '\u0301',
      'а',
      '字',
      '😀',
      '\ufe0f',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }),
  )
  const lineOf = fc.array(character, { maxLength: 60 }).map((characters) => characters.join(''))
  const place = fc.record({ start: fc.integer({ min: -3, max: 80 }), end: fc.integer({ min: -3, max: 90 }) })
  const command = fc.record({
    start: fc.nat(80),
    end: fc.nat(90),
    verdict: fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const),
  })

  it('P9: the pieces say exactly what the visible line says', () => {
    fc.assert(
      fc.property(
        lineOf,
        fc.array(command, { maxLength: 8 }),
        fc.array(place, { maxLength: 5 }),
        (line, commands, doubts) => {
          expect(textOf(cutCommandLine(line, commands, doubts))).toBe(shownAs(line))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('P9: also where it is shortened, and no character is split', () => {
    fc.assert(
      fc.property(
        lineOf,
        fc.array(command, { maxLength: 8 }),
        fc.array(place, { maxLength: 5 }),
        fc.nat(40),
        (line, commands, doubts, limit) => {
          const pieces = cutCommandLine(line, commands, doubts, limit)
          expect(textOf(pieces)).toBe(makeVisibleWithin(line, limit, { lines: 'keep' }).value.text)
          for (const piece of pieces) {
            expect(piece.text.isWellFormed()).toBe(true)
            expect(piece.text).not.toBe('')
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  it('a plain character belongs to the smallest command around it, if to any', () => {
    const plain = fc.string({ unit: fc.constantFrom(...'abc;| '), minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(plain, fc.array(command, { maxLength: 8 }), (line, commands) => {
        let at = 0
        for (const piece of cutCommandLine(line, commands, [])) {
          for (const _ of piece.text) {
            const around = commands.filter(({ start, end }) => start <= at && at < end)
            const smallest = Math.min(...around.map(sizeOf))
            const owner = piece.command === undefined ? undefined : commands[piece.command]
            expect(owner === undefined ? Number.POSITIVE_INFINITY : sizeOf(owner)).toBe(smallest)
            if (owner !== undefined) expect(around).toContain(owner)
            at++
          }
        }
        expect(at).toBe(line.length)
      }),
    )
  })
})

function sizeOf({ start, end }: LinePlace): number {
  return end - start
}
