import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isBanksmanError } from '../../core/errors.ts'
import type { ListName } from '../language/language.ts'
import { importClaudePermissions } from './claude-permissions.ts'
import { type Note, ruleOf } from './imported.ts'

/** What one entry comes to: lists and rules, and the effects of the notes about it. */
function one(list: ListName, entry: string) {
  const { block, notes } = importClaudePermissions({ [list]: [entry] })
  return { ...block, effects: effectsOn(`/${list}/0`, notes) }
}

const effectsOn = (pointer: string, notes: readonly Note[]) =>
  notes.filter((note) => note.pointer === pointer).map(({ effect }) => effect)

describe("Claude Code's tools", () => {
  it.each([
    ['Bash', ['Bash']],
    ['WebSearch', ['WebSearch']],
    ['mcp__github__get_issue', ['mcp__github__get_issue']],
    ['mcp__github', ['mcp__github__*']],
    ['mcp__github__*', ['mcp__github__*']],
    ['mcp__github__get_*', ['mcp__github__get_*']],
    ['mcp__my_server', ['mcp__my_server__*']],
    ['Task', ['Agent', 'Task']],
    ['Bash(*)', ['Bash(*)']],
    ['Bash()', ['Bash']],
  ])('%s in allow', (entry, expected) => {
    expect(one('allow', entry)).toEqual({ allow: expected, effects: [] })
  })

  it('deny and ask of Read and Edit are about all tools that read or edit', () => {
    expect(one('deny', 'Edit').deny).toEqual(['Edit', 'Write', 'NotebookEdit', 'MultiEdit'])
    expect(one('ask', 'Read').ask).toEqual(['Read', 'Glob', 'Grep', 'LS', 'NotebookRead'])
    expect(one('allow', 'Edit').allow).toEqual(['Edit'])
  })

  it.each(['*', 'B*', 'mcp__*', 'mcp__*__x', 'mcp__git*'])(
    'P5: %s in allow may stand for any tool and is skipped there; deny and ask keep it',
    (entry) => {
      expect(one('allow', entry)).toEqual({ effects: ['dropped'] })
      expect(one('deny', entry)).toEqual({ deny: [entry], effects: [] })
    },
  )
})

describe('commands', () => {
  it.each([
    ['Bash(npm run test:*)', 'Bash(npm run test *)'],
    ['Bash(npm run build)', 'Bash(npm run build)'],
    ['Bash(git *)', 'Bash(git *)'],
    ['Bash(ls:*)', 'Bash(ls *)'],
    ['Bash(ls*)', 'Bash(ls*)'],
    ['Bash( git log * )', 'Bash(git log *)'],
    ['Bash(git:* push)', 'Bash(git:* push)'],
    ["Bash(grep 'a|b' *)", "Bash(grep 'a|b' *)"],
    ['Bash(node -e "f(1)" *)', 'Bash(node -e "f(1)" *)'],
    ['Bash(rm -rf *)', 'Bash(rm -rf *)'],
  ])('%s', (entry, expected) => {
    for (const list of ['allow', 'ask', 'deny'] as const) {
      expect(one(list, entry)).toEqual({ [list]: [expected], effects: [] })
    }
  })

  it('P5: a deny or an ask that another spelling of its options escapes is said', () => {
    for (const list of ['ask', 'deny'] as const) {
      for (const entry of ['Bash(deploy --force *)', 'Bash(git push --force)']) {
        expect(one(list, entry)).toEqual({ [list]: [entry], effects: ['changed'] })
        const [note] = importClaudePermissions({ [list]: [entry] }).notes
        expect(note).toMatchObject({ pointer: `/${list}/0` })
        expect(note?.about).toContain('would still pass')
      }
    }
    expect(one('allow', 'Bash(deploy --force *)')).toEqual({
      allow: ['Bash(deploy --force *)'],
      effects: [],
    })
  })

  it('P5: a variable that is set: no allow comes of it, a deny is about the command', () => {
    expect(one('allow', 'Bash(NODE_ENV=test npm test)')).toEqual({ effects: ['dropped'] })
    expect(one('deny', 'Bash(A=1 B=2 npm test *)')).toEqual({
      deny: ['Bash(npm test *)'],
      effects: ['stricter'],
    })
  })

  it('P5: a program by its path: an allow is about that very file, a deny about the program wherever it is', () => {
    for (const entry of [
      'Bash(./gradlew build)',
      'Bash(scripts/x.sh *)',
      'Bash(~/bin/x *)',
      'Bash(/tmp/x)',
    ]) {
      expect(one('allow', entry)).toEqual({ allow: [entry], effects: [] })
      expect(one('deny', entry).deny).toHaveLength(1)
    }
    expect(one('allow', 'Bash(./scripts/*)')).toEqual({ effects: ['dropped'] })
    expect(one('allow', 'Bash(/usr/bin/git log)').allow).toEqual(['Bash(/usr/bin/git log)'])
  })

  it('P5: a star at the end stands for nothing there only where it is the only one', () => {
    expect(one('allow', 'Bash(* --help *)')).toEqual({ effects: ['dropped'] })
    expect(one('deny', 'Bash(* --help *)')).toEqual({ deny: ['Bash(* --help *)'], effects: ['changed'] })
    expect(one('allow', 'Bash(git log * main)').allow).toEqual(['Bash(git log * main)'])
  })

  it.each([
    'Bash(curl * | sh)',
    'Bash(cd x && rm *)',
    'Bash(echo * > out)',
    'Bash(a; b)',
    'Bash(echo $(id))',
  ])('P5: %s is more than one command: no allow comes of it, and a deny is about the text', (entry) => {
    expect(one('allow', entry)).toEqual({ effects: ['dropped'] })
    const pattern = entry.slice('Bash('.length, -1)
    expect(one('deny', entry)).toEqual({
      rules: [ruleOf(entry, { tool: 'Bash', arguments: { '/command': { glob: `*${pattern}*` } } }, 'deny')],
      effects: ['changed'],
    })
  })
})

