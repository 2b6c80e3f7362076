import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../src/core/json/json.ts'
import { compilePolicy } from '../../src/policy/index.ts'
import { createFactsGatherer } from '../../src/server/facts/gather-facts.ts'

let cwd: string

beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-unlisted-')))
  for (const folder of ['src', '.banksman', 'secret']) mkdirSync(join(cwd, folder), { recursive: true })
  symlinkSync(join(cwd, '.banksman'), join(cwd, 'data'))
  symlinkSync(join(cwd, 'secret'), join(cwd, 'more'))
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

function policyOf(block: object) {
  return compilePolicy(block, {
    roots: [cwd],
    home: '/home/ana',
    ownHouse: { files: [], folders: [join(cwd, '.banksman')], addresses: [], program: 'banksman' },
  })
}

async function judged(block: object, tool: string, args: JsonObject) {
  const policy = policyOf(block)
  const gather = createFactsGatherer({ lookups: policy.lookups, now: () => 0, home: '/home/ana' })
  const call = { tool, arguments: args, cwd, session: 's' }
  const facts = await gather(call)
  return { ...policy.evaluate(call, facts), widths: policy.suggest(call, 'd', facts).map(({ id }) => id) }
}

const TOOLS = ['mcp__box__go', 'frobnicate', 'codex__new_tool', 'opencode__new']

const PATHS = [
  'path',
  'paths',
  'file',
  'files',
  'file_path',
  'filePath',
  'FilePath',
  'FILE_PATH',
  'absolute-path',
  'filename',
  'fileName',
  'directory',
  'targetDir',
  'folder',
  'root',
  'cwd',
  'workdir',
  'source',
  'destination',
  'dst',
  'notebook_path',
  'image',
]
const COMMANDS = [
  'command',
  'commands',
  'cmd',
  'Cmd',
  'command_line',
  'commandLine',
  'shell_command',
  'bashCommand',
  'script',
  'code',
  'code_text',
  'bash',
  'exec',
]
const TEXTS = ['input', 'stdin', 'args', 'line', 'program', 'run', 'userInput']
const URLS = ['url', 'urls', 'uri', 'targetUrl', 'URL', 'endpoint', 'host', 'hostname', 'href']

/** Where an argument may stand. */
const PLACES: ((name: string, value: JsonValue) => JsonObject)[] = [
  (name, value) => ({ [name]: value }),
  (name, value) => ({ description: 'Look', options: { [name]: value } }),
  (name, value) => ({ steps: [{ id: 1 }, { [name]: value }] }),
  (name, value) => ({ [name]: [value] }),
]

const bypass = { allow: ['*', ...TOOLS], mode: 'bypass' }
const RULE = (then: 'deny' | 'ask', when: object) => ({ ...bypass, rules: [{ name: 'r', when, then }] })

/** Each call with the block, and the verdict where it's not the one that is expected. */
async function unlike(kind: string, names: readonly string[], value: JsonValue, blocks: readonly object[]) {
  const found: string[] = []
  let at = 0
  for (const name of names)
    for (const block of blocks) {
      const place = PLACES[at % PLACES.length]!
      for (const args of [PLACES[0]!(name, value), place(name, value)]) {
        const verdict = await judged(block, TOOLS[at++ % TOOLS.length]!, args)
        if (verdict.kind !== kind)
          found.push(`${JSON.stringify(args)} by ${JSON.stringify(block)}: ${verdict.kind}`)
      }
    }
  return found
}

const RM: readonly JsonObject[] = [
  { commands: ['rm -rf x'] },
  { commands: ['ls', 'rm -rf x'] },
  { command: ['rm -rf x'] },
  { shellCommands: ['ls', 'git push', 'rm -rf x'] },
  { batch: [{ scripts: ['ls', 'rm -rf x'] }] },
  { command: 'rm', args: '-rf x' },
  { command: 'rm', params: ['-rf', 'x'] },
  { program: 'rm', args: ['-rf', 'x'] },
  { executable: 'rm', argv: ['-rf', 'x'] },
  { run: 'rm', arguments: '-rf x' },
  ...['cmd1', 'commandLine2', 'commandline', 'COMMANDLINE', 'commandStr', 'command_to_execute', 'sh'].map(
    (name) => ({ [name]: 'rm -rf x' }),
  ),
  { command: { value: 'rm -rf x' } },
]
const FILES: readonly JsonObject[] = [
  ...['path1', 'file2', 'filePath2', 'file_to_read', 'from', 'to', 'resource', 'outfile'].map((name) => ({
    [name]: 'secret/x',
  })),
  { file1: 'src/a', file2: 'secret/x' },
  { files: [{ name: 'src/a' }, { name: 'secret/x' }] },
  { path: { value: 'secret/x' } },
]

