/** The project's habits, as far as a machine can see them. */
import { existsSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesBelow, isForTests, lineAt, ROOT, readSource, type SourceFile, walk } from './source-files.ts'

interface Convention {
  name: string
  applies(path: string): boolean
  /** What is wrong with the file; nothing when it is as it should be. */
  faults(source: SourceFile): string[]
}

const MAX_LINES = 400
const MAX_PARAMETERS = 5
const NO_ROOMS = ['utils', 'helpers', 'common', 'shared', 'lib', 'misc']
const TEXT = new Set([
  '.ts',
  '.tsx',
  '.mjs',
  '.js',
  '.json',
  '.md',
  '.yaml',
  '.yml',
  '.html',
  '.css',
  '.sql',
  '.lua',
  '.svg',
  '',
])

/** Where JSON is read that holds no names of others, or that isn't read by Node. */
const OTHER_JSON = new Set([
  'src/core/json/parse-json.ts',
  'src/mcp/lines/json-members.ts',
  'src/mcp/lines/message-id.ts',
  'src/coding-agents/setup/toml-items.ts',
  'src/coding-agents/opencode/plugin.ts',
  'src/policy/known-programs.ts',
])

const isSource = (path: string) => path.startsWith('src/')
const isCode = (path: string) => /\.(ts|tsx|mjs|js)$/.test(path)
const isText = (path: string) => TEXT.has(extname(path)) && basename(path) !== 'package-lock.json'

// Put together from halves, so that this file is not its own first offender.
const UNFINISHED = new RegExp(
  `\\b(${['TO', 'FIX'].map((half, index) => half + ['DO', 'ME'][index]).join('|')})\\b`,
)
const MODULE_MOCK = new RegExp(`\\bvi\\.${'mo'}ck\\b`)
const MACHINE_PATH = new RegExp(
  `(?<![\\w.~-])/(${'ro'}ot|home/(?!ana\\b|agent\\b)[a-z][\\w-]*|Users/[a-z][\\w-]*|work)/[\\w.-]`,
)
const REGISTRY = /\b(registry|npm|packages)\.[a-z0-9-]+\.(com|org|io|net|dev|internal|local)\b/

const CONVENTIONS: Convention[] = [
  {
    name: `a file in src has at most ${MAX_LINES} lines`,
    applies: isSource,
    faults({ text }) {
      const lines = text.trimEnd().split('\n').length
      return lines > MAX_LINES ? [`${lines} lines: it is two files`] : []
    },
  },
  {
    name: `a function has at most ${MAX_PARAMETERS} parameters`,
    applies: (path) => /^(src|inbox\/src)\/.*\.tsx?$/.test(path) && !isForTests(path),
    faults: longParameterLists,
  },
  {
    name: 'files and folders are in kebab-case',
    applies: (path) => /^(src|test|bench|scripts|inbox\/src)\//.test(path) && isCode(path),
    faults({ path }) {
      const parts = path.replace(/(\.(test|bench|config))?\.\w+$/, '').split('/')
      return parts
        .filter((part) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(part))
        .map((part) => `"${part}" is not kebab-case`)
    },
  },
  {
    name: 'no folder or file is a drawer for everything',
    applies: isCode,
    faults({ path }) {
      const parts = path.replace(/(\.test)?\.\w+$/, '').split('/')
      return parts
        .filter((part) => NO_ROOMS.includes(part))
        .map((part) => `"${part}" says nothing: name the concept`)
    },
  },
  {
    name: 'nothing is left for later',
    applies: (path) => isText(path),
    faults: (source) => linesWith(source, UNFINISHED),
  },
  {
    name: 'no test replaces our own modules',
    applies: isCode,
    faults: (source) => linesWith(source, MODULE_MOCK),
  },
  {
    name: 'JSON is read by parseJson or parseStrictJson',
    applies: (path) =>
      /^(src|inbox\/src)\/(?!testing\/).*\.tsx?$/.test(path) && !isForTests(path) && !OTHER_JSON.has(path),
    faults: (source) => linesWith(source, /\bJSON\.parse\(/),
  },
  {
    name: 'links between our pages lead somewhere',
    applies: (path) => path.endsWith('.md'),
    faults({ path, text }) {
      const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target = '']) => target)
      return targets
        .filter((target) => !existsSync(join(ROOT, dirname(path), target)))
        .map((target) => `there is no ${target}`)
    },
  },
  {
    name: 'no path of somebody’s machine',
    applies: isText,
    faults: (source) => linesWith(source, MACHINE_PATH),
  },
  {
    name: 'no host of a package registry',
    applies: isText,
    faults: (source) => linesWith(source, REGISTRY),
  },
]