describe('paths', () => {
  it.each([
    ['Read(./src/**)', './src/**'],
    ['Read(src/**)', './src/**'],
    ['Read(/src/**)', './src/**'],
    ['Read(//etc/hosts.d/**)', '/etc/hosts.d/**'],
    ['Read(~/.zshrc)', '~/.zshrc'],
    ['Read(*.md)', '*.md'],
    ['Read(./*.md)', './*.md'],
    ['Read(docs/a/?.md)', './docs/a/?.md'],
    ['Read(**/x.md)', '**/x.md'],
    ['Read(./docs/)', './docs/'],
    ['Read(docs/)', 'docs/'],
    ['Read(./a**b/***/c)', './a*b/*/c'],
    ['Read(./*/**)', './*/**/*'],
    ['Read(a*/)', 'a*/**/*'],
    ['Read(**)', '**'],
    ['Read(./Finance (2024)/**)', './Finance (2024)/**'],
    ['Read(./a\\ b)', './a b'],
  ])('%s in allow is about the tools that read', (entry, path) => {
    expect(one('allow', entry)).toEqual({
      allow: [`Read(${path})`, `Glob(${path})`, `Grep(${path})`],
      effects: [],
    })
  })

  it('Edit in allow covers what writes', () => {
    expect(one('allow', 'Edit(/docs/**)').allow).toEqual([
      'Edit(./docs/**)',
      'Write(./docs/**)',
      'NotebookEdit(./docs/**)',
    ])
  })

  it.each([
    ['./.env', '.env'],
    ['.env', '.env'],
    ['.env.*', '.env.*'],
    ['secrets/**', '**/secrets/**'],
    ['./secrets/**', '**/secrets/**'],
    ['./secrets/', 'secrets/'],
    ['/secrets/**', './secrets/**'],
    ['/.env', './.env'],
    ['./*', '**'],
    ['a/b/**', './a/b/**'],
    ['a/../b/c', './b/c'],
    ['../other/**', './../other/**'],
    ['//etc/passwd', '/etc/passwd'],
    ['~/.ssh/**', '~/.ssh/**'],
    ['**/.env', '**/.env'],
    ['//**/.env', '/**/.env'],
  ])('P5: a deny of %s reaches as deep as it did', (specifier, path) => {
    expect(one('deny', `Edit(${specifier})`)).toEqual({ deny: [`Edit(${path})`], effects: [] })
    expect(one('ask', `Read(${specifier})`).ask).toEqual([`Read(${path})`])
    expect(one('deny', `Read(${specifier})`).deny).toEqual([`Read(${path})`, `Edit(${path})`])
  })

  it.each([
    './[ab].md',
    './\\*.md',
    './\\?.md',
    './{a,b}',
    './\\[2024\\]',
    './a/../b',
    '../x',
    '~bob/x',
    '~',
  ])('P5: no allow comes of %s, which can not be written here', (specifier) => {
    expect(one('allow', `Read(${specifier})`)).toEqual({ effects: ['dropped'] })
  })

  it('P5: wildcards that are none here: a deny fits more, or is about the whole tool', () => {
    expect(one('deny', 'Edit(//x/a[bc].{md})')).toEqual({ deny: ['Edit(/x/a*.*md*)'], effects: ['stricter'] })
    expect(one('deny', 'Edit(//x/\\[2024\\])')).toEqual({ deny: ['Edit(/x/*2024*)'], effects: ['stricter'] })
    expect(one('deny', 'Edit(~bob/x)')).toEqual({ deny: ['Edit(./~bob/x)'], effects: [] })
  })

  it('P5: an exception to a deny is not carried over', () => {
    const { block, notes } = importClaudePermissions({ deny: ['Read(//x/**)', 'Read(!sample.env)'] })
    expect(block.deny).toEqual(['Read(/x/**)', 'Edit(/x/**)'])
    expect(effectsOn('/deny/1', notes)).toEqual(['stricter'])
    expect(one('allow', 'Read(!x)')).toEqual({ effects: ['dropped'] })
  })

  it('tells that an allow of what is in a folder is no longer about what is further below', () => {
    expect(one('allow', 'Read(./src/*)')).toMatchObject({ effects: ['stricter'] })
    expect(one('allow', 'Read(./src/*.ts)')).toMatchObject({ effects: [] })
  })

  it('Write(…) and Glob(…) were never looked at: no allow comes of them, a deny now holds', () => {
    expect(one('allow', 'Write(./docs/**)')).toEqual({ effects: ['dropped'] })
    expect(one('deny', 'Write(/docs/**)')).toEqual({ deny: ['Edit(./docs/**)'], effects: ['stricter'] })
    expect(one('ask', 'Glob(/docs/**)')).toEqual({ ask: ['Read(./docs/**)'], effects: ['stricter'] })
  })
})

