/**
 * A file that is loaded through a long chain of others is hard to understand alone and slow to load. So chains of value
 * imports are short and never closed, and neither are those between folders.
 */
import { describe, expect, it } from 'vitest'
import { cyclesIn, folderGraphs, type ImportGraph, importGraph, longestChain } from './import-graph.ts'
import { inboxSources, productSources } from './source-files.ts'

const MOST_FILES = 15

describe('chains of imports', () => {
  const graph = importGraph([...productSources(), ...inboxSources()])

  it('no file imports itself through others', () => {
    expect(closedChains(graph)).toEqual([])
  })

  it(`none is longer than ${MOST_FILES} files`, () => {
    expect(tooLong(graph, MOST_FILES)).toEqual([])
  })

  it('folders beside each other import each other in one direction', () => {
    expect(closedFolders(graph)).toEqual([])
  })
})

describe('this test goes red', () => {
  const graphOf = (files: Record<string, string>): ImportGraph =>
    importGraph(Object.entries(files).map(([path, text]) => ({ path, text })))

  it('on a chain that is too long, and names it', () => {
    const graph = graphOf({
      'src/a.ts': "import { b } from './x/b.ts'\nimport { c } from './c.ts'",
      'src/x/b.ts': "export { c } from '../c.ts'",
      'src/c.ts': 'export const c = 1',
    })
    expect(tooLong(graph, 2)).toEqual(['3 files: src/a.ts → src/x/b.ts → src/c.ts'])
    expect(tooLong(graph, 3)).toEqual([])
  })

  it('but not on types, late imports or libraries', () => {
    const graph = graphOf({
      'src/a.ts':
        "import type { B } from './b.ts'\nimport { type B } from './b.ts'\nimport { z } from 'zod'\nawait import('./b.ts')",
      'src/b.ts': "import { a } from './a.ts'",
    })
    expect(tooLong(graph, 1)).toEqual(['2 files: src/b.ts → src/a.ts'])
    expect(closedChains(graph)).toEqual([])
  })

  it('on files that import each other', () => {
    const graph = graphOf({
      'src/a.ts': "import './b.ts'",
      'src/b.ts': "export * from './c.ts'",
      'src/c.ts': "import { b } from './b.ts'",
    })
    expect(closedChains(graph)).toEqual(['src/b.ts → src/c.ts → src/b.ts'])
  })

  it('on folders that import each other, at any depth, though no file does', () => {
    const graph = graphOf({
      'src/room/x/a.ts': "import '../y/b.ts'",
      'src/room/y/b.ts': '',
      'src/room/y/deep/c.ts': "import '../../x/z/d.ts'",
      'src/room/x/z/d.ts': '',
    })
    expect(closedChains(graph)).toEqual([])
    expect(closedFolders(graph)).toEqual(['src/room: x → y → x'])
  })

  it('but not on a file beside the folders, which they and it may import', () => {
    const graph = graphOf({
      'src/room/room.ts': "import './x/a.ts'",
      'src/room/nouns.ts': '',
      'src/room/x/a.ts': "import '../nouns.ts'\nimport './z/d.ts'",
      'src/room/x/z/d.ts': '',
    })
    expect(closedFolders(graph)).toEqual([])
  })
})

function tooLong(graph: ImportGraph, most: number): string[] {
  const chain = longestChain(graph)
  return chain.length > most ? [`${chain.length} files: ${chain.join(' → ')}`] : []
}

function closedChains(graph: ImportGraph): string[] {
  return cyclesIn(graph).map((cycle) => cycle.join(' → '))
}

function closedFolders(graph: ImportGraph): string[] {
  const found = [...folderGraphs(graph)].flatMap(([folder, arrows]) =>
    cyclesIn(arrows).map((cycle) => `${folder}: ${cycle.join(' → ')}`),
  )
  return found.sort()
}
