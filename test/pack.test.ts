/** The package as a stranger gets it: packed, installed in an empty folder, and used on the Nodes that it promises. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from './source-files.ts'

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
    'inbox/dist/index.html',
    'README.md',
    'LICENSE',
  ]) {
    expect(packed).toContain(needed)
  }
  const strange = packed.filter(
    (path) =>
      /\.test\.|fixtures|^(src|test|bench|scripts|examples)\/|\.db$|\.tsx?$/.test(path) &&
      !path.endsWith('.d.ts'),
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
