/** What the package offers: every subpath leads to a file that is built, and every door is a curated list. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  filesBelow,
  lineAt,
  productSources,
  ROOT,
  readSource,
  type SourceFile,
  walk,
} from '../architecture/source-files.ts'

interface Manifest {
  exports?: Record<string, unknown>
  bin?: Record<string, string>
  files?: string[]
}

const manifest = JSON.parse(readSource('package.json').text) as Manifest

describe('package.json', () => {
  it('has an exports map with the library’s door in it', () => {
    expect(manifest.exports, 'package.json has no "exports"').toBeDefined()
    expect(Object.keys(manifest.exports ?? {})).toContain('.')
  })

  it('exports only what is built from a file in src', () => {
    expect(deadTargets(manifest.exports ?? {}, filesBelow('src'))).toEqual([])
  })

  it('names programs that exist, and publishes the folder they are in', () => {
    for (const path of Object.values(manifest.bin ?? {})) {
      expect(existsSync(join(ROOT, path)), `${path} does not exist`).toBe(true)
      expect(manifest.files).toContain(path.replace(/^\.\//, '').split('/')[0])
    }
  })
})

describe('doors', () => {
  it('are lists of names, never `export *`', () => {
    expect(productSources().flatMap(exportedStars)).toEqual([])
  })
})

describe('this test goes red', () => {
  const sources = ['src/index.ts', 'src/policy/index.ts', 'src/stores/memory/index.ts']

  it.each([
    [{ '.': './dist/nowhere.js' }, '. → ./dist/nowhere.js: there is no src/nowhere.ts'],
    [{ '.': { types: './dist/nowhere.d.ts' } }, '. → ./dist/nowhere.d.ts: there is no src/nowhere.ts'],
    [{ '.': { import: { default: './dist/no.js' } } }, '. → ./dist/no.js: there is no src/no.ts'],
    [{ './x': './src/index.ts' }, './x → ./src/index.ts: it should be ./dist/….js or ./dist/….d.ts'],
    [{ './x/*': './dist/x/*/index.js' }, './x/* → ./dist/x/*/index.js: there is no src/x/*/index.ts'],
  ])('on %j', (exports, message) => {
    expect(deadTargets(exports, sources)).toEqual([message])
  })

  it('but not on what is there', () => {
    const exports = {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './policy': './dist/policy/index.js',
      './stores/*': './dist/stores/*/index.js',
      './internal/*': null,
      './package.json': './package.json',
    }
    expect(deadTargets(exports, sources)).toEqual([])
  })

  it('on `export *`', () => {
    const source = { path: 'src/index.ts', text: "export { a } from './a.ts'\nexport * from './b.ts'\n" }
    expect(exportedStars(source)).toEqual(['src/index.ts:2 exports * from ./b.ts: name what is exported'])
  })
})

function deadTargets(exports: Record<string, unknown>, sources: string[]): string[] {
  return Object.entries(exports).flatMap(([subpath, value]) => {
    return targetsOf(value).flatMap((target) => {
      if (target === './package.json') return []
      const [, built] = /^\.\/dist\/(.+?)(?:\.d)?\.[jt]s$/.exec(target) ?? []
      if (built === undefined) return [`${subpath} → ${target}: it should be ./dist/….js or ./dist/….d.ts`]
      const source = `src/${built}.ts`
      const [before = '', after] = source.split('*')
      const found = sources.some((path) => {
        return after === undefined ? path === source : path.startsWith(before) && path.endsWith(after)
      })
      return found ? [] : [`${subpath} → ${target}: there is no ${source}`]
    })
  })
}

/** The files at the ends of the conditions; null closes a subpath. */
function targetsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(targetsOf)
}

function exportedStars(source: SourceFile): string[] {
  const found: string[] = []
  walk(source, (node) => {
    if (node.type !== 'ExportAllDeclaration') return
    const from = (node.source as unknown as { value: string }).value
    found.push(
      `${source.path}:${lineAt(source.text, node.start)} exports * from ${from}: name what is exported`,
    )
  })
  return found
}