describe('a tool that nobody listed', () => {
  it.each([...RM, ...FILES])(
    'P5: what lists, numbers and other forms hold counts for denies: %j',
    async (args) => {
      for (const tool of TOOLS)
        expect(
          (await judged({ ...bypass, deny: ['Bash(rm -rf *)', 'Read(./secret/**)'] }, tool, args)).kind,
        ).toBe('deny')
    },
  )

  it.each<JsonObject>([
    { command: ['git', 'commit', '-m', 'rm -rf x'] },
    { name: 'secret/x' },
    { notes: ['rm -rf x'] },
  ])('what is a text of a program or of nobody is none: %j', async (args) => {
    const deny = ['Bash(rm -rf *)', 'Read(./secret/**)']
    expect((await judged({ ...bypass, deny }, 'frobnicate', args)).kind).toBe('allow')
  })

  it('P5: a path counts for what denies and asks, through links too', async () => {
    const path = 'more/x'
    const denies = [
      { ...bypass, deny: ['Read(./secret/**)'] },
      { ...bypass, deny: ['Edit(./secret/**)'] },
      { ...bypass, deny: ['read_file(./secret/**)'] },
      RULE('deny', { path: './secret/**' }),
    ]
    expect(await unlike('deny', PATHS, path, denies)).toEqual([])
    expect(
      await unlike('ask', PATHS, path, [
        { ...bypass, ask: ['Read(./secret/**)'] },
        RULE('ask', { path: './secret/**' }),
      ]),
    ).toEqual([])
  })

  it('P11: neither a path nor a command of one leads to what is ours through a link', async () => {
    expect(await unlike('deny', PATHS, 'data/cli-key', [bypass])).toEqual([])
    expect(await unlike('deny', COMMANDS, 'cat data/cli-key', [bypass])).toEqual([])
  })

  it('P5: a command counts for what denies and asks of commands, of files and of hosts', async () => {
    const line = 'cd . && rm -rf more/x; curl https://evil.example/'
    const denies = [
      { ...bypass, deny: ['Bash(rm *)'] },
      { ...bypass, deny: ['exec(rm *)'] },
      { ...bypass, deny: ['Read(./secret/**)'] },
      { ...bypass, deny: ['WebFetch(domain:evil.example)'] },
      RULE('deny', { command: 'rm *' }),
      RULE('deny', { host: 'evil.example' }),
    ]
    expect(await unlike('deny', [...COMMANDS, ...TEXTS], line, denies)).toEqual([])
    expect(await unlike('ask', [...COMMANDS, ...TEXTS], line, [{ ...bypass, ask: ['Bash(rm *)'] }])).toEqual(
      [],
    )
    expect(await unlike('ask', COMMANDS, '$X', [{ ...bypass, deny: ['Bash(rm *)'] }])).toEqual([])
    for (const words of [
      ['rm', '-rf', 'x'],
      ['bash', '-c', 'rm -rf x'],
    ])
      expect((await judged({ ...bypass, deny: ['Bash(rm *)'] }, 'frobnicate', { command: words })).kind).toBe(
        'deny',
      )
    expect(
      (await judged({ ...bypass, deny: ['Bash(rm *)'] }, 'frobnicate', { command: 'rm', args: ['-rf', 'x'] }))
        .kind,
    ).toBe('deny')
  })

  it('P5: an address counts, and so does a patch in whatever argument', async () => {
    expect(
      await unlike('deny', URLS, 'https://evil.example/x', [
        { ...bypass, deny: ['WebFetch(domain:evil.example)'] },
        RULE('deny', { host: 'evil.example' }),
      ]),
    ).toEqual([])
    const patch = '*** Begin Patch\n*** Update File: more/x\n@@\n-a\n+b\n*** End Patch'
    expect(
      await unlike('deny', ['patch', 'patchText', 'input', 'content', 'anything'], patch, [
        { ...bypass, deny: ['Edit(./secret/**)'] },
      ]),
    ).toEqual([])
    expect(await unlike('deny', ['patch', 'input', 'x'], patch.replace('more', 'data'), [bypass])).toEqual([])
  })

  it('P5: a listed tool without a kind, or that says of itself that it does more, is denied what readers and editors are', async () => {
    const tools = { kindless: { path: '/at' }, reader: { kind: 'read', path: '/at' } }
    const definition = { name: 'reader', inputSchema: {}, annotations: { destructiveHint: true } } as never
    for (const deny of ['Read(./secret/**)', 'Edit(./secret/**)'])
      for (const call of [
        { tool: 'kindless', arguments: { at: 'more/x' }, cwd },
        { tool: 'reader', arguments: { at: 'more/x' }, cwd, definition },
      ]) {
        const policy = compilePolicy({ ...bypass, deny: [deny] }, { roots: [cwd], tools })
        const gather = createFactsGatherer({ lookups: policy.lookups, now: () => 0, home: '/home/ana' })
        expect(policy.evaluate(call, await gather(call)).kind, `${call.tool} ${deny}`).toBe('deny')
        const steering = { ...call, arguments: { at: '.npmrc' } }
        expect(policy.evaluate(steering, await gather(steering)).kind, call.tool).toBe('ask')
      }
  })

  it('P5: what stands behind more than any call has is not let pass', async () => {
    for (const [name, value, block] of [
      ['paths', 'more/x', { ...bypass, deny: ['Read(./secret/**)'] }],
      ['url', 'https://evil.example/x', { ...bypass, deny: ['WebFetch(domain:evil.example)'] }],
      ['command', 'rm -rf x', { ...bypass, deny: ['Bash(rm *)'] }],
    ] as const) {
      const steps = [...Array.from({ length: 240 }, () => ({ [name]: 'src/a' })), { [name]: value }]
      expect((await judged(block, 'frobnicate', { steps })).kind, name).not.toBe('allow')
    }
    const steps = Array.from({ length: 20 }, (_, at) => ({
      command: 'echo',
      args: at === 19 ? ['x'] : ['y'],
    }))
    steps.push({ command: 'rm', args: ['-rf', 'x'] })
    expect((await judged({ ...bypass, deny: ['Bash(rm *)'] }, 'frobnicate', { steps })).kind).not.toBe(
      'allow',
    )
  })

  it('P5: none of it ever allows', async () => {
    const allowing = {
      allow: ['Read(./**)', 'Edit(./**)', 'Bash(*)', 'exec(*)', 'WebFetch(*)', 'Write(./**)'],
      extends: 'banksman:starter',
    }
    expect(await unlike('ask', PATHS, 'src/a.ts', [allowing, { mode: 'acceptEdits' }])).toEqual([])
    expect(await unlike('ask', [...COMMANDS, ...TEXTS], 'ls', [allowing])).toEqual([])
    expect(await unlike('ask', URLS, 'https://example.com', [allowing])).toEqual([])
    expect(await unlike('deny', PATHS, 'src/a.ts', [{ ...allowing, mode: 'plan' }])).toEqual([])
  })

  it.each<[JsonObject]>([
    [{ path: 'src/a.ts' }],
    [{ path: '.env' }],
    [{ query: 'rm -rf / and cat secret/x' }],
    [{ description: 'rm -rf secret', text: "it's about more/x" }],
    [{ input: "What's in the box?" }],
    [{ url: 'https://example.com/a' }],
    [{ command: 'ls' }],
    [{ to: 'ana@example.com', body: 'curl evil.example' }],
  ])('needs nobody where it was allowed by its name and no rule is about it: %j', async (args) => {
    const block = {
      extends: 'banksman:starter',
      allow: TOOLS,
      deny: ['Bash(rm *)', 'Read(./secret/**)', 'WebFetch(domain:evil.example)'],
    }
    for (const tool of TOOLS) {
      const verdict = await judged(block, tool, args)
      expect(verdict.kind, verdict.because).toBe('allow')
    }
  })

  it('with a command is as severe as the command', async () => {
    for (const name of COMMANDS) {
      const severe = await judged({}, 'frobnicate', { description: 'Watch', [name]: 'rm -rf ~' })
      expect(severe, name).toMatchObject({ kind: 'ask', terms: { severity: 'high' } })
      expect(severe.widths, name).toEqual(['call'])
      expect(await judged({}, 'frobnicate', { [name]: 'ls' }), name).toMatchObject({
        terms: { severity: 'normal' },
      })
    }
    expect(await judged({}, 'frobnicate', { path: 'a' })).toMatchObject({ terms: { severity: 'normal' } })
  })

  it('P5: no grant for one argument lets another command through, nor does one for the tool', async () => {
    const policy = policyOf({})
    const call = { tool: 'frobnicate', arguments: { description: 'Watch', command: 'rm -rf ~' }, cwd }
    for (const when of [
      { tool: 'frobnicate', arguments: { '/description': { equals: 'Watch' } } },
      { tool: 'frobnicate' },
    ])
      expect(policy.matches({ kind: 'when', when, words: 'x' }, call, 'd', { at: 0 })).toBe(false)
    const quiet = { ...call, arguments: { description: 'Watch' } }
    expect(
      policy.matches({ kind: 'when', when: { tool: 'frobnicate' }, words: 'x' }, quiet, 'd', { at: 0 }),
    ).toBe(true)
  })

  it('P5: no grant is offered for one argument and anything else', async () => {
    for (const tool of [...TOOLS, 'mcp__x__y', 'send_mail'])
      for (const args of [
        { description: 'Watch the log' },
        { description: 'Watch', path: 'a' },
        { n: 1, b: true },
      ] as JsonObject[])
        expect((await judged({}, tool, args)).widths.filter((id) => id.startsWith('argument'))).toEqual([])
  })
})
