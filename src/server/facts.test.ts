import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import { compilePolicy } from '../policy/index.ts'
import { gatherFacts } from './facts.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-facts-')))
  mkdirSync(join(folder, 'secret'))
  writeFileSync(join(folder, 'plain.txt'), 'x')
  symlinkSync(join(folder, 'secret'), join(folder, 'innocent'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const gather = (args: JsonObject) =>
  gatherFacts({
    tool: 'write',
    arguments: args,
    session: 's',
    cwd: folder,
    agent: undefined,
    definition: undefined,
    origin: undefined,
  })

it('follows links, resolves what does not exist yet, and reads lists of paths', async () => {
  expect(await gather({ path: 'plain.txt' })).toEqual({
    paths: { '/path': { resolved: join(folder, 'plain.txt'), exists: true } },
  })
  expect(await gather({ file_path: 'innocent/new/file.txt' })).toEqual({
    paths: { '/file_path': { resolved: join(folder, 'secret/new/file.txt'), exists: false } },
  })
  expect(await gather({ files: ['plain.txt', 'innocent'] })).toEqual({
    paths: {
      '/files/0': { resolved: join(folder, 'plain.txt'), exists: true },
      '/files/1': { resolved: join(folder, 'secret'), exists: true },
    },
  })
  expect(
    await gather({ note: 'plain.txt', count: 3, words: 'and/or, either way', url: 'https://example.com/x' }),
  ).toBeUndefined()
})

it('P11: a link in the workspace does not lead into our own house, however it is named', async () => {
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
