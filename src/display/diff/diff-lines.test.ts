import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffLines, type LineDiff } from './diff-lines.ts'

const someText = fc
  .array(fc.constantFrom('a', 'b', 'c', 'd', '', '}'), { maxLength: 30 })
  .chain((lines) => fc.constantFrom(lines.join('\n'), lines.map((line) => `${line}\n`).join('')))

const splitLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** Makes the new text from the old one and the hunks alone; throws where they do not fit. */
function apply(before: string, { hunks }: LineDiff): string {
  const oldLines = splitLines(before)
  const out: string[] = []
  let at = 0
  for (const hunk of hunks) {
    while (at < hunk.oldStart - 1) out.push(oldLines[at++]!)
    expect(out.length).toBe(hunk.newStart - 1)
    for (const line of hunk.lines) {
      const raw = line.text + (line.isUnterminated ? '' : '\n')
      if (line.kind !== 'added') {
        expect(raw).toBe(oldLines[at++])
        expect(line.oldLine).toBe(at)
      }
      if (line.kind !== 'removed') {
        out.push(raw)
        expect(line.newLine).toBe(out.length)
      }
    }
  }
  return out.concat(oldLines.slice(at)).join('')
}

/** The length of the longest common subsequence, the slow and certain way. */
function commonLines(one: string[], other: string[]): number {
  let row = new Array<number>(other.length + 1).fill(0)
  for (const line of one) {
    const next = [0]
    other.forEach((otherLine, index) => {
      next.push(line === otherLine ? row[index]! + 1 : Math.max(row[index + 1]!, next[index]!))
    })
    row = next
  }
  return row.at(-1)!
}

const kinds = (diff: LineDiff): string[] =>
  diff.hunks.flatMap((hunk) =>
    hunk.lines.map((line) => `${{ same: ' ', removed: '-', added: '+' }[line.kind]}${line.text}`),
  )

describe('diffLines', () => {
  it('P9: the hunks make the new text out of the old one', () => {
    fc.assert(
      fc.property(someText, someText, fc.integer({ min: 0, max: 4 }), (before, after, context) => {
        expect(apply(before, diffLines(before, after, context))).toBe(after)
      }),
      { numRuns: 3000 },
    )
  })

  it('P9: no shorter difference exists', () => {
    fc.assert(
      fc.property(someText, someText, (before, after) => {
        const one = splitLines(before)
        const other = splitLines(after)
        const common = commonLines(one, other)
        const { added, removed, isComplete } = diffLines(before, after)
        expect({ added, removed, isComplete }).toEqual({
          added: other.length - common,
          removed: one.length - common,
          isComplete: true,
        })
      }),
      { numRuns: 1000 },
    )
  })

  it('P9: shows a change with its context and line numbers, removed lines first', () => {
    const before = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join('')
    const diff = diffLines(before, before.replace('line 10\nline 11', 'ten\neleven'), 1)
    expect(kinds(diff)).toEqual([' line 9', '-line 10', '-line 11', '+ten', '+eleven', ' line 12'])
    expect(diff.hunks[0]).toMatchObject({ oldStart: 9, newStart: 9 })
  })

  it('P9: changes far apart are hunks of their own, near ones share one', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `${index}`)
    const changed = (...at: number[]): string =>
      lines.map((line, index) => (at.includes(index) ? 'x' : line)).join('\n')
    expect(diffLines(lines.join('\n'), changed(5, 12)).hunks).toHaveLength(1)
    expect(diffLines(lines.join('\n'), changed(5, 13)).hunks).toHaveLength(2)
  })

  it('P9: equal texts have no hunks', () => {
    expect(diffLines('a\nb', 'a\nb')).toEqual({ hunks: [], added: 0, removed: 0, isComplete: true })
    expect(diffLines('', '').hunks).toEqual([])
  })

  it('P9: a missing line break at the end is a difference', () => {
    expect(diffLines('a', 'a\n').hunks[0]!.lines).toEqual([
      { kind: 'removed', text: 'a', oldLine: 1, isUnterminated: true },
      { kind: 'added', text: 'a', newLine: 1 },
    ])
  })

  it('P9: a carriage return is a difference', () => {
    expect(kinds(diffLines('a\n', 'a\r\n'))).toEqual(['-a', '+a\r'])
  })

  it('P9: too many differences are given whole, and it says so', () => {
    const before = Array.from(
      { length: 4000 },
      (_, index) => `${index % 2 === 0 ? 'same' : `old ${index}`}\n`,
    ).join('')
    const after = Array.from(
      { length: 4000 },
      (_, index) => `${index % 2 === 0 ? 'same' : `new ${index}`}\n`,
    ).join('')
    const diff = diffLines(before, after)
    expect(diff.isComplete).toBe(false)
    expect(apply(before, diff)).toBe(after)
  })

  it('P9: a new file of many lines is compared in full', () => {
    const after = 'x\n'.repeat(20_000)
    expect(diffLines('', after)).toMatchObject({ added: 20_000, removed: 0, isComplete: true })
    expect(diffLines('y\n', after)).toMatchObject({ added: 20_000, removed: 1, isComplete: true })
  })
})