describe('everything else', () => {
  it('P5: a domain in allow is that host alone, as it was', () => {
    expect(one('allow', 'WebFetch(domain:example.com)').allow).toEqual(['WebFetch(example.com)'])
    expect(one('allow', 'WebFetch(domain:*.example.com)').allow).toEqual(['WebFetch(domain:*.example.com)'])
    expect(one('allow', 'WebFetch(domain:*)').allow).toEqual(['WebFetch(domain:*)'])
    expect(one('deny', 'WebFetch(domain:example.com)').deny).toEqual(['WebFetch(domain:example.com)'])
  })

  it.each([
    'https://example.com/*',
    'domain:example.*',
    'domain:a.com:80',
    'domain:a.com b.com',
    'domain:x@y',
  ])('P5: WebFetch(%s) names no host: left out of allow, every fetch in deny', (specifier) => {
    expect(one('allow', `WebFetch(${specifier})`)).toEqual({ effects: ['dropped'] })
    expect(one('deny', `WebFetch(${specifier})`)).toEqual({ deny: ['WebFetch'], effects: ['stricter'] })
  })

  it('sub-agents, skills and parameters become rules', () => {
    expect(one('deny', 'Agent(Explore)').rules).toEqual([
      ruleOf(
        'Agent(Explore)',
        { tool: ['Agent', 'Task'], arguments: { '/subagent_type': { equals: 'Explore' } } },
        'deny',
      ),
    ])
    const argumentsOf = (list: ListName, entry: string) => one(list, entry).rules?.[0]?.when.arguments
    expect(argumentsOf('ask', 'Bash(run_in_background:true)')).toEqual({
      '/run_in_background': { oneOf: [true, 'true'] },
    })
    expect(argumentsOf('deny', 'Agent(model:opus)')).toEqual({ '/model': { equals: 'opus' } })
    expect(argumentsOf('deny', 'Agent(isolation:*)')).toEqual({ '/isolation': { exists: true } })
    expect(argumentsOf('allow', 'Skill(ship)')).toEqual({
      '/skill': { equals: 'ship' },
      '/args': { exists: false },
    })
    expect(argumentsOf('allow', 'Skill(ship *)')).toEqual({ '/skill': { equals: 'ship' } })
    expect(argumentsOf('allow', 'Skill(team:*)')).toEqual({ '/skill': { glob: ['team', 'team:*'] } })
    expect(argumentsOf('deny', 'Skill(ship)')).toEqual({ '/skill': { glob: ['ship', 'ship:*', 'ship *'] } })
  })

  it('P5: of the same entry in two lists the stricter stays', () => {
    const { block } = importClaudePermissions({ allow: ['Agent(x)'], deny: ['Agent(x)'] })
    expect(block.rules?.map((rule) => rule.then)).toEqual(['deny'])
  })

  it.each(['mcp__a__b(x)', 'PowerShell(Get-ChildItem *)', 'SlashCommand(/x)', 'WebSearch(cats)'])(
    'P5: %s has no equal here: left out of allow, every call of the tool in deny',
    (entry) => {
      const tool = entry.slice(0, entry.indexOf('('))
      expect(one('allow', entry)).toEqual({ effects: ['dropped'] })
      expect(one('deny', entry)).toEqual({ deny: [tool], effects: ['stricter'] })
      expect(one('ask', entry)).toEqual({ ask: [tool], effects: ['stricter'] })
    },
  )

  it('P5: what Claude Code ignores in a deny is read as it was meant', () => {
    expect(one('deny', 'Bash(command:rm *)')).toEqual({ deny: ['Bash(rm *)'], effects: ['stricter'] })
    expect(one('deny', 'Cd(~/x)')).toEqual({ effects: ['dropped'] })
  })

  it('P5: a deny that can not be read is refused, an allow left out', () => {
    for (const entry of ['Bash(rm', 'Bash)x(', '(x)', '']) {
      expect(() => one('deny', entry)).toThrow(
        expect.objectContaining({ details: expect.objectContaining({ pointer: '/deny/0' }) }),
      )
      expect(one('allow', entry)).toEqual({ effects: ['dropped'] })
    }
  })
})

