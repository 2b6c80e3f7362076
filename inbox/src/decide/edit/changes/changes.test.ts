import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../../src/client/index.ts'
import { isSameJson } from '../draft/json-at.ts'
import { changesOf as allChangesOf } from './changes.ts'

const changesOf = (...given: Parameters<typeof allChangesOf>) => allChangesOf(...given).list

const texts = (before: JsonObject, after: JsonObject) =>
  changesOf(before, after).map(({ pointer, kind, rows }) => ({
    pointer,
    kind,
    rows: rows.map((row) => [row.kind, row.head, row.changed, row.tail]),
  }))

describe('what an edit changes', () => {
  it('shows where in a line', () => {
    expect(texts({ command: 'rm -rf build', same: 1 }, { command: 'rm -rf build/tmp', same: 1 })).toEqual([
      {
        pointer: '/command',
        kind: 'changed',
        rows: [
          ['removed', 'rm -rf build', '', ''],
          ['added', 'rm -rf build', '/tmp', ''],
        ],
      },
    ])
  })

  it('goes into objects, names what came and went, and tells a text from a number', () => {
    expect(texts({ a: { b: 1, c: 2 }, gone: 'x' }, { a: { b: '1', c: 2 }, new: true })).toEqual([
      {
        pointer: '/a/b',
        kind: 'changed',
        rows: [
          ['removed', '', '1', ''],
          ['added', '', '"1"', ''],
        ],
      },
      { pointer: '/gone', kind: 'removed', rows: [['removed', '', 'x', '']] },
      { pointer: '/new', kind: 'added', rows: [['added', '', 'true', '']] },
    ])
  })

  it('P9: makes visible what could not be seen, and says when only the end differs', () => {
    const [change] = changesOf({ a: 'x' }, { a: 'x\u200b' })
    expect(change?.rows.at(-1)?.changed).toContain('U+200B')
    expect(changesOf({ a: 'x' }, { a: 'x\n' })[0]).toMatchObject({ isOnlyEnd: true })
    expect(changesOf({}, { a: '' })[0]?.rows[0]).toMatchObject({ kind: 'added', changed: '""' })
  })

  it('P9: a change in the middle of a long line is what is shown of it', () => {
    const [before, after] = ['x', '\u{1f600}'].map(
      (middle) => `${'a'.repeat(9000)}${middle}${'b'.repeat(9000)}`,
    )
    const [change] = changesOf({ a: before! }, { a: after! })
    expect(change?.rows.map(({ changed }) => changed)).toEqual(['x', '\u{1f600}'])
    expect(change?.rows[0]?.head).toContain('left out')
    const faces = changesOf({ a: '\u{1f600}' }, { a: '\u{1f601}' })[0]
    expect(faces?.rows.map(({ changed }) => changed)).toEqual(['\u{1f600}', '\u{1f601}'])
    expect(changesOf({ a: '' }, { a: '""' })[0]?.rows).toHaveLength(1)
  })

  it('P9: shows a mask as a mask, but only where one stands', () => {
    const mask = '⟨masked: token, 8 characters⟩'
    const masked = changesOf({ key: mask }, { key: 'new' }, new Set(['/key']))[0]
    expect(masked?.rows.map(({ changed }) => changed)).toEqual([mask, 'new'])
    const written = changesOf({ key: 'old' }, { key: mask })[0]
    expect(written?.rows.at(-1)?.changed).not.toContain(mask)
  })

  it('P9: never leaves rows out silently', () => {
    const [change] = changesOf({ a: '' }, { a: 'line\n'.repeat(1000) })
    expect((change?.rows.length ?? 0) + (change?.leftOut ?? 0)).toBe(1000)
  })

  it('property: nothing where nothing changed, something where anything did', () => {
    const value = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 })
    fc.assert(
      fc.property(value, value, (one, other) => {
        const [before, after] = [one, other].map((made) => JSON.parse(JSON.stringify(made)) as JsonObject)
        const changes = changesOf(before!, after!)
        expect(changes.length === 0).toBe(isSameJson(before, after))
        for (const change of changes) expect(change.rows.length).toBeGreaterThan(0)
      }),
    )
  })
})
