/**
 * Paths that mean another file in each process, with real files and the real look-up: the test's own working folder, and
 * with it `/proc/self/cwd` of whoever looks, is none of the folders that the calls are about.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json/json.ts'
import { compilePolicy, type PolicyBlock } from '../../policy/index.ts'
import { createFactsGatherer } from './gather-facts.ts'

let top: string
let root: string
beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-process-')))
  root = join(top, 'project')
  for (const folder of [
    'project/src/deep',
    'project/secret',
    'project/.banksman',
    'project/store',
    'home/.aws',
  ])
    mkdirSync(join(top, folder), { recursive: true })
  for (const file of [
    'project/src/a.ts',
    'project/secret/key.txt',
    'home/.aws/credentials',
    'project/key.txt',
  ])
    writeFileSync(join(top, file), 'x')
  symlinkSync('/proc/self/cwd', join(root, 'here'))
  symlinkSync('/proc', join(root, 'processes'))
  symlinkSync('here', join(root, 'again'))
  symlinkSync('/dev/fd', join(root, 'open'))
  symlinkSync(join(root, 'store'), join(root, 'src/innocent'))
})
afterAll(() => rmSync(top, { recursive: true, force: true }))

interface Tried {
  tool: string
  arguments: JsonObject
  cwd: string
}

async function verdictOn(block: PolicyBlock, call: Tried, mode?: string): Promise<string> {
  const policy = compilePolicy(block, {
    roots: [root],
    home: join(top, 'home'),
    ownHouse: {
      files: [join(root, 'banksman.yaml')],
      folders: [join(root, '.banksman'), join(root, 'store')],
      addresses: [],
      program: 'banksman',
    },
  })
  const gather = createFactsGatherer({ lookups: policy.lookups, now: () => 1, home: join(top, 'home') })
  const facts = await gather(call)
  return policy.evaluate(call, facts, mode === undefined ? {} : { mode }).kind
}

/** Ways to the working folder of whoever opens it. */
const process = fc.constantFrom('self', 'thread-self', String(globalThis.process.pid), '1')
const inner = fc.constantFrom(
  'cwd',
  'fd/../cwd',
  'task/../cwd',
  './cwd',
  'cwd/.',
  'ns/../cwd',
  'fdinfo/../map_files/../cwd',
  `task/${globalThis.process.pid}/cwd`,
  `task/${globalThis.process.pid}/../../cwd`,
  'root/proc/self/cwd',
  '../self/cwd',
  'attr/current/../../cwd',
)
const slashed = fc.constantFrom(
  '/proc',
  '//proc',
  '/./proc',
  '/tmp/../proc',
  '///proc/.',
  '/proc/../proc',
  '/dev/../proc',
  '/PROC',
)
const ways = fc
  .tuple(slashed, process, inner, fc.constantFrom('/', '//', '/./'))
  .map(([proc, who, way, slash]) => `${proc}${slash}${who}${slash}${way}`)
/** The same through links in the workspace, relative ones with steps up, and other descriptors. */
const anyWay = (cwd: () => string) =>
  fc.oneof(
    { weight: 4, arbitrary: ways },
    ways.map((way) => `${'../'.repeat(cwd().split('/').length + 3)}.${way}`),
    ways.map((way) => `~/${'../'.repeat(30)}${way}`),
    ways.map((way) => join(root, 'processes') + way.replace(/^.*?\/(?=self|thread|\d)/i, '/')),
    fc.constantFrom('here', 'again', 'src/../here', 'here/.', 'open/../cwd').map((link) => `${root}/${link}`),
    fc.constantFrom('/dev/fd/../cwd', '/dev//fd/./../cwd'),
  )

const RUNS = { numRuns: 60 }

