import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json/json.ts'
import { compilePolicy } from '../../src/policy/index.ts'
import { createFactsGatherer } from '../../src/server/facts/gather-facts.ts'

/** Judged with the facts that a server gathers, on real folders and links. */
let top: string
let cwd: string
let outside: string

beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-globs-')))
  cwd = join(top, 'project')
  outside = join(top, 'outside')
  for (const folder of ['project/src/lib', 'project/.banksman', 'outside'])
    mkdirSync(join(top, folder), { recursive: true })
  writeFileSync(join(outside, 'key'), 'x')
  writeFileSync(join(cwd, 'banksman.yaml'), '')
  symlinkSync(outside, join(cwd, 'src/away'))
})
afterAll(() => rmSync(top, { recursive: true, force: true }))

const TOOLS = {
  read_many: { kind: 'read', path: '/path', glob: '/pattern' },
  read_these: { kind: 'read', glob: '/globs/0' },
  replace_in: { kind: 'edit', path: '/path', glob: '/glob' },
}

async function judged(block: object, tool: string, args: JsonObject) {
  const policy = compilePolicy(block, {
    roots: [cwd],
    home: join(top, 'home'),
    tools: TOOLS,
    ownHouse: {
      files: [join(cwd, 'banksman.yaml')],
      folders: [join(cwd, '.banksman')],
      addresses: [],
      program: 'banksman',
    },
  })
  const gather = createFactsGatherer({ lookups: policy.lookups, now: () => 0, home: join(top, 'home') })
  const call = { tool, arguments: args, cwd, session: 's' }
  return policy.evaluate(call, await gather(call))
}

/** How each tool is given a pattern. */
const GIVEN: Readonly<Record<string, (pattern: string) => JsonObject>> = {
  Glob: (pattern) => ({ pattern }),
  Grep: (glob) => ({ pattern: 'x', path: 'src', glob }),
  search_files: (glob) => ({ pattern: 'x', path: 'src', glob }),
  read_many: (pattern) => ({ path: 'src', pattern }),
  read_these: (glob) => ({ globs: [glob] }),
  replace_in: (glob) => ({ path: 'src', glob }),
}

/** Spellings by which a pattern leaves the folder that it seems to begin in. */
function leaving(away: string): string[] {
  const [, first = ''] = away.split('/')
  const rest = away.slice(first.length + 1)
  const up = [
    '[.][.]',
    '[.].',
    '.[.]',
    '.{.,x}',
    '{.,x}.',
    '@(..)',
    '+(.)',
    '\\.\\.',
    '{..,x}',
    '{,.}.',
    '[!a].',
    '[--9][--9]',
  ]
  return [
    `${away}/*`,
    `{src,${away}}/*`,
    `{x,${away}/*}`,
    `{${away},src}/**`,
    `{,x}${away}/*`,
    `[/]${first}${rest}/*`,
    `{/,x}${first}${rest}/*`,
    `@(${away})/*`,
    `lib[/][.][.][/][.][.][/]outside/*`,
    `lib[!a][.][.][!a][.][.][!a]outside/*`,
    `*.ts ${away}/*`,
    `*.ts,${away}/*`,
    ' ../../outside/*',
    'lib ../../outside/*',
    ...up.flatMap((one) => [
      `${one}/outside/*`,
      `lib/${one}/${one}/${one}/outside/*`,
      `{lib,src}/${one}/../outside/*`,
    ]),
  ]
}

