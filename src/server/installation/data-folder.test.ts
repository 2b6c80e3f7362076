import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lockDatabase, lockDataFolder, openDataFolder } from './data-folder.ts'

let parent: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'banksman-data-'))
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

it('is readable by its owner alone', () => {
  const folder = openDataFolder(join(parent, '.banksman'))
  expect(statSync(folder.path).mode & 0o777).toBe(0o700)
})

it('is used by one server at a time, and free again when that one is gone', () => {
  const folder = openDataFolder(join(parent, '.banksman'))
  const lock = lockDataFolder(folder)
  expect(() => lockDataFolder(folder)).toThrow(/another server already uses .* --data or BANKSMAN_DATA/)
  lock.release()
  lockDataFolder(folder).release()
})

it('P5: a database is used by one server at a time, by whatever links it is named', () => {
  const [first, second] = ['first', 'second'].map((name) => join(parent, name))
  for (const folder of [first!, second!]) mkdirSync(folder)
  const real = join(first!, 'e.db')
  writeFileSync(real, '')
  symlinkSync(real, join(second!, 'l.db'))
  symlinkSync(first!, join(parent, 'by-folder'))
  linkSync(real, join(parent, 'hard.db'))
  for (const one of [real, join(parent, 'hard.db')]) expect(() => lockDatabase(one)).toThrow(/hard link/)
  rmSync(join(parent, 'hard.db'))
  const lock = lockDatabase(real)
  for (const name of ['second/l.db', 'by-folder/e.db'])
    expect(() => lockDatabase(join(parent, name))).toThrow(/another server already uses/)
  lock.release()
})

it('tells git and searchers to pass over it, and leaves what somebody has put there', () => {
  const { path } = openDataFolder(join(parent, '.banksman'))
  const read = (name: string) => readFileSync(join(path, name), 'utf8')
  for (const name of ['.gitignore', '.ignore', '.rgignore']) expect(read(name)).toBe('*\n')
  writeFileSync(join(path, '.ignore'), '!*\n')
  openDataFolder(path)
  expect(read('.ignore')).toBe('!*\n')
})

it('writes no ignore file through a link that leads nowhere', () => {
  const path = join(parent, '.banksman')
  mkdirSync(path)
  symlinkSync(join(parent, 'elsewhere'), join(path, '.rgignore'))
  openDataFolder(path)
  expect(existsSync(join(parent, 'elsewhere'))).toBe(false)
})
