import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../../../src/client/index.ts'
import { diffLines } from '../../../../../src/display/diff/diff-lines.ts'
import { counted } from '../fixtures/counted.ts'
import { changesOf } from './changes.ts'
import { narrowTexts } from './narrow-texts.ts'

const named = (count: number, value: JsonValue): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, value]))

describe('what a large edit changes', () => {
  it('P9: counts the places that are too many to be shown', () => {
    const { list, more } = changesOf(named(60_000, 1), named(60_000, 2))
    expect(list).toHaveLength(50)
    expect(more).toBe(60_000 - 50)
    const lines = changesOf(named(10, ''), named(10, 'line\n'.repeat(150)))
    expect(lines.list.length + lines.more).toBe(10)
    expect(lines.list.reduce((sum, { rows }) => sum + rows.length, 0)).toBe(400)
    expect(lines.list.every(({ rows, leftOut }) => rows.length + leftOut === 150)).toBe(true)
  })

  it('looks at each place once, however deep it lies', () => {
    let before: JsonObject = named(1000, 1)
    let after: JsonObject = { ...before, key500: 2 }
    for (let level = 0; level < 90; level++) [before, after] = [{ in: before }, { in: after }]
    const covered = counted(before, 3000)
    expect(changesOf(covered.value, after).list).toHaveLength(1)
  })

  it('P9: shows the one line that differs among 200,000', () => {
    const lines = Array.from({ length: 200_000 }, (_, index) => `line ${index}`)
    const [before, after] = ['same', 'other'].map((middle) => lines.with(100_000, middle).join('\n'))
    const [change] = changesOf({ text: before! }, { text: after! }).list
    expect(change).toMatchObject({ leftOut: 0, notCompared: { before: 0, after: 0 } })
    expect(change?.rows.map(({ kind, head, changed }) => `${kind} ${head}${changed}`)).toEqual([
      'same line 99998',
      'same line 99999',
      'removed same',
      'added other',
      'same line 100001',
      'same line 100002',
    ])
  })

  it('P9: shows what differs in the middle of one line of 900,000, with its look-alikes told', () => {
    const around = 'paypal, '.repeat(60_000)
    const [change] = changesOf(
      { a: `${around}paypal ${around}` },
      { a: `${around}p\u0430ypal ${around}` },
    ).list
    expect(change?.rows.map(({ changed }) => changed)).toEqual(['paypal', 'p\u0430ypal⟨Latin+Cyrillic⟩'])
    expect(change?.rows[0]?.head).toContain('478,000 characters left out')
  })

  it('P9: says how much of two texts that have nothing in common is not compared', () => {
    const [change] = changesOf({ a: 'x\n'.repeat(300_000) }, { a: 'y'.repeat(900_000) }).list
    expect(change?.notCompared).toEqual({ before: 550_000, after: 850_000 })
    expect(change?.rows).toHaveLength(200)
    expect(change?.leftOut).toBeGreaterThan(0)
  })

  it('property: the part that is compared differs as the whole does', () => {
    const head = Array.from({ length: 6000 }, (_, index) => `head ${index}\n`).join('')
    const tail = Array.from({ length: 6000 }, (_, index) => `tail ${index}\n`).join('')
    const middle = fc.array(fc.constantFrom('a\n', 'b\n', 'c', '\u{1f600}', '\u{1f601}\n', ' d'), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(middle, middle, fc.boolean(), (one, other, hasTail) => {
        const [before, after] = [one, other].map((text) => `${head}${text.join('')}${hasTail ? tail : ''}`)
        const narrow = narrowTexts(before!, after!, 2)
        const linesOf = (old: string, made: string) =>
          diffLines(old, made, 2).hunks.map(({ lines }) => lines.map(({ kind, text }) => [kind, text]))
        expect(narrow.notCompared).toEqual({ before: 0, after: 0 })
        expect(narrow.before.length).toBeLessThan(1000)
        expect(linesOf(narrow.before, narrow.after)).toEqual(linesOf(before!, after!))
      }),
      { numRuns: 40 },
    )
  })
})
