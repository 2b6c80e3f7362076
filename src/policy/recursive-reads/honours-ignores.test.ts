import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json/json.ts'
import { compilePolicy } from '../compile-policy.ts'
import type { PolicyBlock } from '../language/language.ts'
import { lexicalFacts } from '../subject/lexical-facts.ts'

const ownHouse = {
  files: ['/srv/app/banksman.yaml'],
  untouchable: ['/srv/app/.banksman/banksman.db'],
  folders: ['/srv/app/.banksman', '/srv/app/keep/vault'],
  addresses: [],
  program: 'banksman',
}
const BOTH = ownHouse.folders
const ALL: PolicyBlock = { mode: 'bypass', allow: ['*'] }
const STARTER: PolicyBlock = { extends: 'banksman:starter' }

function judged(tool: string, args: JsonObject, ignored: string[], block = ALL, tools?: unknown) {
  const policy = compilePolicy(block, {
    roots: ['/srv/app'],
    home: '/home/ana',
    ownHouse,
    ...(tools ? { tools } : {}),
  })
  const call = { tool, arguments: args, cwd: '/srv/app' }
  return policy.evaluate(call, { ...lexicalFacts(policy, call, { home: '/home/ana' }), ignored })
}
const line = (command: string, ignored: string[] = BOTH, block = ALL) =>
  judged('Bash', { command }, ignored, block)

