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
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
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

it('P4: a database under another name, or with two names, is not opened by a second server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'banksman-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [file, link, hard] = ['e.db', 'l.db', 'h.db'].map((name) => join(folder, name))
  writeFileSync(file!, '')
  symlinkSync(file!, link!)
  const lock = lockDatabase(file!)
  expect(() => lockDatabase(link!)).toThrowError(expect.objectContaining({ code: 'data_folder_in_use' }))
  lock.release()
  linkSync(file!, hard!)
  for (const one of [file, hard])
    expect(() => lockDatabase(one!)).toThrowError(expect.objectContaining({ code: 'data_folder_in_use' }))
})
