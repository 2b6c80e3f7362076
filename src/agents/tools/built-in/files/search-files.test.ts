/** `search_files`, and the globs by which it chooses files. */
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openToolFixture, type ToolFixture } from '../fixtures/tool-fixture.ts'
import { compileFileGlob } from './file-glob.ts'
import { createSearchFiles } from './search-files.ts'

const searchFiles = createSearchFiles()
let bench: ToolFixture

beforeEach(async () => {
  bench = await openToolFixture()
  const files = {
    'a.ts': 'one\nTwo two\r\nthree',
    'src/b.ts': 'two',
    'src/deep/c.tsx': 'no\n\ntwo',
    'src/d.md': 'two',
    '.git/config': 'two',
    'node_modules/x/i.ts': 'two',
    'binary.ts': 'two\0',
  }
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(bench.workspace, path, '..'), { recursive: true })
    await writeFile(join(bench.workspace, path), content)
  }
  await writeFile(join(bench.outside, 'two.ts'), 'two')
  await symlink(bench.outside, join(bench.workspace, 'out'))
  await symlink(join(bench.outside, 'two.ts'), join(bench.workspace, 'link.ts'))
})
afterEach(() => bench.close())

describe('search_files', () => {
  it.each([
    [{ pattern: 'two' }, 'a.ts:2: Two two\nsrc/b.ts:1: two\nsrc/d.md:1: two\nsrc/deep/c.tsx:3: two'],
    [{ pattern: 'TWO t', ignoreCase: true }, 'a.ts:2: Two two'],
    [{ pattern: 'two', glob: '*.{ts,tsx}' }, 'a.ts:2: Two two\nsrc/b.ts:1: two\nsrc/deep/c.tsx:3: two'],
    [{ pattern: 'two', path: 'src', glob: '*.ts' }, 'src/b.ts:1: two'],
    [{ glob: 'src/**' }, 'src/b.ts\nsrc/d.md\nsrc/deep/c.tsx'],
    [{ glob: 'src/*' }, 'src/b.ts\nsrc/d.md'],
    [{ pattern: '.*' }, '[nothing found]'],
    [{ pattern: 'three', path: './src/../' }, 'a.ts:3: three'],
  ])('%j', async (args, text) => {
    expect(await bench.run(searchFiles, args)).toEqual({ text })
  })

  it.each([
    [{}, 'give pattern, glob, or both'],
    [{ pattern: 'a\nb' }, 'no line break'],
    [{ pattern: 'two', path: '..' }, 'outside of the workspace'],
    [{ pattern: 'two', path: 'out' }, 'outside of the workspace'],
    [{ pattern: 'two', path: 'a.ts' }, 'is a file'],
    [{ glob: '../outside/*' }, 'no glob'],
    [{ glob: '/etc/*' }, 'no glob'],
    [{ glob: '{..,a}/*' }, 'no glob'],
    [{ glob: '~/*' }, 'no glob'],
    [{ glob: '[.][.]/*' }, 'no glob'],
    [{ glob: '{a' }, 'every { needs a }'],
    [{ regex: 'two' }, '"regex" is no argument; there are path, pattern, glob, ignoreCase'],
  ])('P5: refuses %j', async (args, words) => {
    expect(await bench.run(searchFiles, args)).toMatchObject({
      isError: true,
      text: expect.stringContaining(words),
    })
  })

  it('gives no more than a model can read', async () => {
    await writeFile(join(bench.workspace, 'many'), `hit ${'x'.repeat(1000)}\n`.repeat(600))
    const { text } = await bench.run(searchFiles, { pattern: 'hit' })
    expect(text.split('\n')).toHaveLength(501)
    expect(text).toContain('[only the first 500 lines; search a smaller part]')
    expect(text.length).toBeLessThan(200_000)
  })
})

describe('file globs', () => {
  it('agree with what regular expressions would say', () => {
    const step = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), minLength: 1, maxLength: 5 })
    const glob = fc.array(fc.oneof(step, fc.constant('**')), { minLength: 2, maxLength: 4 })
    const name = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(glob, fc.array(name, { minLength: 1, maxLength: 5 }), (steps, names) => {
        const regex = steps
          .map((one) =>
            one === '**' ? '(?:[^/]+/)*' : `${one.replace(/\*+/g, '[^/]*').replace(/\?/g, '[^/]')}/`,
          )
          .join('')
        expect(compileFileGlob(steps.join('/'))(names.join('/'))).toBe(
          new RegExp(`^${regex}$`).test(`${names.join('/')}/`),
        )
      }),
      { numRuns: 1000 },
    )
  })

  it('no pattern makes them slow', () => {
    const fits = compileFileGlob(`${'*a'.repeat(100)}b`)
    expect(fits('a'.repeat(255))).toBe(false)
    expect(compileFileGlob(`${'**/a/'.repeat(40)}b`)('a/'.repeat(2000))).toBe(false)
    expect(() => compileFileGlob('{a,b}'.repeat(40))).toThrow('at most 64 choices')
  })
})