describe('a path through the process that looks', () => {
  it('satisfies no allow of a file tool, whatever its folder', async () => {
    const tail = fc.constantFrom('', '/key.txt', '/src/a.ts', '/src/deep/../a.ts', '/new/file')
    const tool = fc.constantFrom(
      ['Read', 'file_path'],
      ['Grep', 'path'],
      ['Glob', 'path'],
      ['LS', 'path'],
      ['read_file', 'path'],
      ['Write', 'file_path'],
    )
    await fc.assert(
      fc.asyncProperty(
        anyWay(() => root),
        tail,
        tool,
        fc.boolean(),
        async (way, end, [name, key], asUrl) => {
          const path =
            asUrl && way.startsWith('/')
              ? `file://${(way + end).replaceAll('/', '/').replace('proc', 'pr%6fc')}`
              : way + end
          const call = { tool: name!, arguments: { pattern: 'x', [key!]: path }, cwd: root }
          const allow = ['Read', 'Grep', 'Glob', 'LS', 'read_file', 'Write'].map((one) => `${one}(./**)`)
          for (const mode of ['default', 'acceptEdits', 'plan']) {
            expect(
              await verdictOn({ allow, extends: 'banksman:starter' }, call, mode),
              `${mode} ${path}`,
            ).not.toBe('allow')
          }
        },
      ),
      RUNS,
    )
  })

  it('is asked about where a deny may match: arguments, cd, redirections, options, the folder of the call', async () => {
    const block: PolicyBlock = {
      deny: ['Read(./secret/**)'],
      allow: ['Bash', 'Read', 'Grep', 'Glob', 'exec'],
    }
    const cwd = () => join(root, 'secret')
    const places: ((way: string) => Tried)[] = [
      (way) => bash(`cat ${way}/key.txt`, cwd()),
      (way) => bash(`cd ${way} && cat key.txt`, cwd()),
      (way) => bash(`cd -- ${way}/ && cat ./key.txt`, cwd()),
      (way) => bash(`cat < ${way}/key.txt`, cwd()),
      (way) => bash(`{ cat; } < "${way}/key.txt"`, cwd()),
      (way) => bash(`timeout 3 env cat ${way}/key.txt`, cwd()),
      (way) => bash(`sh -c 'cat ${way}/key.txt'`, cwd()),
      (way) => bash(`sort --files0-from=${way}/key.txt`, cwd()),
      (way) => bash(`tar -xf${way}/key.txt`, cwd()),
      (way) => bash(`git -C ${way} show`, cwd()),
      (way) => bash(`find ${way} -type f`, cwd()),
      (way) => bash('cat key.txt', way),
      (way) => ({
        tool: 'exec',
        arguments: { command: 'cat', arguments: ['key.txt'], cwd: way },
        cwd: cwd(),
      }),
      (way) => ({ tool: 'Read', arguments: { file_path: `${way}/key.txt` }, cwd: cwd() }),
      (way) => ({ tool: 'Read', arguments: { file_path: 'key.txt' }, cwd: way }),
      (way) => ({ tool: 'Grep', arguments: { pattern: 'x', path: way }, cwd: cwd() }),
      (way) => ({
        tool: 'Grep',
        arguments: { pattern: 'x', path: '/', glob: `${way.slice(1)}/key.*` },
        cwd: cwd(),
      }),
      (way) => ({ tool: 'Glob', arguments: { pattern: `${way}/**` }, cwd: cwd() }),
    ]
    await fc.assert(
      fc.asyncProperty(anyWay(cwd), fc.constantFrom(...places), async (way, place) => {
        const call = place(way)
        fc.pre(!/[~]/.test(call.cwd) && (call.cwd.startsWith('/') || call.cwd === cwd()))
        expect(await verdictOn(block, call), JSON.stringify(call)).not.toBe('allow')
      }),
      { numRuns: 200 },
    )
  })

  it('is asked about also where a wildcard stands for a part of it', async () => {
    const block: PolicyBlock = { deny: ['Read(./secret/**)'], allow: ['Bash'] }
    for (const way of [
      '/proc/s*/cwd',
      '/proc/sel[f]/cwd',
      '/p*/self/cwd',
      '/proc/*/cwd',
      '/proc/self/c?d',
      '/???c/self/cwd',
      '/dev/f*/../cwd',
      '../../../../../../../../proc/s*/cwd',
    ])
      expect(await verdictOn(block, bash(`cat ${way}/key.txt`, join(root, 'secret'))), way).not.toBe('allow')
    expect(await verdictOn(block, bash('cat p*/self/cwd/x', '/'))).not.toBe('allow')
    expect(await verdictOn(block, bash('cat s*/cwd/x', '/proc'))).not.toBe('allow')
    expect(await verdictOn(block, bash('cd /proc && cat s*/cwd/key.txt', join(root, 'secret')))).not.toBe(
      'allow',
    )
  })

  it('P11: is denied where it might be ours, whatever allows it', async () => {
    const block: PolicyBlock = { mode: 'bypass', allow: ['*'] }
    const tail = fc.constantFrom(
      '.banksman/x',
      'store/x',
      'store',
      'src/../store/new/x',
      'src/innocent/x',
      '.banksman',
    )
    const places: ((path: string) => Tried)[] = [
      (path) => bash(`cat ${path}`, root),
      (path) => bash(`echo x > ${path}`, root),
      (path) => bash(`cp src/a.ts ${path}`, root),
      (path) => bash(`sudo tee ${path} < src/a.ts`, root),
      (path) => bash(`env X=1 cat --file=${path}`, root),
      (path) => ({ tool: 'Write', arguments: { file_path: path, content: 'x' }, cwd: root }),
      (path) => ({ tool: 'Read', arguments: { file_path: path }, cwd: root }),
      (path) => ({ tool: 'mcp__fs__put', arguments: { target: path }, cwd: root }),
      (path) => ({ tool: 'Glob', arguments: { pattern: `${path}/*` }, cwd: root }),
    ]
    await fc.assert(
      fc.asyncProperty(
        anyWay(() => root),
        tail,
        fc.constantFrom(...places),
        async (way, end, place) => {
          const call = place(`${way}/${end}`)
          expect(await verdictOn(block, call), JSON.stringify(call)).toBe('deny')
          expect(await verdictOn({}, call, 'acceptEdits'), JSON.stringify(call)).toBe('deny')
        },
      ),
      { numRuns: 200 },
    )
  })

  it('P11: and so is a step out of the folder, a change of folder, and what a process has open', async () => {
    const block: PolicyBlock = { mode: 'bypass', allow: ['*'] }
    const pid = globalThis.process.pid
    for (const call of [
      bash('cd /proc/self/cwd && cat store/x', root),
      bash('cd here && cat store/x', root),
      bash('cd here; cat .banksman/x', root),
      bash('cd here; cd src; cat ../.banksman/x', root),
      bash('cd processes/self; cat cwd/.banksman/x', root),
      bash('cd processes; cat self/cwd/.banksman/x', root),
      bash('pushd here; cat .banksman/x', root),
      bash('cat /proc/self/cwd/../store/x', join(root, 'src')),
      bash('cat /proc/thread-self/root/$PWD/store/x', root),
      bash(`cat /proc/self/root${root}/store/x`, root),
      bash(`cat /proc/${pid}/fd/7`, root),
      bash('cat /proc/*/fd/*', root),
      bash('cat /proc/$PPID/fd/7', root),
      bash(`echo x > /proc/${pid}/task/${pid}/fd/9`, root),
      bash('rm -rf /proc/self/cwd/', root),
      bash('rm -rf here/', root),
      bash('cat x', '/proc/self/cwd/store'),
      { tool: 'Write', arguments: { file_path: '/proc/self/fd/21', content: '' }, cwd: root },
      { tool: 'read_file', arguments: { path: '/dev/fd/21' }, cwd: root },
      { tool: 'Read', arguments: { file_path: 'src/innocent/../store/x' }, cwd: root },
      {
        tool: 'Read',
        arguments: { file_path: `src/../here/../${root.split('/').at(-1)}/store/x` },
        cwd: root,
      },
    ])
      expect(await verdictOn(block, call), JSON.stringify(call)).toBe('deny')
  })

  it('P11: reading all that is below one that a link leads to needs a person', async () => {
    const block: PolicyBlock = { mode: 'bypass', allow: ['*'] }
    for (const line of [
      'grep -r x here/',
      'cp -rL here/ /tmp/x',
      'rg -uu x again',
      'find /proc -name 20 -exec cat {} +',
      'find /proc/*/fd -exec cat {} +',
      'grep -R x /proc/1',
      'tar czf /tmp/x.tgz here/.',
    ])
      expect(await verdictOn(block, bash(line, root)), line).not.toBe('allow')
    const denying: PolicyBlock = { deny: ['Read(./secret/**)'], allow: ['Bash', 'Grep'] }
    expect(await verdictOn(denying, bash('grep -r x here/', root))).not.toBe('allow')
    expect(
      await verdictOn(denying, { tool: 'Grep', arguments: { pattern: 'x', path: 'again' }, cwd: root }),
    ).not.toBe('allow')
  })

  it('leaves descriptors of the line, and files that are the same for everyone, as they were', async () => {
    const starter: PolicyBlock = { extends: 'banksman:starter' }
    for (const line of [
      'cat src/a.ts 2>/dev/null',
      'echo x > /dev/stderr',
      'echo x >&2',
      'diff <(ls src) <(ls .)',
      'cat src/a.ts < /dev/null',
    ])
      expect(await verdictOn(starter, bash(line, root)), line).toBe('allow')
    const bypass: PolicyBlock = { mode: 'bypass', allow: ['*'] }
    for (const line of [
      'cat /dev/stdin',
      'tee /dev/stderr',
      'cat /dev/fd/0',
      'cat /proc/self/fd/0',
      'echo up > /proc/1/fd/1',
      'cat /proc/self/status',
      'ls /proc/1234/fd',
      'cat /proc/1234/status',
      'cat /proc/cpuinfo',
      'head -c 8 /dev/urandom',
      'cat < /dev/tty',
      'grep -c proc/self src/a.ts',
    ])
      expect(await verdictOn(bypass, bash(line, root)), line).not.toBe('deny')
    const denying: PolicyBlock = { deny: ['Read(./secret/**)'], allow: ['Bash'] }
    for (const line of [
      'cat /proc/cpuinfo',
      'cat /proc/meminfo',
      'cat /proc/version',
      'cat /dev/null',
      'head -c 4 /dev/zero',
    ])
      expect(await verdictOn(denying, bash(line, root)), line).toBe('allow')
  })
})

