import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runs } from '../../../test/fixtures/property-runs.ts'
import { defined } from '../../core/defined.ts'
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import { compilePolicy } from '../compile-policy.ts'
import { lexicalFacts } from '../subject/lexical-facts.ts'
import { KNOWN_TOOLS, strangenessOf } from './known-arguments.ts'

const home = '/home/ana'
const cwd = `${home}/project`
const at = { roots: [cwd], home }

function verdictBy(block: object, tool: string, args: JsonObject, mode?: string, tools?: object) {
  const policy = compilePolicy(block, { ...at, ...defined({ tools }) })
  const call = { tool, arguments: args, cwd }
  return policy.evaluate(call, lexicalFacts(policy, call, { home, at: 0 }), { mode })
}
const starter = { extends: 'banksman:starter' }
const verdict = (tool: string, args: JsonObject, mode?: string) => verdictBy(starter, tool, args, mode)

/** Calls that the starter or a mode allows, as the products make them. */
const PLAIN: [tool: string, args: JsonObject, mode?: string][] = [
  ['Bash', { command: 'git status' }],
  ['Bash', { command: 'ls', description: 'List', timeout: 5000, run_in_background: false }],
  ['Read', { file_path: 'src/a.ts', offset: 1, limit: 20 }],
  ['Read', { file_path: 'a.pdf', pages: '1-5', allow_large: true }],
  ['Glob', { pattern: '**/*.ts', path: 'src' }],
  ['Grep', { pattern: 'x', path: 'src', '-n': true, '-C': 2, output_mode: 'content', head_limit: 5 }],
  ['LS', { path: 'src', ignore: ['*.log'] }],
  ['NotebookRead', { notebook_path: 'a.ipynb' }],
  ['TodoWrite', { todos: [{ content: 'x', status: 'pending', activeForm: 'y' }] }],
  ['AskUserQuestion', { questions: [{ question: 'a?', header: 'b', options: [] }] }],
  ['exec', { command: 'ls', arguments: ['-l'], cwd: 'src', timeoutSeconds: 5 }],
  ['exec', { command: 'git status', shell: true }],
  ['read_file', { path: 'src/a.ts', offset: 1, limit: 5 }],
  ['read_file', { file_path: 'src/a.ts', start_line: 1, end_line: 5 }],
  ['read_file', { file_path: 'src/a.ts', offset: 1, limit: 5, pages: '1' }],
  ['list_dir', { path: 'src', depth: 2 }],
  ['BashOutput', { bash_id: '1', filter: 'x' }],
  ['search_files', { pattern: 'x', glob: '*.ts', path: 'src', ignoreCase: true }],
  ['Edit', { file_path: 'src/a.ts', old_string: 'a', new_string: 'b', replace_all: true }, 'acceptEdits'],
  ['MultiEdit', { file_path: 'a.ts', edits: [{ old_string: 'a', new_string: 'b' }] }, 'acceptEdits'],
  ['Write', { file_path: 'src/a.ts', content: 'x' }, 'acceptEdits'],
  ['write_file', { path: 'src/a.ts', content: 'x' }, 'acceptEdits'],
  ['write_file', { file_path: 'src/a.ts', content: 'x' }, 'acceptEdits'],
  ['edit_file', { path: 'a.ts', oldText: 'a', newText: 'b', replaceAll: false }, 'acceptEdits'],
  ['append_file', { path: 'a.ts', content: 'x' }, 'acceptEdits'],
  ['NotebookEdit', { notebook_path: 'a.ipynb', new_source: 'x', cell_id: '1' }, 'acceptEdits'],
  ['Read', { file_path: 'src/a.ts' }, 'plan'],
  ['Bash', { command: 'git log' }, 'plan'],
]

const plain = fc.constantFrom(...PLAIN)
const value: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom('/etc/passwd', '~/.ssh/id_rsa', 'src/b.ts', '', 'rm -rf x'),
  fc.boolean(),
  fc.integer(),
  fc.constant(null),
  fc.constant<JsonValue>({ file_path: '/etc/passwd' }),
  fc.constant<JsonValue>(['/etc/passwd']),
)
const strangeName = (tool: string, args: JsonObject) =>
  fc
    .oneof(
      fc.constantFrom(
        ...[
          'path',
          'file_path',
          'filePath',
          'absolute_path',
          'paths',
          'command',
          'cmd',
          'cwd',
          'workdir',
          'tty',
        ],
        ...[
          'env',
          'shell',
          'sandbox_permissions',
          '_simulatedSedEdit',
          '__proto__',
          'constructor',
          'toString',
          '',
        ],
      ),
      fc.constantFrom(...Object.keys(args)).map((name) => name.toUpperCase()),
      fc.constantFrom(...Object.keys(args)).map((name) => `${name} `),
      fc.constantFrom(...Object.keys(args)).map((name) => `${name}\u200b`),
      fc.string({ minLength: 1, maxLength: 80 }),
    )
    .filter((name) => !Object.hasOwn(args, name) && !isKnownFor(tool, name))