describe('conventions', () => {
  const files = filesBelow('.')

  it.each(CONVENTIONS)('$name', ({ applies, faults }) => {
    const checked = files.filter(applies)
    expect(checked.length).toBeGreaterThan(0)
    expect(
      checked.map(readSource).flatMap((source) => faults(source).map((fault) => `${source.path}: ${fault}`)),
    ).toEqual([])
  })
})

describe('this test goes red', () => {
  const bad: [string, string, string][] = [
    [`a file in src has at most ${MAX_LINES} lines`, 'src/core/a.ts', 'x\n'.repeat(MAX_LINES + 1)],
    ...[
      'function f(a, b, c, d, e, f) {}',
      'const f = (a, b, c, d, e, { f }) => a',
      'class A { f(a, b, c, d, e, f) {} }',
      'interface A { f(a: 1, b: 1, c: 1, d: 1, e: 1, f?: 1): void }',
      'type F = (a: 1, b: 1, c: 1, d: 1, e: 1, ...f: 1[]) => void',
    ].map((text): [string, string, string] => [
      `a function has at most ${MAX_PARAMETERS} parameters`,
      'inbox/src/a.ts',
      `type Six<A, B, C, D, E, F> = F\nconst five = (a, b, c, d, e) => f(1, 2, 3, 4, 5, 6)\n${text}`,
    ]),
    ['files and folders are in kebab-case', 'src/core/someThing.ts', ''],
    ['files and folders are in kebab-case', 'src/Core/a.ts', ''],
    ['no folder or file is a drawer for everything', 'src/core/utils/a.ts', ''],
    ['no folder or file is a drawer for everything', 'src/core/helpers.ts', ''],
    ['nothing is left for later', 'docs/a.md', `${'TO'}${'DO'}: later`],
    ['no test replaces our own modules', 'src/a.test.ts', `vi.${'mo'}ck('./b.ts')`],
    ['JSON is read by parseJson or parseStrictJson', 'src/a.ts', 'const a = JSON.parse(text)'],
    ['links between our pages lead somewhere', 'docs/a.md', 'see [it](nowhere.md#there)'],
    ['no path of somebody’s machine', 'README.md', `cd ${'/ro'}ot/project`],
    ['no path of somebody’s machine', 'README.md', `cd ${'/ho'}me/someone/project`],
    ['no host of a package registry', 'README.md', `https://regis${'try'}.example.com/x`],
  ]
  it.each(bad)('%s: %s', (name, path, text) => {
    const convention = CONVENTIONS.find((one) => one.name === name)
    expect(convention?.applies(path)).toBe(true)
    expect(convention?.faults({ path, text })).toHaveLength(1)
  })
})

/** Also of methods, and where only the type of a function is declared. */
function longParameterLists(source: SourceFile): string[] {
  const faults: string[] = []
  walk(source, ({ type, params, start }) => {
    if (!Array.isArray(params) || params.length <= MAX_PARAMETERS || type.startsWith('TSTypeParameter'))
      return
    faults.push(
      `line ${lineAt(source.text, start)}: ${params.length} parameters; put what belongs together into an object`,
    )
  })
  return faults
}

function linesWith({ text }: SourceFile, pattern: RegExp): string[] {
  return text.split('\n').flatMap((line, index) => {
    const found = pattern.exec(line)
    return found === null ? [] : [`line ${index + 1}: ${JSON.stringify(found[0])}`]
  })
}
