/** The package as a stranger gets it: packed, installed in an empty folder, and used on the Nodes that it promises. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importsOf, ROOT } from '../architecture/source-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'banksman-pack-'))
const home = join(folder, 'stranger')
const INSTALL = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']
let tarball: string
let packed: string[]

beforeAll(() => {
  // `npm test` has built both. Building them here would take them away under the servers that other tests run from them.
  const isBuilt = ['dist/index.js', 'inbox/dist/index.html'].every((file) => existsSync(join(ROOT, file)))
  if (!isBuilt) npm(['run', 'build'], ROOT)
  const [report] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], ROOT))
  tarball = join(folder, report.filename)
  packed = report.files.map((file: { path: string }) => file.path)
  const manifest = { name: 'stranger', private: true, type: 'module', allowScripts: { node: true } }
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), JSON.stringify(manifest))
  npm([...INSTALL, tarball, 'node@22'], home)
  writeFileSync(join(home, 'program.js'), PROGRAM)
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const PROGRAM = `
import { openGateway, isBanksmanError } from 'banksman'
import { compilePolicy } from 'banksman/policy'
import { createClient } from 'banksman/client'
import { openSqliteStore } from 'banksman/stores/sqlite'
import { openMemoryStore } from 'banksman/stores/memory'

const ana = { subject: 'ana', role: 'approver', via: 'test' }
const gateway = await openGateway({ store: 'sqlite:' + process.versions.node + '.db', policy: { allow: ['read'] }, owner: 'ana' })
const allowed = await gateway.guard({ tool: 'read', arguments: {}, callId: 'c1', session: 's' }, () => 'read it')
const call = { tool: 'send', arguments: { to: 'x' }, callId: 'c2', session: 's' }
const { request } = await gateway.review(call, { subject: 'local', role: 'agent', via: 'test' })
await gateway.decide(request.id, { decision: 'approve', digest: request.digest }, ana)
const asked = await gateway.guard(call, (args) => 'sent to ' + args.to)
await gateway.close()
console.log(JSON.stringify({
  node: process.versions.node,
  allowed: allowed.value,
  asked: asked.value,
  doors: [isBanksmanError, compilePolicy, createClient, openSqliteStore, openMemoryStore].map((door) => typeof door),
}))
`

/** What is installed is the same on both. */
const NODES = { 22: join(home, 'node_modules/.bin/node'), 24: join(ROOT, 'node_modules/.bin/node') }

for (const [major, program] of Object.entries(NODES)) {
  describe(`on Node ${major}`, () => {
    it('the library guards a call in an ordinary program', () => {
      const said = JSON.parse(run(program, ['program.js']).stdout)
      expect(said).toMatchObject({ allowed: 'read it', asked: 'sent to x' })
      expect(said.node.split('.')[0]).toBe(major)
      expect(said.doors).toEqual(Array(5).fill('function'))
    })

    it('the program answers, without a warning of our making', () => {
      const help = run(program, ['node_modules/banksman/bin/banksman.js', '--help'])
      expect(help.stdout).toContain('banksman start')
      expect(help.stderr).toBe('')
      expect(help.status).toBe(0)
    })
  })
}

it('the ready-made policies are found where they are installed', () => {
  const program = [
    'node_modules/banksman/bin/banksman.js',
    'policy',
    'init',
    '--template',
    'coding-agent',
    '--print',
  ]
  const { stdout, stderr } = run(NODES[24], program)
  expect({ stderr, stdout }).toEqual({
    stderr: '',
    stdout: readFileSync(join(ROOT, 'templates/coding-agent.yaml'), 'utf8'),
  })
})

