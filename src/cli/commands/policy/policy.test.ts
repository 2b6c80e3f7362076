import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCliFolder } from '../../fixtures/program.ts'
import { runInProcess } from '../../fixtures/recording-terminal.ts'

const place = makeCliFolder()
afterAll(() => place.remove())
const run = (...args: string[]) => runInProcess(args, place.folder, place.environment)
const write = (name: string, text: string | Buffer) => writeFileSync(join(place.folder, name), text)

beforeAll(() => {
  write(
    'banksman.yaml',
    'tools:\n  drop_production: {}\npolicy:\n  deny: ["*_production"]\n  allow: [read_file]\n',
  )
})

describe('policy check', () => {
  it('says that a right file is right, in a real process', async () => {
    expect(await place.run(['policy', 'check'])).toEqual({
      code: 0,
      stdout: `${join(place.folder, 'banksman.yaml')}: no mistakes\n`,
      stderr: '',
    })
  })

  it('tells what is probably not meant', async () => {
    write('lax.yaml', 'policy:\n  mode: bypass\n  deny: [x]\n  allow: [x, "a?b"]\n')
    const { code, stdout, stderr } = await run('policy', 'check', 'lax.yaml')
    expect({ code, isCounted: stdout.includes('4 warnings') }).toEqual({ code: 0, isCounted: true })
    expect(stderr).toContain('warning: mode: bypass allows every tool')
  })

  it('warns where a proxy of this machine locks its programs out, and refuses it the own address of the server', async () => {
    write('proxied.yaml', 'policy: {}\nproxy:\n  from: [10.0.0.7, 127.0.0.1]\n')
    const warned = await run('policy', 'check', 'proxied.yaml')
    expect(warned.code).toBe(0)
    expect(warned.stderr).toMatch(
      /proxied\.yaml:3:3: warning: .*127\.0\.0\.1.*programs on this machine.*proxy\.listen/,
    )
    write('proxied.yaml', 'policy: {}\nproxy:\n  listen: localhost:4790\n')
    const refused = await run('policy', 'check', 'proxied.yaml')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/proxied\.yaml:3:3: proxy\.listen: .*the server's own/)
    const elsewhere = { ...place.environment, BANKSMAN_PORT: '8080' }
    expect((await runInProcess(['policy', 'check', 'proxied.yaml'], place.folder, elsewhere)).code).toBe(0)
  })

  it('runs the tests of the policy, and ends with 1 where one fails', async () => {
    const test = (verdict: string) =>
      `policy:\n  allow: ["Bash(ls *)"]\n  tests:\n    - { call: { tool: Bash, arguments: { command: ls } }, verdict: ${verdict} }\n`
    write('tested.yaml', test('allow'))
    expect(await run('policy', 'check', 'tested.yaml')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('no mistakes, 1 test passed'),
    })
    write('tested.yaml', test('deny'))
    const { code, stdout, stderr } = await run('policy', 'check', 'tested.yaml')
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('1 of 1 test failed'),
    })
    expect(stderr).toContain('tested.yaml:4:7: test failed: Bash should be deny but is allow')
    const json = JSON.parse((await run('policy', 'check', 'tested.yaml', '--json')).stdout)
    expect(json).toMatchObject({ ok: false, tests: [{ passed: false, expected: { verdict: 'deny' } }] })
  })

  it.each([
    ['bad-yaml', 'policy: [', ':1:10:'],
    ['bad-key', 'policy:\n  allow: []\n  denny: [x]\n', ':3:3:'],
    ['bad-mode', 'owner: ana\npolicy:\n  mode: bypas\n', ':3:'],
    ['top-key', 'polici:\n  allow: []\n', ':1:1:'],
    ['twice', 'policy: {}\npolicy: {}\n', ':2:1:'],
  ])('P5: a mistake is told with its place and ends with 1 (%s)', async (name, text, place) => {
    write(`${name}.yaml`, text)
    const { code, stdout, stderr } = await run('policy', 'check', `${name}.yaml`)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`${name}.yaml${place}`)
    const json = await run('policy', 'check', `${name}.yaml`, '--json')
    expect(json.code).toBe(1)
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      error: { line: expect.any(Number), column: expect.any(Number) },
    })
  })

  it('P5: tells every mistake of a file at once, in its order, each with its place', async () => {
    const lines = [
      'owner: ana',
      'peple: {}',
      'tools:',
      '  deploy: { kind: shel }',
      'policy:',
      '  modes: plan',
      '  deny: [3, "Bash(rm *"]',
      '  rules:',
      '    - { name: a, when: { tool: x, arguments: { /n: { gt: "3" } } }, then: asks, approvers: [] }',
      '    - { name: a, when: { toool: x }, then: ask, quorum: 0 }',
      '  tests:',
      '    - { call: { tol: x }, verdict: deny }',
    ]
    write('many.yaml', lines.join('\n'))
    const { code, stderr } = await run('policy', 'check', 'many.yaml')
    expect(code).toBe(1)
    const places = [...stderr.matchAll(/many\.yaml:(\d+):(\d+): error: /g)].map(
      ([, line, column]) => `${line}:${column}`,
    )
    expect(places).toEqual([
      '2:1',
      '4:13',
      '6:3',
      '7:10',
      '9:54',
      '9:69',
      '9:81',
      '10:9',
      '10:26',
      '10:49',
      '12:17',
    ])
    expect(stderr).toContain('many.yaml: 11 mistakes')
    const json = JSON.parse((await run('policy', 'check', 'many.yaml', '--json')).stdout)
    expect(json.errors).toHaveLength(11)
    expect(json).toMatchObject({ ok: false, error: { line: 2, column: 1 } })
    expect(json.errors[1]).toMatchObject({ line: 4, column: 13, pointer: '/tools/deploy/kind' })
    // With `tools:` in order, what the lists say of tools is checked too.
    write('many.yaml', lines.join('\n').replace('shel }', 'shell }'))
    expect((await run('policy', 'check', 'many.yaml')).stderr).toMatch(
      /many\.yaml:7:13: error: .*parenthesis/,
    )
  })

  it.each([
    ['to the end of the file', 'policy:\n  reason: "all of it\n  deny: [x]\n', '2:11', 'never closed'],
    ['in a list', 'policy:\n  deny: ["x\n  allow: [y]\n', '2:10', 'never closed'],
    ['up to the next quote', "policy:\n  allow: ['abc]\n  deny: ['x']\n", '2:11', 'never closed'],
    ['in JSON', '{"policy": {"deny": ["x}}', '1:22', 'never closed'],
    ['a bracket', 'policy:\n  deny: [x\n  allow: [y]\n', '3:3', 'the [ at line 2, column 9 is not closed'],
    ['a tab', 'policy:\n\tdeny: [x]\n', '2:1', 'spaces'],
    ['a key twice', 'policy:\n  deny: [x]\n  deny: []\n', '3:3', 'unique'],
  ])('P5: what is left open is told where it began: %s', async (_, text, place, words) => {
    write('open-end.yaml', text)
    const { code, stderr } = await run('policy', 'check', 'open-end.yaml')
    expect(code).toBe(1)
    expect(stderr).toContain(`open-end.yaml:${place}: error: `)
    expect(stderr).toContain(words)
    expect(stderr.match(/: error: /g)).toHaveLength(1)
  })

  it('sees people and gaps, with their places, and still ends with 0', async () => {
    const lines = [
      'owner: ana',
      'people: { ana: { groups: [sre] }, ben: {} }',
      'policy:',
      '  rules:',
      '    - name: production',
      '      when: { tool: deploy, arguments: { /environment: { equals: Production } } }',
      '      then: ask',
      '      approvers: [group:sre, group:ops, bne]',
      '      quorum: 2',
    ]
    write('people.yaml', lines.join('\n'))
    const { code, stdout, stderr } = await run('policy', 'check', 'people.yaml')
    expect(code).toBe(0)
    expect(stdout).toContain('no mistakes, 4 warnings')
    expect(stderr).toMatch(/people\.yaml:6:42: warning: .*"production", "PRODUCTION", or without it/)
    expect(stderr).toMatch(/people\.yaml:8:30: warning: .*the group "ops" has no members/)
    expect(stderr).toMatch(/people\.yaml:8:41: warning: .*"bne".*did you mean "ben"\?/)
    expect(stderr).toMatch(
      /people\.yaml:9:7: warning: .*quorum 2 can't be met: only one person may approve: ana/,
    )
  })

  it.each([
    ['missing.yaml', 'there is no'],
    ['a-folder', 'is a folder'],
    ['not-text.yaml', 'not UTF-8'],
  ])('%s ends with 1', async (name, message) => {
    mkdirSync(join(place.folder, 'a-folder'), { recursive: true })
    write('not-text.yaml', Buffer.from([0x70, 0xff, 0xfe]))
    const { code, stderr } = await run('policy', 'check', name)
    expect(code).toBe(1)
    expect(stderr).toContain(message)
  })
})