describe('steps up behind a link', () => {
  it('lead where the system goes and not where the text does: where the two differ, nothing is known', async () => {
    mkdirSync(join(top, 'elsewhere/inner'), { recursive: true })
    writeFileSync(join(top, 'elsewhere/key.txt'), 'x')
    symlinkSync(join(top, 'elsewhere/inner'), join(root, 'src/out'))
    symlinkSync(join(root, 'store'), join(root, 'src/in'))
    const allow: PolicyBlock = { allow: ['Read(./**)', 'Bash(cat *)'], deny: ['Read(../elsewhere/**)'] }
    for (const path of ['src/out/../key.txt', './src/./out/../../elsewhere/key.txt']) {
      expect(
        await verdictOn(allow, { tool: 'Read', arguments: { file_path: path }, cwd: root }),
        path,
      ).not.toBe('allow')
      expect(await verdictOn(allow, bash(`cat ${path}`, root)), path).not.toBe('allow')
    }
    expect(await verdictOn(allow, bash('cat ../key.txt', join(root, 'src/out')))).not.toBe('allow')
    const bypass: PolicyBlock = { mode: 'bypass', allow: ['*'] }
    expect(await verdictOn(bypass, bash('cat src/in/../store/x', root))).toBe('deny')
    expect(
      await verdictOn(bypass, { tool: 'Read', arguments: { file_path: 'src/in/../.banksman/x' }, cwd: root }),
    ).toBe('deny')
    // A folder that is not there yet is no link.
    expect(
      await verdictOn(allow, { tool: 'Read', arguments: { file_path: 'new/../src/a.ts' }, cwd: root }),
    ).toBe('allow')
    expect(
      await verdictOn(allow, { tool: 'Read', arguments: { file_path: 'src/deep/../a.ts' }, cwd: root }),
    ).toBe('allow')
  })
})

function bash(command: string, cwd: string): Tried {
  return { tool: 'Bash', arguments: { command }, cwd }
}
