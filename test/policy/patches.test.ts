import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json/json.ts'
import { compilePolicy } from '../../src/policy/index.ts'
import { createFactsGatherer } from '../../src/server/facts/gather-facts.ts'

let cwd: string

beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-patches-')))
  for (const folder of ['src', '.banksman', '.git/hooks', '.claude', 'secret'])
    mkdirSync(join(cwd, folder), { recursive: true })
  writeFileSync(join(cwd, 'banksman.yaml'), '')
  symlinkSync(join(cwd, '.banksman'), join(cwd, 'src/data'))
  symlinkSync(join(cwd, '.claude'), join(cwd, 'src/agent'))
  symlinkSync(join(cwd, '.git/hooks'), join(cwd, 'src/tools'))
  symlinkSync(join(cwd, 'secret'), join(cwd, 'src/more'))
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

async function judged(block: object, tool: string, args: JsonObject, mode?: string) {
  const policy = compilePolicy(block, {
    roots: [cwd],
    home: '/home/ana',
    tools: { own_patch: { kind: 'patch', patch: '/diff' } },
    ownHouse: {
      files: [join(cwd, 'banksman.yaml')],
      folders: [join(cwd, '.banksman')],
      addresses: [],
      program: 'banksman',
      agents: { homes: ['/home/ana'], environment: {} },
    },
  })
  const gather = createFactsGatherer({ lookups: policy.lookups, now: () => 0, home: '/home/ana' })
  const call = { tool, arguments: args, cwd, session: 's' }
  return policy.evaluate(call, await gather(call), mode === undefined ? {} : { mode })
}

/** Every header by which a patch names a file. */
const HEADERS: Readonly<Record<string, (path: string) => string[]>> = {
  add: (path) => [`*** Add File: ${path}`, '+x'],
  update: (path) => [`*** Update File: ${path}`, '@@', '-a', '+b'],
  delete: (path) => [`*** Delete File: ${path}`],
  move: (path) => ['*** Update File: src/a.ts', `*** Move to: ${path}`, '@@', '-a', '+b'],
  second: (path) => [
    '*** Add File: src/b.ts',
    '+x',
    `*** Update File: ${path}`,
    '@@',
    '-a',
    '+b',
    '*** End of File',
  ],
  indented: (path) => ['*** Add File: src/b.ts', '+x', `  *** Add File: ${path}`, '+x'],
}
const patch = (lines: readonly string[]) => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n')

/** How a patch is handed over: by each tool for it, and by a program of a shell line. */
const TOOLS: Readonly<Record<string, (text: string) => [string, JsonObject]>> = {
  apply_patch: (text) => ['apply_patch', { command: text }],
  opencode: (text) => ['opencode__apply_patch', { patchText: text }],
  own: (text) => ['own_patch', { diff: text }],
}
const LINES: Readonly<Record<string, (text: string) => [string, JsonObject]>> = {
  document: (text) => ['Bash', { command: `apply_patch <<'EOF'\n${text}EOF` }],
  argument: (text) => ['Bash', { command: `apply_patch '${text}'` }],
  other: (text) => ['Bash', { command: `cd . && applypatch "${text}"` }],
  shell: (text) => ['Bash', { command: `bash -lc "apply_patch <<'EOF'\n${text}EOF"` }],
}
const ALL = { ...TOOLS, ...LINES }
const everywhere = Object.entries(ALL).flatMap(([way, give]) =>
  Object.entries(HEADERS).map(([header, lines]) => ({ way, give, header, lines })),
)
const bypass = { allow: ['*', 'apply_patch', 'opencode__apply_patch'], mode: 'bypass' }

