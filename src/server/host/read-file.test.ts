import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { appendLines } from './append-file.ts'
import { findFile, MAX_FILE_BYTES, readIfThere } from './read-file.ts'
import { putFile, replaceFile } from './replace-file.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'banksman-files-'))
  path = join(folder, 'file')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** What somebody may put in the place of a file. */
const OTHERS: [string, () => void][] = [
  ['a pipe', () => void spawnSync('mkfifo', [path])],
  [
    'a link to a pipe',
    () => {
      spawnSync('mkfifo', [`${path}.pipe`])
      symlinkSync(`${path}.pipe`, path)
    },
  ],
  ['a link to a device that never ends', () => symlinkSync('/dev/zero', path)],
  ['a link to a device that waits', () => symlinkSync('/dev/tty', path)],
  ['a folder', () => mkdirSync(path)],
  ['a link to itself', () => symlinkSync(path, path)],
  [
    '3 GB',
    () => {
      writeFileSync(path, '')
      truncateSync(path, 3 * 1024 ** 3)
    },
  ],
  ['one byte more than the limit', () => writeFileSync(path, Buffer.alloc(MAX_FILE_BYTES + 1))],
]

describe('P5: a file that others may have put there', () => {
  it.skipIf(process.platform === 'win32').each(OTHERS)('%s is refused, and never waited for', (_, put) => {
    put()
    expect(findFile(path)).toMatchObject({ kind: 'refused' })
    expect(() => readIfThere(path)).toThrow()
  })

  it('is read up to the limit, through a link too', () => {
    writeFileSync(path, Buffer.alloc(MAX_FILE_BYTES, 'a'))
    symlinkSync(path, `${path}.link`)
    expect(readIfThere(`${path}.link`)).toHaveLength(MAX_FILE_BYTES)
    expect(readIfThere(`${path}.none`)).toBeUndefined()
    expect(readIfThere(`${path}/below`)).toBeUndefined()
  })
})

describe('P11: a file of ours', () => {
  it('takes the place of a link, and leaves what that led to', () => {
    writeFileSync(`${path}.other`, 'theirs')
    symlinkSync(`${path}.other`, path)
    putFile(path, 'ours')
    expect([readFileSync(path, 'utf8'), readFileSync(`${path}.other`, 'utf8')]).toEqual(['ours', 'theirs'])
  })

  it('of others is written through their link', () => {
    writeFileSync(`${path}.other`, 'theirs')
    symlinkSync(`${path}.other`, path)
    replaceFile(path, 'changed')
    expect(readFileSync(`${path}.other`, 'utf8')).toBe('changed')
  })

  it('is appended to where it is one, and never through a link', () => {
    appendLines(path, 'one\n')
    appendLines(path, 'two\n')
    writeFileSync(`${path}.torn`, 'one\ntw')
    appendLines(`${path}.torn`, 'three\n')
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n')
    expect(readFileSync(`${path}.torn`, 'utf8')).toBe('one\ntw\nthree\n')
    symlinkSync(path, `${path}.link`)
    expect(() => appendLines(`${path}.link`, 'four\n')).toThrow(/ELOOP/)
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n')
  })
})
