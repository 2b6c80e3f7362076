import { describe, expect, it } from 'vitest'
import { textDiff } from './text-diff.ts'

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')

describe('the difference of two texts', () => {
  it('says how many lines lie between', () => {
    const before = lines(30)
    const after = before.replace('line 10\n', 'line ten\n').replace('line 25\n', '')
    const { rows, added, removed } = textDiff(before, after, '')
    expect({ added, removed }).toEqual({ added: 1, removed: 2 })
    const gaps = rows.flatMap((row) => (row.kind === 'unchanged' ? [row.count] : []))
    const same = rows.filter(({ kind }) => kind === 'same').length
    expect(gaps).toHaveLength(3)
    expect(gaps.reduce((sum, count) => sum + count, 0) + same + removed).toBe(30)
  })

  it('P9: hides nothing in a line', () => {
    const [row] = textDiff('', 'allow: ["a\u202eb"]\n', '').rows
    expect(row).toMatchObject({ kind: 'added', newLine: 1 })
    expect(row?.kind === 'added' && row.value.text).toContain('U+202E')
  })

  it('of equal texts is nothing', () => {
    expect(textDiff('a\n', 'a\n', '').rows).toEqual([])
  })
})
