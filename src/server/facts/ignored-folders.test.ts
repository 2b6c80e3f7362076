import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { compilePolicy } from '../../policy/index.ts'
import { openDataFolder } from '../installation/data-folder.ts'
import { createFactsGatherer } from './gather-facts.ts'
import { findIgnoredFolders } from './ignored-folders.ts'

let project: string
let data: string
beforeEach(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-ignored-')))
  data = openDataFolder(join(project, '.banksman')).path
})
afterEach(() => rmSync(project, { recursive: true, force: true }))

it('says that a search passes over the folder only while both files are there as we wrote them', async () => {
  const look = (environment = {}) => findIgnoredFolders([data], environment)
  expect(await look()).toEqual([data])
  expect(await look({ RIPGREP_CONFIG_PATH: '/home/ana/.ripgreprc' })).toEqual([])
  for (const name of ['.ignore', '.rgignore']) {
    const file = join(data, name)
    const undone: (() => void)[] = [
      () => writeFileSync(file, ''),
      () => writeFileSync(file, '*\n!banksman.db\n'),
      () => writeFileSync(file, '*'),
      () => writeFileSync(file, `*\n${'\n'.repeat(64)}!*\n`),
      () => mkdirSync(file),
      () => {
        writeFileSync(join(project, 'all'), '*\n')
        symlinkSync(join(project, 'all'), file)
      },
    ]
    for (const undo of undone) {
      rmSync(file, { recursive: true, force: true })
      expect(await look()).toEqual([])
      undo()
      expect(await look(), undo.toString()).toEqual([])
    }
    rmSync(file, { recursive: true, force: true })
    openDataFolder(data)
    expect(await look()).toEqual([data])
  }
})

it.skipIf(process.getuid?.() === 0)('a file that can not be read says nothing', async () => {
  chmodSync(join(data, '.rgignore'), 0)
  expect(await findIgnoredFolders([data], {})).toEqual([])
})

it('a link to the folder is none that is passed over, and neither is what is not there', async () => {
  const elsewhere = join(project, 'elsewhere')
  renameSync(data, elsewhere)
  expect(await findIgnoredFolders([data, elsewhere], {})).toEqual([elsewhere])
  symlinkSync(elsewhere, data)
  expect(await findIgnoredFolders([data], {})).toEqual([])
})

it('reaches the policy as a fact: Grep needs a person as soon as an ignore file is gone', async () => {
  const policy = compilePolicy(
    { extends: 'banksman:starter' },
    {
      roots: [project],
      home: '/nowhere',
      ownHouse: { files: [], folders: [data], addresses: [], program: 'banksman' },
    },
  )
  const gather = createFactsGatherer({ lookups: policy.lookups, now: () => 0, home: '/nowhere' })
  const judge = async (remote = false) => {
    const call = { tool: 'Grep', arguments: { pattern: 'x' }, cwd: project }
    return policy.evaluate(call, await gather(call, { remote })).kind
  }
  expect(await judge()).toBe('allow')
  expect(await judge(true)).toBe('ask')
  rmSync(join(data, '.rgignore'))
  expect(await judge()).toBe('ask')
})
