/** Each row of what a coding session must show, and of what must not come back, has a test that names it. */
import { expect, it } from 'vitest'
import { filesBelow, readSource } from '../architecture/source-files.ts'

const ROWS = [
  ...Array.from({ length: 50 }, (_, index) => String(index + 1)),
  ...Array.from({ length: 17 }, (_, index) => `N${index + 1}`),
]
const NAMED = /['"`]secretary ((?:N?\d+)(?:, N?\d+)*): /g

it('every row has a test that names it', () => {
  const named = new Set(
    ['src', 'test']
      .flatMap((folder) => filesBelow(folder))
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => [...readSource(path).text.matchAll(NAMED)])
      .flatMap(([, rows = '']) => rows.split(', ')),
  )
  expect(ROWS.filter((row) => !named.has(row))).toEqual([])
})
