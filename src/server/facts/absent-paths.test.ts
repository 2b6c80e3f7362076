import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { compilePolicy } from '../../policy/index.ts'
import { findAbsentPaths } from './absent-paths.ts'
import { createFactsGatherer } from './gather-facts.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-absent-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const at = (...names: string[]) => join(folder, ...names)
const isAbsent = async (...names: string[]) => (await findAbsentPaths([at(...names)])).length === 1

it('says what is not there, as far as the first name that is missing', async () => {
  expect(await isAbsent('.env')).toBe(true)
  expect(await isAbsent('secrets', 'deep', 'key.pem')).toBe(true)
  mkdirSync(at('secrets'))
  expect(await isAbsent('secrets')).toBe(false)
  expect(await isAbsent('secrets', 'key.pem')).toBe(true)
  writeFileSync(at('.env'), '')
  expect(await isAbsent('.env')).toBe(false)
  expect(await findAbsentPaths([at('.env'), at('none'), at('secrets')])).toEqual([at('none')])
})

it('P5: what may be there counts as being there: links, failures, names that some disks take for the same', async () => {
  symlinkSync('/nowhere', at('dangling'))
  expect(await isAbsent('dangling')).toBe(false)
  symlinkSync(folder, at('link'))
  expect(await isAbsent('link', 'none')).toBe(false)
  writeFileSync(at('file'), '')
  expect(await isAbsent('file', 'below')).toBe(false)
  expect(await isAbsent('x'.repeat(300))).toBe(false)
  expect(await isAbsent('a\0b')).toBe(false)
  expect(await findAbsentPaths(['relative'])).toEqual([])
  writeFileSync(at('.ENV'), '')
  expect(await isAbsent('.env')).toBe(false)
  mkdirSync(at('lower'))
  mkdirSync(at('LOWER'), { recursive: true })
  writeFileSync(at('LOWER', 'key'), '')
  expect(await isAbsent('lower', 'key')).toBe(false)
  writeFileSync(at('cafe\u0301'), '')
  expect(await isAbsent('caf\u00e9')).toBe(false)
})

it('a search is asked about once there is what a deny names, and not for a remote agent’s word', async () => {
  const policy = compilePolicy({ allow: ['Grep'], deny: ['Read(./.env)'] }, { roots: [folder] })
  const gather = createFactsGatherer({ lookups: policy.lookups, now: () => 1, home: at('home') })
  const call = { tool: 'Grep', arguments: { pattern: 'x' }, session: 's', cwd: folder }
  const kind = async (remote = false) => policy.evaluate(call, await gather(call, { remote })).kind
  expect(await kind()).toBe('allow')
  expect(await kind(true)).toBe('ask')
  writeFileSync(at('.env'), 'KEY=1')
  expect(await kind()).toBe('ask')
})
