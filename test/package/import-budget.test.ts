/**
 * What an import costs those who write it. Each export may load so many files of ours and these libraries, and no more:
 * a file that a reader would never look for here is found when somebody's program has become slow.
 *
 * The budgets have a little room. Where a test goes red, find out who imports what is new before you raise one.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importsOf, ROOT, readSource } from '../architecture/source-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'banksman-imports-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeAll(() => {
  if (existsSync(join(ROOT, 'dist/index.js'))) return
  const built = spawnSync(process.execPath, ['scripts/build-package.ts'], { cwd: ROOT, encoding: 'utf8' })
  expect(built.status, built.stderr).toBe(0)
}, 120_000)

/** By the file in `dist`: how many of ours, and which libraries. */
const BUILT: [door: string, files: number, libraries: string[]][] = [
  ['index', 20, []],
  ['policy/index', 22, ['re2js', 'unbash']],
  ['client/index', 7, []],
  ['stores/memory/index', 12, []],
  ['stores/sqlite/index', 15, []],
  ['stores/postgres/index', 16, []],
  ['stores/redis/index', 16, []],
  ['agents/hooks/index', 11, []],
  ['agent', 45, ['re2js', 'zod']],
  ['cli/main', 14, []],
]

/** Their frameworks bring what they bring; whoever uses an adapter has them loaded already. */
const ADAPTERS: [door: string, files: number][] = [
  ['adapters/ai-sdk/index', 9],
  ['adapters/langchain/index', 9],
  ['adapters/claude-agent-sdk/index', 9],
  ['adapters/openai-agents/index', 9],
  ['adapters/mastra/index', 9],
  ['adapters/adk/index', 9],
]

describe('the built package', () => {
  it('has a budget for every export', () => {
    const { exports } = JSON.parse(readSource('package.json').text) as {
      exports: Record<string, { default?: string }>
    }
    const doors = Object.values(exports).flatMap((target) => target.default ?? [])
    const known = [...BUILT, ...ADAPTERS].map(([door]) => `./dist/${door}.js`)
    // Whoever tests a store has vitest with it, and waits for nothing else.
    expect(doors.filter((door) => !known.includes(door))).toEqual(['./dist/testing/index.js'])
  })

  it.each(BUILT)('%s loads at most %i files, and of libraries %j', (door, files, libraries) => {
    const loaded = loadedBy(door)
    expect(loaded.libraries).toEqual(libraries)
    expect(loaded.ours.length, loaded.ours.join('\n')).toBeLessThanOrEqual(files)
  })

  it.each(ADAPTERS)('%s loads at most %i files of ours', (door, files) => {
    const { ours } = loadedBy(door)
    expect(ours.length, ours.join('\n')).toBeLessThanOrEqual(files)
  })

  it.each(['memory:', `sqlite:${join(folder, 'budget.db')}`])(
    'a gateway on %s needs no more than its policy does',
    (store) => {
      const { ours, libraries } = loadedBy('index', store)
      expect(libraries).toEqual(['re2js', 'unbash'])
      expect(ours.length, ours.join('\n')).toBeLessThanOrEqual(64)
      // The policy's own tables of agents' files are a part by themselves, which `connect` has too.
      const others = ours.filter((file) => !file.includes('policy-agent-files'))
      expect(
        others.filter((file) => /configuration(?!-trust)|http|agent|zod|yaml|start-server/.test(file)),
      ).toEqual([])
    },
  )
})

/** Sources, as far as they are imported at once. A late import is the business of who waits for it. */
const LIGHT = [
  'src/index.ts',
  'src/server/composition/compose-embedded.ts',
  'src/policy/index.ts',
  'src/client/index.ts',
  'src/stores/memory/index.ts',
  'src/stores/sqlite/index.ts',
  'src/stores/postgres/index.ts',
  'src/stores/redis/index.ts',
  'src/display/index.ts',
  'inbox/src/main.tsx',
]

const HEAVY = ['zod', 'yaml', 'hono', '@hono/node-server', 'ws', '@opentelemetry/api', 'pg', '@redis/client']

describe('sources', () => {
  it.each(LIGHT)('%s reaches neither a heavy library, nor the agent, nor the HTTP API', (door) => {
    const reached = reachedFrom(door)
    const heavy = [...reached].filter(
      ([path]) => HEAVY.includes(path) || /^src\/(?:agents|http)\//.test(path),
    )
    expect(heavy.map(([path]) => chain(reached, path))).toEqual([])
  })

  it('this test goes red', () => {
    const reached = reachedFrom('src/server/configuration/configuration.ts')
    expect(chain(reached, 'zod')).toBe('src/server/configuration/configuration.ts → zod')
    expect([...reached.keys()]).toContain('src/agents/hooks/configuration/hook-configuration.ts')
  })
})

function loadedBy(door: string, ...store: string[]): { ours: string[]; libraries: string[] } {
  const url = pathToFileURL(join(ROOT, `dist/${door}.js`)).href
  const program = join(ROOT, 'test/fixtures/loaded-modules.ts')
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, url, ...store], {
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
  const files = (JSON.parse(stdout) as string[]).map((file) => fileURLToPath(file))
  const libraries = files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [])
  return {
    ours: files.filter((file) => !file.includes('/node_modules/')),
    libraries: [...new Set(libraries)].sort(),
  }
}

/** Every file and library that is loaded with a source, with the file that imports it first. */
function reachedFrom(door: string): Map<string, string | undefined> {
  const reached = new Map<string, string | undefined>([[door, undefined]])
  for (const [path] of reached) {
    if (!/^(?:src|inbox\/src)\/.*\.tsx?$/.test(path)) continue
    for (const { from, typeOnly, late } of importsOf(readSource(path))) {
      // The pages of the inbox are loaded late, and are still the inbox.
      if (typeOnly || (late && !path.startsWith('inbox/')) || from.startsWith('node:')) continue
      const target = from.startsWith('.')
        ? posix.join(posix.dirname(path), from)
        : from.split('/', from.startsWith('@') ? 2 : 1).join('/')
      if (!reached.has(target)) reached.set(target, path)
    }
  }
  return reached
}

function chain(reached: ReadonlyMap<string, string | undefined>, path: string): string {
  const from = reached.get(path)
  return from === undefined ? path : `${chain(reached, from)} → ${path}`
}
