/** One name, one thing: a type's name is declared in one file, so that a reader who has seen it once knows it. */
import { describe, expect, it } from 'vitest'
import { inboxSources, productSources, type SourceFile, walk } from './source-files.ts'

/** Drivers of stores are built alike, and a reader looks at one of them at a time: these may be in each of them. */
const IN_EVERY_DRIVER = ['Database', 'Hints', 'Job', 'RequestLists', 'Row', 'ServerFacts', 'SqlValue']

describe('names of types', () => {
  const files = filesByName([...productSources(), ...inboxSources()])

  it('each is declared in one file', () => {
    expect(declaredTwice(files)).toEqual([])
  })

  it('what drivers may have each is still there in several', () => {
    expect(IN_EVERY_DRIVER.filter((name) => (files.get(name)?.length ?? 0) < 2)).toEqual([])
  })
})

describe('this test goes red', () => {
  const file = (path: string, text: string): SourceFile => ({ path, text })
  const twiceIn = (...sources: SourceFile[]) => declaredTwice(filesByName(sources))

  it.each(['interface Line {}', 'export type Line = string', 'class Line {}', 'export enum Line {}'])(
    'on %s in a second file, and names both',
    (text) => {
      const found = twiceIn(file('src/a.ts', 'export interface Line {}'), file('inbox/src/b.tsx', text))
      expect(found).toEqual(['Line: inbox/src/b.tsx, src/a.ts'])
    },
  )

  it('on a name of drivers outside of them, and twice in one', () => {
    const row = 'export interface Row {}'
    const drivers = [file('src/stores/redis/a.ts', row), file('src/stores/sqlite/b.ts', row)]
    expect(twiceIn(...drivers)).toEqual([])
    expect(twiceIn(...drivers, file('src/gateway/c.ts', row))).toHaveLength(1)
    expect(twiceIn(...drivers, file('src/stores/redis/c.ts', row))).toHaveLength(1)
    expect(twiceIn(...drivers, file('src/stores/store.ts', row))).toHaveLength(1)
  })

  it('but not on a name that is imported, or declared again in the same file', () => {
    const found = twiceIn(
      file('src/a.ts', 'export interface Line {}\nexport interface Line {}'),
      file('src/b.ts', "import type { Line } from './a.ts'\nexport const line = {} as Line"),
    )
    expect(found).toEqual([])
  })
})

function declaredTwice(files: ReadonlyMap<string, string[]>): string[] {
  return [...files]
    .filter(([name, paths]) => paths.length > 1 && !(IN_EVERY_DRIVER.includes(name) && areDrivers(paths)))
    .map(([name, paths]) => `${name}: ${paths.toSorted().join(', ')}`)
    .sort()
}

function areDrivers(paths: readonly string[]): boolean {
  const drivers = paths.map((path) => /^src\/stores\/([^/]+)\//.exec(path)?.[1])
  return !drivers.includes(undefined) && new Set(drivers).size === paths.length
}

const DECLARATIONS = new Set([
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'ClassDeclaration',
  'TSEnumDeclaration',
])

function filesByName(sources: readonly SourceFile[]): Map<string, string[]> {
  const files = new Map<string, string[]>()
  for (const source of sources) {
    const names = new Set<string>()
    walk(source, (node) => {
      const name = DECLARATIONS.has(node.type) ? (node.id as { name?: string } | null)?.name : undefined
      if (name !== undefined) names.add(name)
    })
    for (const name of names) files.set(name, [...(files.get(name) ?? []), source.path])
  }
  return files
}