const KINDLESS = ['AskUserQuestion', 'BashOutput', 'TodoWrite']

const isKnownFor = (tool: string, name: string) =>
  (KNOWN_TOOLS.get(tool) ?? []).some((shape) => Object.hasOwn(shape, name))

/** With an own member of any name, `__proto__` too. */
const withArgument = (args: JsonObject, name: string, one: JsonValue): JsonObject =>
  Object.defineProperty({ ...args }, name, {
    value: one,
    enumerable: true,
    configurable: true,
    writable: true,
  })

describe('arguments that a tool is not known to have', () => {
  it.each(PLAIN)('%s with what it has is allowed: %j %s', (tool, args, mode) => {
    expect(verdict(tool, args, mode).kind).toBe('allow')
  })

  it('P5: with one more, no starter, no rule about parts and no mode allows it, and a person is told which', () => {
    const more = plain.chain(([tool, args, mode]) =>
      fc.tuple(fc.constant({ tool, args, mode }), strangeName(tool, args), value),
    )
    fc.assert(
      fc.property(more, ([{ tool, args, mode }, name, one]) => {
        const given = withArgument(args, name, one)
        const found = verdict(tool, given, mode)
        expect(found.kind).toBe(mode === 'plan' ? 'deny' : 'ask')
        // Of a tool without a kind, what looks like a path or a command counts for rules that ask, too.
        if (KINDLESS.includes(tool) && /(?:^|: )it (?:names|runs|reads) /.test(found.because)) return
        expect(found.because).toContain("isn't one that the tool is known to have")
        expect(found.because).toMatch(/^[\x20-\x7e]*$/)
        if (/^\w{1,40}$/.test(name)) expect(found.because).toContain(`\`${name}\``)
      }),
      { numRuns: runs(250) },
    )
  })

  it('a number may be in quotes, or null: it names nothing', () => {
    for (const [tool, args] of [
      ['Read', { file_path: 'src/a.ts', offset: '1', limit: '20' }],
      ['Read', { file_path: 'src/a.ts', limit: null }],
      ['Grep', { pattern: 'x', path: 'src', '-n': true, '-C': '3', head_limit: null }],
      ['Bash', { command: 'ls', timeout: '5000' }],
    ] as [string, JsonObject][])
      expect(verdict(tool, args).kind, JSON.stringify(args)).toBe('allow')
    for (const [tool, args] of [
      ['Read', { file_path: 'src/a.ts', offset: '1; x' }],
      ['Read', { file_path: 'src/a.ts', limit: '.env' }],
      ['Read', { file_path: 'src/a.ts', limit: ['1'] }],
      ['Read', { file_path: null }],
      ['Grep', { pattern: 'x', path: 'src', '-n': 'true' }],
      ['Grep', { pattern: 'x', path: null }],
    ] as [string, JsonObject][])
      expect(verdict(tool, args).kind, JSON.stringify(args)).not.toBe('allow')
  })

  it('P5: with a value of another kind it is not understood either', () => {
    const wrong = plain.chain(([tool, args, mode]) =>
      fc.tuple(fc.constant({ tool, args, mode }), fc.constantFrom(...Object.keys(args)), value),
    )
    fc.assert(
      fc.property(wrong, ([{ tool, args, mode }, name, one]) => {
        const was = args[name]
        fc.pre(typeof one !== typeof was || Array.isArray(one) !== Array.isArray(was) || one === null)
        // In quotes or null a number is left as it is, as above.
        fc.pre(typeof was !== 'number' || (one !== null && !/^-?\d+$/.test(String(one))))
        expect(verdict(tool, { ...args, [name]: one }, mode).kind, name).not.toBe('allow')
      }),
      { numRuns: runs(150) },
    )
  })

  it.each<[string, JsonObject, string?]>([
    ['read_file', { path: 'src/a.ts', file_path: '/etc/passwd' }],
    ['read_file', { path: 'src/a.ts', start_line: 1 }],
    ['read_file', { file_path: '/etc/passwd' }],
    ['read_file', { absolute_path: 'src/a.ts' }],
    ['list_dir', { path: 'src', dir_path: '/etc' }],
    ['list_dir', { dir_path: 'src' }],
    ['Bash', { command: 'ls', shellExecutable: './sh' }],
    ['Bash', { command: ['ls'] }],
    ['write_file', { file_path: '/etc/x', content: 'x' }, 'acceptEdits'],
    [
      'MultiEdit',
      { file_path: 'a', edits: [{ old_string: 'a', new_string: 'b', file_path: '/x' }] },
      'acceptEdits',
    ],
    ['MultiEdit', { file_path: 'a', edits: { old_string: 'a' } }, 'acceptEdits'],
    ['MultiEdit', { file_path: 'a', edits: ['x'] }, 'acceptEdits'],
    ['Bash', { command: 'ls', run_in_background: 'x' }],
    ['Bash', { command: [['ls']] }],
    ['Bash', { command: 'ls', tty: true }],
    ['Bash', { command: 'systemctl list-units', tty: true }],
    ['exec', { command: 'ls', shell: 'true' }],
    ['TodoWrite', { todos: [], file_path: '/etc/x' }],
    ['TodoWrite', { todos: [{ content: 'x', run: 'y' }] }],
    ['TaskList', { x: 1 }],
  ])('P5: %s %j is not allowed', (tool, args, mode) => {
    expect(verdict(tool, args, mode).kind).toBe('ask')
  })

  it('rules about parts, and rules that may be about it, do not allow it either', () => {
    const odd = { file_path: 'src/a.ts', path: '/etc/passwd' }
    expect(verdictBy({ allow: ['Read(./**)'] }, 'Read', odd).kind).toBe('ask')
    expect(verdictBy({ allow: ['Bash(git *)'] }, 'Bash', { command: 'git status', env: {} }).kind).toBe('ask')
    expect(verdictBy({ deny: ['Read(~/.ssh/**)'], mode: 'bypass' }, 'Read', odd).kind).toBe('ask')
    expect(verdictBy({ deny: ['Read(~/.ssh/**)'], allow: ['Read'] }, 'Read', odd).kind).toBe('ask')
    expect(verdictBy({ mode: 'dontAsk', allow: ['Read(./**)'] }, 'Read', odd).kind).toBe('deny')
  })

  it('a plain name still allows, rules on arguments hold as before, and denies deny', () => {
    const odd = { file_path: 'src/a.ts', path: 'x' }
    expect(verdictBy({ allow: ['Read'] }, 'Read', odd).kind).toBe('allow')
    expect(verdictBy({ ...starter, allow: ['Read'] }, 'Read', odd).kind).toBe('allow')
    expect(verdictBy({ allow: ['*'] }, 'Read', odd).kind).toBe('allow')
    expect(verdictBy({ mode: 'bypass' }, 'Read', odd).kind).toBe('allow')
    expect(verdictBy({ deny: ['Read'] }, 'Read', odd).kind).toBe('deny')
    expect(verdictBy({ deny: ['Read(./src/**)'] }, 'Read', odd).kind).toBe('deny')
    const rule = { name: 'r', when: { tool: 'Read', arguments: { '/path': { equals: 'x' } } }, then: 'allow' }
    expect(verdictBy({ rules: [rule] }, 'Read', odd).kind).toBe('allow')
  })

  it("a tool of the user's own is judged by the user's entry alone", () => {
    const tools = { Read: { kind: 'read', path: '/file_path' } }
    const odd = { file_path: 'src/a.ts', anything: 1 }
    expect(verdictBy({ allow: ['Read(./**)'] }, 'Read', odd, undefined, tools).kind).toBe('allow')
    expect(verdictBy({ allow: ['Read(./**)'] }, 'Read', odd).kind).toBe('ask')
  })

  it('a grant for more than exactly this call does not cover it, and none is suggested', () => {
    const policy = compilePolicy(starter, at)
    const call = { tool: 'Read', arguments: { file_path: '/etc/hosts', path: 'x' }, cwd }
    const facts = lexicalFacts(policy, call, { home, at: 0 })
    expect(policy.suggest(call, 'd', facts).map(({ width }) => width)).toEqual(['call'])
    expect(policy.matches({ kind: 'when', when: { tool: 'Read' }, words: 'x' }, call, 'd', facts)).toBe(false)
    expect(policy.matches({ kind: 'exact', digest: 'd' }, call, 'd', facts)).toBe(true)
  })
})

