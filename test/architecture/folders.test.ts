/** A folder shows what is in it at a glance: one with more entries than this is several. */
import { describe, expect, it } from 'vitest'
import { filesBelow } from './source-files.ts'

const MOST_ENTRIES = 30
const CHECKED = ['src', 'inbox/src', 'test', 'bench', 'scripts']

/** A file a program: data that is read by name, and not from top to bottom. */
const DATA = ['src/policy/starter/programs']

describe('folders', () => {
  it(`none has more than ${MOST_ENTRIES} entries`, () => {
    expect(crowded(CHECKED.flatMap(filesBelow))).toEqual([])
  })

  it.each(DATA)('%s still has to be left out', (folder) => {
    expect(entriesOf(filesBelow(folder)).get(folder)?.size).toBeGreaterThan(MOST_ENTRIES)
  })
})

describe('this test goes red', () => {
  const files = (folder: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${folder}/file-${index}.ts`)

  it('on a folder with one file too many, and says how many', () => {
    expect(crowded(files('src/room', MOST_ENTRIES))).toEqual([])
    expect(crowded(files('src/room', MOST_ENTRIES + 1))).toEqual(['src/room has 31 entries'])
  })

  it('on a folder of folders', () => {
    const paths = Array.from({ length: MOST_ENTRIES + 1 }, (_, index) => `test/folder-${index}/a.ts`)
    expect(crowded(paths)).toEqual(['test has 31 entries'])
  })

  it('but not on many files in several folders, nor on data', () => {
    expect(crowded([...files('src/a', 20), ...files('src/b', 20), ...files(DATA[0]!, 100)])).toEqual([])
  })
})

function crowded(paths: readonly string[]): string[] {
  return [...entriesOf(paths)].flatMap(([folder, entries]) =>
    entries.size <= MOST_ENTRIES || DATA.includes(folder) ? [] : [`${folder} has ${entries.size} entries`],
  )
}

function entriesOf(paths: readonly string[]): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>()
  for (const path of paths) {
    const names = path.split('/')
    for (let depth = 1; depth < names.length; depth++) {
      const folder = names.slice(0, depth).join('/')
      folders.set(folder, (folders.get(folder) ?? new Set()).add(names[depth]!))
    }
  }
  return folders
}