describe('modes and other keys', () => {
  const modeOf = (value: object) => importClaudePermissions(value).block.mode ?? 'default'

  it.each([
    ['default', 'default'],
    ['manual', 'default'],
    ['acceptEdits', 'acceptEdits'],
    ['plan', 'plan'],
    ['dontAsk', 'dontAsk'],
    ['bypassPermissions', 'bypass'],
    ['auto', 'default'],
    ['bypass', 'default'],
    ['yolo', 'default'],
  ])('defaultMode: %s', (defaultMode, mode) => {
    expect(modeOf({ defaultMode })).toBe(mode)
  })

  it('P5: bypass is told of, and does not get past what switches it off', () => {
    const { notes } = importClaudePermissions({ defaultMode: 'bypassPermissions' })
    expect(effectsOn('/defaultMode', notes)).toEqual(['changed'])
    expect(modeOf({ defaultMode: 'bypassPermissions', disableBypassPermissionsMode: 'disable' })).toBe(
      'default',
    )
    expect(modeOf({ defaultMode: 'bypassPermissions', denyInsteadOfPrompting: true })).toBe('dontAsk')
  })

  it('P5: where nobody is asked, what ask names is denied', () => {
    const { block, notes } = importClaudePermissions({
      defaultMode: 'dontAsk',
      allow: ['Bash(git *)'],
      ask: ['Bash(git push *)'],
    })
    expect(block).toEqual({ mode: 'dontAsk', deny: ['Bash(git push *)'], allow: ['Bash(git *)'] })
    expect(effectsOn('/ask', notes)).toEqual(['changed'])
  })

  it('fences become rules, further folders a word about roots', () => {
    const { block, notes } = importClaudePermissions({
      blockWritesOutsideWorkingDirectories: true,
      blockReadsOutsideWorkingDirectories: false,
      additionalDirectories: ['../docs'],
    })
    expect(block.rules).toEqual([
      ruleOf('editing outside the workspace', { kind: 'edit', not: { path: './**' } }, 'deny'),
    ])
    expect(notes.find(({ pointer }) => pointer === '/additionalDirectories')?.about).toContain(
      'roots: [., "../docs"]',
    )
  })

  it('always says that reading is not free here', () => {
    expect(importClaudePermissions({}).notes).toMatchObject([
      { pointer: '', effect: 'stricter', about: expect.stringContaining('banksman:starter') },
    ])
  })

  it.each([
    ['a misspelt key', { denny: ['x'] }],
    ['a text in place of a list', { deny: 'Bash' }],
    ['a list in a list', { deny: [['Bash']] }],
    ['a mode that is no text', { defaultMode: 7 }],
    ['a list', []],
    ['nothing', null],
  ])('P5: %s is refused as a whole', (_, value) => {
    expect(() => importClaudePermissions(value)).toThrow(expect.objectContaining({ code: 'invalid_policy' }))
  })

  it('P5: whatever it is given, it gives a block or says what is wrong; it never fails otherwise', () => {
    const tool = fc.constantFrom(
      'Bash',
      'Read',
      'Edit',
      'Write',
      'WebFetch',
      'Agent',
      'Skill',
      'Mine',
      'mcp__a__b',
    )
    const specifier = fc.oneof(fc.string(), fc.stringMatching(/^[a-z*/.~!?[\]:\\ ()&|]{0,12}$/))
    const entry = fc.oneof(
      fc.tuple(tool, specifier).map(([name, inner]) => `${name}(${inner})`),
      tool,
      fc.string(),
    )
    const list = fc.array(entry, { maxLength: 5 })
    fc.assert(
      fc.property(fc.record({ allow: list, deny: list, ask: list }), (value) => {
        try {
          const { block, notes } = importClaudePermissions(value)
          for (const { about, pointer } of notes) {
            expect(about.length).toBeGreaterThan(20)
            expect(pointer).toMatch(/^(\/(allow|deny|ask)(\/\d+)?)?$/)
          }
          expect(block.mode).toBeUndefined()
        } catch (error) {
          if (!isBanksmanError(error, 'invalid_policy')) throw error
        }
      }),
    )
  })
})
