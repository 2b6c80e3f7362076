import { describe, expect, it } from 'vitest'
import { renderDiff } from './render-diff.ts'

function rows(before: string, after: string): string[] {
  const block = renderDiff({ label: 'x', pointers: [], before, after, limit: 4000 })
  return block!.rows.map((row) =>
    'value' in row ? `${{ same: ' ', removed: '-', added: '+' }[row.kind]}${row.value.text}` : row.text,
  )
}

describe('blanks in a difference', () => {
  it('P9: blanks at the end of a changed line are spelled out', () => {
    expect(rows('a\n', 'a  \n')).toEqual(['-a', '+a⟨SPACE ×2⟩'])
    expect(rows('a \n', 'a\t\n')).toEqual(['-a⟨SPACE⟩', '+a⟨TAB⟩'])
    expect(rows('\n', '  \n')).toEqual(['-', '+⟨SPACE ×2⟩'])
    expect(rows('a \r\n', 'a\r\n')).toEqual(['-a⟨SPACE⟩⟨CR⟩', '+a⟨CR⟩'])
  })

  it('P9: they have the look of what is spelled', () => {
    const block = renderDiff({ label: 'x', pointers: [], before: 'a', after: 'a ', limit: 4000 })
    expect(block!.rows[1]).toMatchObject({
      kind: 'added',
      value: {
        spans: [
          { kind: 'text', text: 'a' },
          { kind: 'spelled', text: '⟨SPACE⟩', name: 'space' },
        ],
      },
    })
  })

  it('P9: lines that stay the same keep their blanks', () => {
    expect(rows('same \n\ttab\t\nold\n', 'same \n\ttab\t\nnew\n')).toEqual([
      ' same ',
      ' \ttab\t',
      '-old',
      '+new',
    ])
  })

  it('P9: tabs are told from spaces where lines differ in nothing else', () => {
    expect(rows('\tx = 1\n', '        x = 1\n')).toEqual(['-⟨TAB⟩x = 1', '+        x = 1'])
    expect(rows('if\n\ta\n\tb\nend\n', 'if\n        a\n        b\nend\n')).toEqual([
      ...[' if', '-⟨TAB⟩a', '-⟨TAB⟩b', '+        a', '+        b', ' end'],
    ])
    expect(rows('a\tb\n', 'a \tb\n')).toEqual(['-a⟨TAB⟩b', '+a ⟨TAB⟩b'])
  })

  it('P9: tabs stay where the words differ, too, or the line beside is the very same', () => {
    expect(rows('\tx = 1\n', '\tx = 2\n')).toEqual(['-\tx = 1', '+\tx = 2'])
    expect(rows('\ta', '\ta\n')).toEqual(['-\ta', '+\ta'])
    expect(rows('\ta\nsame\nb\n', 'same\n a\n')).toEqual(['-\ta', ' same', '-b', '+ a'])
  })

  it('P9: two spellings of a line do not look the same', () => {
    expect(rows('caf\u00e9\n', 'cafe\u0301\n')).toEqual(['-caf\u00e9', '+cafe⟨U+0301⟩'])
    expect(rows('5 \u00c5\n', '5 \u212b\n')).toEqual(['-5 \u00c5', '+5 ⟨U+212B⟩'])
  })

  it('P9: the end of a long line is spelled out behind the mark', () => {
    expect(rows('x', `${'x'.repeat(5000)} `)[1]).toMatch(/left out⟩x+⟨SPACE⟩$/)
  })
})