describe('policy explain', () => {
  it.each([
    [['--tool', 'read_file'], 'allow'],
    [['notes.txt', '--tool', 'read_file'], 'allow'],
    [['--tool', 'drop_production'], 'deny'],
    [['git status', '--tool', 'Bash'], 'ask'],
    [['git status', '--tool', 'Bash', '--mode', 'dontAsk'], 'deny'],
  ] as const)('%j', async (args, verdict) => {
    const { code, stdout } = await run('policy', 'explain', ...args)
    expect(code).toBe(0)
    const consequence = { allow: 'Allowed', ask: 'Needs approval', deny: 'Denied' }[verdict]
    expect(stdout).toMatch(new RegExp(`^${consequence}: `))
    const json = await run('policy', 'explain', ...args, '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({
      verdict: { kind: verdict, because: expect.any(String) },
    })
  })

  it.each([
    ['the configuration', { path: 'open.yaml' }],
    ['the data folder', { path: '.banksman/agent-token' }],
    ['the server', { url: 'http://localhost:4790/v1/tokens' }],
    ['the program', { command: 'banksman requests approve x --yes' }],
  ])('P11: no policy lets a call touch %s', async (_, args) => {
    write('open.yaml', 'policy:\n  mode: bypass\n  allow: ["*"]\n')
    const explain = (value: object) =>
      run(
        'policy',
        'explain',
        '--tool',
        'anything',
        '--arguments',
        JSON.stringify(value),
        '--config',
        'open.yaml',
        '--json',
      )
    expect(JSON.parse((await explain(args)).stdout).verdict.kind).toBe('deny')
    expect(JSON.parse((await explain({ path: 'notes.txt' })).stdout).verdict.kind).toBe('allow')
  })

  it('says of a line what each command came to, which rules hold, where they stand and which one decided', async () => {
    const lines = ['policy:', '  deny: ["Bash(rm *)"]', '  allow: ["Bash(git status *)"]', '']
    write('shell.yaml', lines.join('\n'))
    const line = 'git status; sudo rm -rf /'
    const { stdout } = await run('policy', 'explain', line, '--tool', 'Bash', '--config', 'shell.yaml')
    expect(stdout).toBe(`Denied: \`rm -rf /\` is on the deny list.

Commands
  allow  git status     allowed (allow: "Bash(git status *)")
  ask    sudo rm -rf /  not on the allow list (mode: default)
  deny   rm -rf /       denied (deny: "Bash(rm *)") (through sudo)

Matching rules, strictest first
  deny   deny: "Bash(rm *)"           shell.yaml:2:10, decided
  allow  allow: "Bash(git status *)"  shell.yaml:3:11

Tool: Bash (shell). Mode: default
`)
    const json = await run('policy', 'explain', line, '--tool', 'Bash', '--config', 'shell.yaml', '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({
      commands: [
        { text: 'git status', verdict: 'allow', start: 0, end: 10 },
        { text: 'sudo rm -rf /', verdict: 'ask' },
        { text: 'rm -rf /', verdict: 'deny', through: ['sudo'], rule: 'deny: "Bash(rm *)"' },
      ],
      rules: [{ place: { line: 2, column: 10 }, decided: true }, { decided: false }],
    })
  })

  it.each([
    ['npm install', "Needs approval: `npm install` isn't known to be read-only."],
    ['cat /etc/os-release', 'Needs approval: `cat /etc/os-release` reaches outside the workspace.'],
    ['cat < /etc/os-release', 'Needs approval: `cat` reaches outside the workspace.'],
    ['ls; git push', "Needs approval: `git push` isn't known to be read-only."],
    ['ls; rm -rf /', "Denied: it deletes a folder that the system or a person's work depends on."],
    ['ls', 'Allowed: `ls` only reads, inside the workspace.'],
    [
      '$X --now',
      "Needs approval: `Bash` can't be fully checked: which program runs is only known when the line runs.",
    ],
    [`foo ${'x'.repeat(80)}`, "Needs approval: `foo` isn't known to be read-only."],
  ])('begins with one plain sentence, the consequence first: %s', async (line, sentence) => {
    write('starter.yaml', 'policy: { extends: banksman:starter }\n')
    const { stdout } = await run('policy', 'explain', line, '--tool', 'Bash', '--config', 'starter.yaml')
    expect(stdout.split('\n')[0]).toBe(sentence)
    // The table must not say the opposite.
    expect(stdout).not.toContain('only reads inside the workspace')
  })

  it.each(['list_dir', 'read_file', 'search_files', 'Read', 'Grep', 'Glob', 'LS', 'write_file'])(
    'says that a folder is outside the roots: %s',
    async (tool) => {
      write('starter.yaml', 'policy: { extends: banksman:starter }\n')
      const { stdout } = await run('policy', 'explain', '/etc', '--tool', tool, '--config', 'starter.yaml')
      expect(stdout.split('\n')[0]).toBe('Needs approval: `/etc` is outside the workspace.')
    },
  )

  it('without a file everything is asked; with one that is named and not there it fails', async () => {
    const { code, stdout, stderr } = await runInProcess(
      ['policy', 'explain', '--tool', 'read_file'],
      join(place.folder, 'tmp'),
      place.environment,
    )
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Needs approval: /)
    expect(stderr).toContain('without one, every call needs approval')
    expect((await run('policy', 'explain', '--tool', 'read_file', '--config', 'nowhere.yaml')).code).toBe(1)
  })

  it('--file, as --config was called before, is still taken, with a note; the help has one name', async () => {
    write('strict.yaml', 'policy: { deny: [read_file] }\n')
    const { code, stdout, stderr } = await run(
      'policy',
      'explain',
      '--tool',
      'read_file',
      '--file',
      'strict.yaml',
    )
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'banksman: --file is now --config, and will be gone in the next release\n',
    })
    expect(stdout).toMatch(/^Denied/)
    const help = await run('policy', 'explain', '--help')
    expect(help.stdout).toContain('--config FILE')
    expect(help.stdout).not.toContain('--file')
  })

  it('P9: a tool’s name can’t control the terminal', async () => {
    const { stdout } = await run('policy', 'explain', '--tool', 'x\u202ey', '--arguments', '{}')
    expect(stdout).not.toContain('\u202e')
  })
})