describe('a search by ripgrep where our own folders have ignore files', () => {
  const searches = [
    'rg foo',
    'rg --hidden foo',
    'rg -. foo .',
    'rg -n --hidden -i foo ./',
    'rg --hidden foo /srv/app',
    'rg --hidden foo /srv',
    'rg --hidden -T ts foo',
    "rg --hidden -g '!dist' foo",
    'rg --hidden -e foo',
    'rg --hidden foo | head -20',
    'cd src && rg --hidden foo ..',
    "bash -lc 'rg --hidden foo'",
    'rg -C 3 -l --sort path --hidden foo',
  ]
  for (const command of searches) {
    it(`needs nobody, and somebody where one of the files is missing: ${command}`, () => {
      expect(line(command).kind, line(command).because).toBe('allow')
      expect(line(command, []).kind).toBe('ask')
      expect(line(command, ['/srv/app/.banksman']).kind).toBe('ask')
    })
  }

  it('needs nobody for Grep, in the starter too', () => {
    for (const args of [
      { pattern: 'x' },
      { pattern: 'x', path: '.' },
      { pattern: 'x', path: '/srv/app' },
      { pattern: 'x', output_mode: 'content', '-n': true, '-C': 3 },
      { pattern: '->next' },
      { pattern: '-- next' },
    ]) {
      expect(judged('Grep', args, BOTH).kind, JSON.stringify(args)).toBe('allow')
      expect(judged('Grep', args, BOTH, STARTER).kind, JSON.stringify(args)).toBe('allow')
      expect(judged('Grep', args, []).kind, JSON.stringify(args)).toBe('ask')
    }
    expect(line('rg --hidden foo', BOTH, STARTER).kind).toBe('allow')
  })

  it('needs a person where something lifts them', () => {
    for (const command of [
      'rg -u foo',
      'rg -uu foo',
      'rg -uuu foo .',
      'rg -iuu foo',
      'rg --unrestricted --unrestricted foo',
      'rg --hidden --no-ignore foo',
      'rg --hidden --no-ignore-dot foo',
      'rg --hidden --no-ignore-parent foo',
      'rg --no-ignore --ignore --hidden foo',
      'rg --hidden --ignore-file x foo',
      "rg --hidden -g '*' foo",
      "rg --hidden -g '**/*' foo",
      "rg --hidden -g '*.pem' foo",
      "rg --hidden -g '!x' -g '*' foo",
      "rg --hidden --glob='*' foo",
      "rg --hidden --iglob '*' foo",
      "rg --hidden -g'*' foo",
      'rg --hidden -f patterns',
      'rg --hidden --file=patterns',
      'rg --hidden -L foo',
      'rg --hidden --follow foo',
      'rg --hidden --pre cat foo',
      'rg --hidden --made-up foo',
      'rg --hidden "$X"',
      'rg --files --hidden | xargs cat',
      'rg --hidden foo */*',
      'rga --hidden foo',
      './rg --hidden foo',
      'sudo rg --hidden foo',
      'echo . | xargs rg --hidden foo',
      'RIPGREP_CONFIG_PATH=/tmp/x rg --hidden foo',
      'rg(){ cat .*/*; }; rg --hidden foo',
      '. ./settings; rg --hidden foo',
      'grep -r foo .',
      'ag --hidden foo',
      'ack foo',
      'ugrep -r --hidden foo .',
      'find . -type f -exec cat {} +',
      'git grep --no-index foo',
      'tar cf /tmp/x .',
      'rg --hidden foo; grep -r foo .',
    ])
      expect(line(command).kind, command).toBe('ask')
    for (const args of [
      { pattern: 'x', glob: '*' },
      { pattern: 'x', glob: '**/*' },
      { pattern: 'x', glob: '*.pem' },
      { pattern: 'x', glob: '!a,*' },
      { pattern: 'x', glob: '!a *' },
      { pattern: '--no-ignore' },
      { pattern: '-uu', path: '/srv/app' },
      { pattern: 'x', type: '-.uu' },
      { pattern: 'x', output_mode: '--no-ignore' },
      { pattern: 'x', noIgnore: true },
    ] as JsonObject[])
      expect(judged('Grep', args, BOTH).kind, JSON.stringify(args)).toBe('ask')
    // A tool of that name that somebody describes may search by anything.
    const tools = { Grep: { kind: 'read', path: '/path', glob: '/glob' } }
    expect(judged('Grep', { pattern: 'x' }, BOTH, ALL, tools).kind).toBe('ask')
    expect(judged('search_files', { pattern: 'x', glob: '**/*' }, BOTH).kind).toBe('ask')
    expect(judged('search_files', { pattern: 'x' }, []).kind).toBe('ask')
  })

  it('P5: more globs than anyone writes count as any file', () => {
    const globs = (many: number, last: string) => ({ pattern: 'x', glob: ` ${'*.ts '.repeat(many)}${last}` })
    expect(judged('Grep', globs(60, '*.js'), BOTH).kind).toBe('allow')
    for (const many of [1, 63, 64, 65, 20_000])
      expect(judged('Grep', globs(many, '*.pem'), BOTH).kind, String(many)).toBe('ask')
  })

  it('a line that names settings of ripgrep may search what is hidden', () => {
    for (const command of [
      'RIPGREP_CONFIG_PATH=/tmp/x rg foo',
      'env RIPGREP_CONFIG_PATH=/tmp/x rg foo',
      'export RIPGREP_CONFIG_PATH=/tmp/x; rg foo',
    ])
      expect(line(command, []).kind, command).toBe('ask')
  })

  it('P11: denies what names our folder, and what would change its ignore files', () => {
    for (const command of [
      'rg foo .banksman',
      'rg --hidden foo ./.banksman/',
      'rg foo keep/vault/x',
      'rm .banksman/.ignore',
      'rm -f /srv/app/.banksman/.rgignore',
      'echo "!*" > .banksman/.rgignore',
      'mv .banksman/.ignore /tmp/x',
      'cp x .banksman/.ignore',
      'sed -i s/x/y/ .banksman/.ignore',
      'cd .banksman && rm .ignore',
      'cd .banksman && rg foo',
      'chmod 000 .banksman/.rgignore',
    ])
      expect(line(command).kind, command).toBe('deny')
    for (const [tool, args] of [
      ['Write', { file_path: '/srv/app/.banksman/.ignore', content: '' }],
      ['Edit', { file_path: '.banksman/.rgignore', old_string: '*', new_string: '' }],
      ['Grep', { pattern: 'x', path: '.banksman' }],
    ] as [string, JsonObject][])
      expect(judged(tool, args, BOTH).kind, JSON.stringify(args)).toBe('deny')
  })

  it('a deny on a file that lies there still needs a person', () => {
    const block: PolicyBlock = { allow: ['Bash', 'Grep'], deny: ['Read(.env)'] }
    expect(judged('Grep', { pattern: 'x' }, BOTH, block).because).toMatch(
      /what the rule `deny: "Read\(.env\)"` denies/,
    )
    expect(line('rg --hidden foo', BOTH, block).because).toMatch(
      /what the rule `deny: "Read\(.env\)"` denies/,
    )
  })

  it('is looked up only where it matters', () => {
    const { lookups } = compilePolicy(ALL, { roots: ['/srv/app'], ownHouse })
    const asks = (tool: string, args: JsonObject) =>
      lookups({ tool, arguments: args, cwd: '/srv/app' }).ignored
    expect(asks('Grep', { pattern: 'x' })).toEqual(BOTH)
    expect(asks('Bash', { command: 'rg --hidden x' })).toEqual(BOTH)
    expect(asks('Bash', { command: 'rg -uu x' })).toBeUndefined()
    expect(asks('Bash', { command: 'ls' })).toBeUndefined()
    expect(asks('Read', { file_path: 'x' })).toBeUndefined()
  })

  it('whatever options are given: with one that lifts the ignore files it needs a person', () => {
    const harmless = fc.constantFrom<string>(
      '-n',
      '-i',
      '-l',
      '--hidden',
      '-C 2',
      "-g '!dist'",
      '--no-heading',
    )
    const lifting = fc.constantFrom(
      '-u',
      '-uu',
      '-nuu',
      '--no-ignore',
      '--no-ignore-dot',
      "-g '*'",
      '-L',
      '--pre x',
    )
    fc.assert(
      fc.property(fc.array(harmless, { maxLength: 4 }), lifting, fc.nat(4), (options, lifts, at) => {
        const plain = ['rg', '--hidden', ...options, 'foo'].join(' ')
        expect(line(plain).kind, plain).toBe('allow')
        const command = ['rg', '--hidden', ...options.toSpliced(at, 0, lifts), 'foo'].join(' ')
        expect(line(command).kind, command).toBe('ask')
      }),
    )
  })
})