describe('a pattern that may lead out of its folder', () => {
  it('P5: is allowed by no rule about paths, in any spelling, for every tool with a pattern', async () => {
    const passed: string[] = []
    for (const [tool, given] of Object.entries(GIVEN)) {
      for (const pattern of leaving(outside)) {
        const verdict = await judged({ allow: [`${tool}(./**)`], mode: 'dontAsk' }, tool, given(pattern))
        if (verdict.kind === 'allow') passed.push(`${tool} ${pattern}`)
      }
    }
    expect(passed).toEqual([])
  })

  it('has a person asked where a deny names what it may come to', async () => {
    const passed: string[] = []
    for (const [tool, given] of Object.entries(GIVEN)) {
      const deny = [tool === 'replace_in' ? `Edit(${outside}/**)` : `Read(${outside}/**)`]
      for (const pattern of leaving(outside)) {
        const verdict = await judged({ allow: [tool], mode: 'bypass', deny }, tool, given(pattern))
        if (verdict.kind === 'allow') passed.push(`${tool} ${pattern}`)
      }
    }
    expect(passed).toEqual([])
  })

  it('a fact about the text, taken for a path, is none about the pattern', async () => {
    const policy = compilePolicy({}, { roots: [cwd] })
    const gather = createFactsGatherer({ lookups: policy.lookups, now: () => 0, home: top })
    const facts = await gather({ tool: 'Glob', arguments: { pattern: '{src,/etc}/*' }, cwd })
    expect(facts.paths).not.toHaveProperty('/pattern')
  })

  it.each([
    ['Glob', '**/*.ts'],
    ['Glob', 'src/**/*.{ts,tsx}'],
    ['Glob', '{src,docs}/*.md'],
    ['Glob', 'src/[a-z]*.[jt]s'],
    ['Glob', 'src/.eslintrc*'],
    ['Glob', '*.ts{,x}'],
    ['Grep', '*.ts'],
    ['Grep', '*.{ts,tsx}'],
    ['search_files', 'lib/**/*.ts'],
    ['read_many', '**/*.ts'],
    ['replace_in', '**/*.ts'],
    ['replace_in', 'lib/a.ts'],
  ])('what stays in it is allowed as before: %s %s', async (tool, pattern) => {
    const verdict = await judged({ allow: [`${tool}(./**)`] }, tool, GIVEN[tool]!(pattern))
    expect(verdict.kind, verdict.because).toBe('allow')
  })

  it('follows the links of the folder that it begins in', async () => {
    for (const tool of ['Glob', 'read_many', 'replace_in']) {
      const args = tool === 'Glob' ? { pattern: 'src/away/*' } : GIVEN[tool]!('away/*')
      expect((await judged({ allow: [`${tool}(./**)`] }, tool, args)).kind, tool).toBe('ask')
    }
  })
})

describe('an edit by a pattern', () => {
  const all = { allow: ['*'], mode: 'bypass' }

  it.each([
    '{banksman,x}.yaml',
    'banksman.*',
    '*.yaml',
    '**',
    '*',
    '{.banksman,src}/*',
    '[.]banksman/*',
    'b*',
    '**/*',
  ])('P11: may come to what is ours: %s', async (glob) => {
    expect((await judged(all, 'replace_in', { path: '.', glob })).kind).toBe('deny')
    expect((await judged(all, 'replace_in', { glob })).kind).toBe('deny')
  })

  it('may come to what a deny names, and to a file that steers programs', async () => {
    for (const glob of ['**', 'secrets/*', 's*/**', '{secrets,x}/a.txt', '**/*.txt'])
      expect(
        (await judged({ ...all, deny: ['Edit(./src/secrets/**)'] }, 'replace_in', { path: 'src', glob }))
          .kind,
        glob,
      ).not.toBe('allow')
    for (const glob of ['**', '.npm*', '{.npmrc,x}', '*', '.git/hooks/*'])
      expect((await judged(all, 'replace_in', { path: 'src', glob })).kind, glob).toBe('ask')
  })

  it.each([
    ['.', 'src/**/*.ts'],
    ['.', '**/*.ts'],
    ['src', '*.txt'],
    ['src', '{a,b}.md'],
  ])('needs nobody where it comes to none of these: %s %s', async (path, glob) => {
    const verdict = await judged({ ...all, deny: ['Edit(./docs/a.txt)'] }, 'replace_in', { path, glob })
    expect(verdict.kind, verdict.because).toBe('allow')
  })
})
