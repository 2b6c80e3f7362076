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
  expect(await gather({ note: 'plain.txt', count: 3 })).toBeUndefined()
})

it('P11: a link in the workspace does not lead into our own house', async () => {
  const ownHouse = { files: [], folders: [join(folder, 'secret')], addresses: [], program: 'banksman' }
  const policy = compilePolicy({ mode: 'bypass', allow: ['*'] }, { ownHouse })
  const call = { tool: 'write', arguments: { path: 'innocent/banksman.db' }, cwd: folder }
  const facts = await gather(call.arguments)
  expect(policy.evaluate(call, facts).kind).toBe('deny')
  expect(
    policy.evaluate({ ...call, arguments: { path: 'plain.txt' } }, await gather({ path: 'plain.txt' })).kind,
  ).toBe('allow')
})
