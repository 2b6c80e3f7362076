import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json/json.ts'
import { compilePolicy } from '../../policy/index.ts'
import { createFactsGatherer } from './gather-facts.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-facts-')))
  mkdirSync(join(folder, 'secret'))
  writeFileSync(join(folder, 'plain.txt'), 'x')
  symlinkSync(join(folder, 'secret'), join(folder, 'innocent'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const policyOf = (block: object) => compilePolicy(block, { roots: [folder] })
const call = (tool: string, args: JsonObject) => ({ tool, arguments: args, session: 's', cwd: folder })
const gatherer = (lookups = policyOf({}).lookups) =>
  createFactsGatherer({ lookups, now: () => 1_700_000_000_000, home: join(folder, 'home') })
const gather = (args: JsonObject, tool = 'write') => gatherer()(call(tool, args))

it('follows links, resolves what does not exist yet, and reads lists of paths', async () => {
  expect(await gather({ path: 'plain.txt' })).toMatchObject({
    paths: { '/path': { resolved: join(folder, 'plain.txt'), exists: true } },
  })
  expect(await gather({ file_path: 'innocent/new/file.txt' })).toMatchObject({
    paths: { '/file_path': { resolved: join(folder, 'secret/new/file.txt'), exists: false } },
  })
  expect(await gather({ files: ['plain.txt', 'innocent'] })).toMatchObject({
    paths: {
      '/files/0': { resolved: join(folder, 'plain.txt'), exists: true },
      '/files/1': { resolved: join(folder, 'secret'), exists: true },
    },
  })
  expect(
    await gather({ note: 'plain.txt', count: 3, words: 'and/or, either way', url: 'https://example.com/x' }),
  ).toEqual({ at: 1_700_000_000_000 })
})

it('P11: a link in the workspace does not lead into what is our own, however it is named', async () => {
  const ownHouse = { files: [], folders: [join(folder, 'secret')], addresses: [], program: 'banksman' }
  const policy = compilePolicy({ mode: 'bypass', allow: ['*'] }, { ownHouse })
  const judge = async (args: JsonObject) =>
    policy.evaluate({ tool: 'write', arguments: args, cwd: folder }, await gather(args)).kind
  const link = 'innocent/banksman.db'
  for (const args of [
    { path: link },
    { absolute_path: join(folder, link) },
    { uri: `file://${join(folder, link)}` },
    { location: link },
    { edits: [{ file_path: link }] },
    { anything: { at: { all: join(folder, link) } } },
    { paths: [...Array(100).fill('plain.txt'), link] },
  ]) {
    expect(await judge(args), JSON.stringify(args)).toBe('deny')
  }
  expect(await judge({ path: 'plain.txt' })).toBe('allow')
  await expect(gather({ paths: Array(300).fill('plain.txt') })).rejects.toMatchObject({
    code: 'invalid_call',
  })
})

it('looks up where the words of a shell line lead, and where ~ is', async () => {
  const facts = await gather({ command: 'cat innocent/key ~/notes ~ana/x plain.txt' }, 'Bash')
  expect(facts.words).toMatchObject({
    'innocent/key': join(folder, 'secret/key'),
    '~/notes': join(folder, 'home/notes'),
    'plain.txt': join(folder, 'plain.txt'),
  })
  expect(facts.words).not.toHaveProperty('~ana/x')
})

it('P5: what a remote agent says of paths is only its word: nothing is looked up, and no allow holds', async () => {
  const policy = policyOf({ allow: ['Read(./**)'] })
  const read = call('Read', { file_path: join(folder, 'plain.txt') })
  const near = await gatherer(policy.lookups)(read)
  expect(policy.evaluate(read, near).kind).toBe('allow')
  const far = await gatherer(policy.lookups)(read, { remote: true })
  expect(far).toEqual({ at: 1_700_000_000_000 })
  expect(policy.evaluate(read, far).kind).toBe('ask')
  expect(policy.evaluate(read).kind).toBe('ask')
})

it('P5: a link that leads out of the workspace is not inside it', async () => {
  symlinkSync('/etc', join(folder, 'outside'))
  const policy = policyOf({ allow: ['Read(./**)'] })
  const read = call('Read', { file_path: 'outside/passwd' })
  expect(policy.evaluate(read, await gatherer(policy.lookups)(read)).kind).toBe('ask')
})

it('P5: no more steps are taken for a call than ordinary paths need; what lies beyond is unknown', async () => {
  mkdirSync(join(folder, 'a/b/c'), { recursive: true })
  // Nothing below what is not there is looked for, however many names follow.
  const missing = Array.from({ length: 200 }, (_, at) => `none-${at}/${'b/'.repeat(1000)}x`)
  expect(Object.keys((await gather({ paths: missing })).paths ?? {}).length).toBeLessThan(20)
  const long = Array.from({ length: 200 }, (_, at) => `${'a/b/../../'.repeat(300)}${at}`)
  const { paths = {}, unsure = [] } = await gather({ paths: long })
  expect(Object.keys(paths).length).toBeLessThan(20)
  expect(unsure.length).toBeGreaterThan(100)
  const ordinary = Array.from({ length: 200 }, (_, at) => `a/../a/b/c/${at}.ts`)
  expect(Object.keys((await gather({ paths: ordinary })).paths ?? {})).toHaveLength(200)
})