describe('the lists of known arguments', () => {
  const folder = join(import.meta.dirname, 'known-arguments')
  const kind: z.ZodType = z.lazy(() =>
    z.union([
      z.enum(['text', 'number', 'boolean', 'texts', 'text or texts', 'list', 'object']),
      z.tuple([z.record(z.string(), kind)]),
    ]),
  )
  const list = z.array(
    z.strictObject({
      product: z.string().min(3),
      seen: z.array(z.string().regex(/^\d+(\.\d+)+$/)).nonempty(),
      tools: z.record(z.string(), z.record(z.string(), kind)),
    }),
  )

  it('say in which version they were seen, and each product is there', () => {
    const lists = readdirSync(folder).map((file) =>
      list.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))),
    )
    expect([...new Set(lists.flat().map(({ product }) => product))].sort()).toEqual([
      ...['Banksman', 'Claude Code', 'Codex', 'Gemini CLI', 'GitHub Copilot CLI', 'Qwen Code', 'opencode'],
    ])
  })

  it('strangeness is told for what is known only', () => {
    expect(strangenessOf([], { anything: 1 })).toBeUndefined()
    expect(strangenessOf(undefined, { anything: 1 })).toBeUndefined()
    expect(strangenessOf([{}], {})).toBeUndefined()
    expect(strangenessOf([{}], { a: 1 })).toEqual({ kind: 'unknown', argument: 'a' })
  })
})