it('the server and its pages are found where they are installed', async () => {
  const program = [join(home, 'node_modules/banksman/bin/banksman.js'), 'start', '--port', '0']
  const env = { ...process.env, ANTHROPIC_API_KEY: 'a-key-that-nobody-uses' }
  const server = spawn(NODES[24], program, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(server, 'close')
  const errors = text(server.stderr)
  try {
    let address: string | undefined
    for await (const line of createInterface({ input: server.stdout })) {
      address = /^Banksman is ready: (http:\/\/[\d.:]+\/)/.exec(line)?.[1]
      if (address !== undefined) break
    }
    const page = await fetch(address ?? '')
    expect(await page.text()).toContain('<title>')
  } finally {
    server.kill('SIGTERM')
    await ended
  }
  expect(await errors).toContain(
    "the agent main can't answer yet: the package @ai-sdk/anthropic is needed for this model; install it: npm install @ai-sdk/anthropic",
  )
})

it('an agent whose model needs a library that is not installed says what to install', () => {
  const program = `
    import { createProviderModel } from 'banksman/agent'
    const model = createProviderModel({ provider: 'anthropic', model: 'm', apiKey: 'k' })
    try {
      for await (const _ of model.stream({ messages: [], tools: [] }, new AbortController().signal));
    } catch ({ code, message }) {
      console.log(code + ': ' + message)
    }`
  const { stdout, stderr } = run(NODES[24], ['--input-type=module', '--eval', program])
  expect(stderr).toBe('')
  expect(stdout).toContain('missing_dependency: the package @ai-sdk/anthropic is needed for this model')
  expect(stdout).toContain('npm install @ai-sdk/anthropic')
})

it('brings at most 7 packages, and 17.5 MB in all', () => {
  const lock = JSON.parse(readFileSync(join(home, 'node_modules/.package-lock.json'), 'utf8'))
  const packages = Object.keys(lock.packages).filter(
    (path) => !/node_modules\/node(?:-bin)?[^/]*$/.test(path),
  )
  expect(packages.length, packages.join('\n')).toBeLessThanOrEqual(7)
  const sizes = packages.flatMap((path) =>
    globSync('**/*', { cwd: join(home, path) }).map((file) => statSync(join(home, path, file)).size),
  )
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6
  expect(megabytes).toBeLessThanOrEqual(17.5)
})

it('imports what is installed with it or named as a peer, and nothing else', () => {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const known = Object.keys({ ...dependencies, ...peerDependencies })
  const strange = packed
    .filter((path) => /^dist\/.*\.js$/.test(path))
    .flatMap((path) => importsOf({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
    .map(({ from }) => from)
    .filter((from) => !from.startsWith('.') && !isBuiltin(from))
    .map((from) => from.split('/', from.startsWith('@') ? 2 : 1).join('/'))
    // The suite for authors of stores runs in their vitest.
    .filter((library) => library !== 'vitest' && !known.includes(library))
  expect(strange).toEqual([])
})

it('on a Node that is too old the program says what it needs', () => {
  const old = join(folder, 'node-20')
  mkdirSync(old)
  writeFileSync(join(old, 'package.json'), JSON.stringify({ private: true, allowScripts: { node: true } }))
  npm([...INSTALL, 'node@20'], old)
  const result = run(join(old, 'node_modules/.bin/node'), [join(ROOT, 'bin/banksman.js'), 'start'])
  expect(result.status).toBe(1)
  expect(result.stderr).toMatch(/needs Node 22\.13 or newer; this is v20/)
}, 120_000)

it('holds what is needed and nothing else', () => {
  for (const needed of [
    'bin/banksman.js',
    'dist/index.js',
    'dist/index.d.ts',
    'dist/third-party-licenses.txt',
    'inbox/dist/index.html',
    'clients/python/banksman.py',
    'README.md',
    'LICENSE',
  ]) {
    expect(packed).toContain(needed)
  }
  const strange = packed.filter(
    (path) =>
      /\.test\.|fixtures|^(src|test|bench|scripts|examples)\/|^clients\/python\/tests|\.db$|\.tsx?$/.test(
        path,
      ) && !path.endsWith('.d.ts'),
  )
  expect(strange).toEqual([])
  expect(readFileSync(join(ROOT, 'package.json'), 'utf8')).not.toContain('postinstall')
})

function npm(parameters: string[], cwd: string): string {
  const program = process.env.npm_execpath
  const env = { ...process.env, npm_config_workspaces: undefined }
  return program === undefined
    ? execFileSync('npm', parameters, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    : execFileSync(process.execPath, [program, ...parameters], {
        cwd,
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      })
}

function run(program: string, parameters: string[]) {
  return spawnSync(program, parameters, { cwd: home, encoding: 'utf8' })
}