describe('a patch', () => {
  it.each(everywhere)(
    'P5: $way, $header: what a deny of edits names is denied, through links too',
    async ({ give, lines }) => {
      for (const path of ['secret/x', './secret/../secret/x', `${cwd}/secret/x`, 'src/more/x'])
        expect(
          (await judged({ ...bypass, deny: ['Edit(./secret/**)'] }, ...give(patch(lines(path))))).kind,
          path,
        ).toBe('deny')
    },
  )

  it.each(everywhere)(
    'P11: $way, $header: no file of ours or of a coding agent, through links too',
    async ({ give, lines }) => {
      for (const path of [
        'banksman.yaml',
        '.banksman/x',
        'src/data/x',
        'src/../banksman.yaml',
        '.claude/settings.json',
        'src/agent/settings.json',
      ])
        expect((await judged(bypass, ...give(patch(lines(path))))).kind, path).toBe('deny')
    },
  )

  it.each(everywhere)('$way, $header: files that steer programs need approval', async ({ give, lines }) => {
    for (const path of ['.git/hooks/pre-commit', '.npmrc', 'src/tools/pre-commit'])
      expect((await judged(bypass, ...give(patch(lines(path))))).kind, path).toBe('ask')
  })

  it.each(Object.entries(TOOLS))(
    '%s: rules for edits and acceptEdits count where every file fits',
    async (_, give) => {
      for (const lines of Object.values(HEADERS)) {
        const [tool, args] = give(patch(lines('src/x.ts')))
        expect((await judged({ allow: ['Edit(./src/**)'] }, tool, args)).kind).toBe('allow')
        expect((await judged({ allow: [`${tool}(./src/**)`] }, tool, args)).kind).toBe('allow')
        expect((await judged({ mode: 'acceptEdits' }, tool, args)).kind).toBe('allow')
        expect((await judged({}, tool, args)).kind).toBe('ask')
        expect((await judged({ mode: 'plan' }, tool, args)).kind).toBe('deny')
        for (const path of ['docs/x', '/etc/x', '../x', '~/x', 'src/more/x', 'src/../../x']) {
          const outside = give(patch(lines(path)))
          expect((await judged({ allow: ['Edit(./src/**)'] }, ...outside)).kind, path).toBe('ask')
        }
        for (const path of ['/etc/x', '../x', '~/x'])
          expect((await judged({ mode: 'acceptEdits' }, ...give(patch(lines(path))))).kind, path).toBe('ask')
      }
    },
  )

  it.each([
    '',
    'x',
    '*** Begin Patch\n*** End Patch',
    '*** Begin Patch\n*** Add File: src/a\n+x',
    'x\n*** Begin Patch\n*** Add File: src/a\n+x\n*** End Patch',
    '*** Begin Patch\n*** Add File: src/a\n+x\n*** End Patch\n*** Begin Patch\n*** Add File: /etc/x\n+x\n*** End Patch',
    '*** Begin Patch\n*** add file: src/a\n+x\n*** End Patch',
    '*** Begin Patch\n*** Environment ID: other\n*** Add File: src/a\n+x\n*** End Patch',
    '*** Begin Patch\n*** Add File:  src/a\n+x\n*** End Patch',
    '*** Begin Patch\n*** Add File: src/a\u0085\n+x\n*** End Patch',
    '*** Begin Patch\n*** Add File: src/a\n+x\n\u0085*** Rename File: x\n*** End Patch',
    '*** Begin Patch\n*** Move to: src/a\n*** End Patch',
    '--- a/src/a\n+++ b/src/a\n@@ -1 +1 @@\n-a\n+b\n',
    `*** Begin Patch\n${'*** Delete File: src/a\n'.repeat(3)}*** Delete File: \n*** End Patch`,
    `*** Begin Patch\n${Array.from({ length: 300 }, (_, at) => `*** Delete File: src/${at}\n`).join('')}*** End Patch`,
  ])('P5: that can’t be read for certain is allowed by no rule about files: %j', async (text) => {
    for (const give of Object.values(TOOLS)) {
      const [tool, args] = give(text)
      expect((await judged({ allow: ['Edit(./**)', `${tool}(./**)`] }, tool, args)).kind).toBe('ask')
      expect((await judged({ mode: 'acceptEdits' }, tool, args)).kind).toBe('ask')
      expect((await judged({ ...bypass, deny: ['Edit(./docs/**)'] }, tool, args)).kind).toBe('ask')
    }
  })

  it('P5: without a text, or with one that is none, nothing about it is known', async () => {
    for (const args of [{}, { command: 1 }, { command: ['x'] }, { command: null }] as JsonObject[])
      expect((await judged({ mode: 'acceptEdits' }, 'apply_patch', args)).kind).toBe('ask')
  })

  it('a program that is given a patch that is not in the line needs approval where a deny may match', async () => {
    const seen = '*** Begin Patch\n*** Add File: src/a\n+x\n*** End Patch\n'
    for (const command of [
      `echo '${seen}'; base64 -d x | apply_patch`,
      `apply_patch <<'EOF' < other\n${seen}EOF`,
      `apply_patch <<EOF\n${seen.replace('src/a', '$X/a')}EOF`,
      `apply_patch <<'EOF'\n${seen}EOF\napply_patch < other`,
      `apply_patch '${seen}' more`,
      ...['apply_patch', "apply''_patch", 'apply\\_patch', '"apply"_patch', 'env applypatch'].map(
        (name) => `apply_patch <<'EOF'\n${seen}EOF\n${name} < other`,
      ),
      `: "apply_patch <<'EOF'\n${seen}EOF\n"; apply''_patch < other`,
      ...['$X', '$(cat other)', '`cat other`', '\\\n+y'].map(
        (text) => `apply_patch <<EOF\n${seen.replace('+x', `+x${text}`)}EOF`,
      ),
      `apply_patch <<'EOF'\n${seen}EOFX\n*** End Patch\nEOF`,
      `bash -c 'apply_patch <<"EOF"\n${seen}EOF\napply""_patch < other; echo \\\n*** End Patch\nEOF'`,
      `bash -c "apply_patch <<'EOF'\n${seen.replace('+x', '+x$X')}EOF"`,
      ...['pushd docs', '(cd src; true); cd docs', 'cd src', 'cd $X'].map(
        (move) => `${move}; apply_patch <<'EOF'\n${seen}EOF`,
      ),
    ])
      expect(
        (await judged({ ...bypass, deny: ['Edit(./docs/**)'] }, 'Bash', { command })).kind,
        command,
      ).toBe('ask')
    for (const command of [
      `cd src && apply_patch <<'EOF'\n${seen}EOF`,
      `apply_patch <<'EOF'\n${seen}EOF\napply_patch <<-"END"\n${seen}END\nls`,
      `bash -lc "apply_patch <<'EOF'\n${seen}EOF"`,
      `/bin/bash -c 'apply_patch <<"EOF"\n${seen}EOF\n'`,
    ])
      expect(
        (await judged({ ...bypass, deny: ['Edit(./docs/**)'] }, 'Bash', { command })).kind,
        command,
      ).toBe('allow')
    for (const command of [
      'apply_patch < x.patch',
      'cat x | apply_patch',
      'apply_patch "$P"',
      'applypatch "$(cat x)"',
    ])
      expect(
        (await judged({ ...bypass, deny: ['Edit(./docs/**)'] }, 'Bash', { command })).kind,
        command,
      ).toBe('ask')
  })
})

describe('tools of coding agents that run or read', () => {
  it('Monitor runs a shell line, and what is denied to Bash is denied to it', async () => {
    for (const deny of ['Bash(rm *)', 'Monitor(rm *)', 'Read(~/x/**)'])
      expect(
        (await judged({ ...bypass, deny: [deny] }, 'Monitor', { command: 'rm -rf ~/x/y', description: 'd' }))
          .kind,
        deny,
      ).toBe('deny')
    expect(
      (
        await judged({ ...bypass, ask: ['Bash(git push *)'] }, 'Monitor', {
          command: 'git push',
          description: 'd',
        })
      ).kind,
    ).toBe('ask')
    expect((await judged({ allow: ['Bash(*)'] }, 'Monitor', { command: 'ls', description: 'd' })).kind).toBe(
      'ask',
    )
  })

  it('view_image reads a file', async () => {
    expect(
      (
        await judged({ ...bypass, deny: ['Read(./secret/**)'] }, 'codex__view_image', {
          path: 'src/more/a.png',
        })
      ).kind,
    ).toBe('deny')
  })
})
