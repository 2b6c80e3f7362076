/** The file tools: what they do, and that nothing outside of the workspace is read or written. */

import { spawnSync } from 'node:child_process'
import {
  chmod,
  link,
  mkdir,
  readFile as read,
  readdir,
  stat,
  symlink,
  writeFile as write,
} from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openToolFixture, type ToolFixture } from '../fixtures/tool-fixture.ts'
import { createAppendFile } from './append-file.ts'
import { createEditFile } from './edit-file.ts'
import { createListDir } from './list-dir.ts'
import { createReadFile } from './read-file.ts'
import { createWriteFile } from './write-file.ts'

const readFile = createReadFile()
const writeFile = createWriteFile()
const editFile = createEditFile()
const appendFile = createAppendFile()
const listDir = createListDir()
let bench: ToolFixture
const inside = (...parts: string[]) => join(bench.workspace, ...parts)
const outside = (...parts: string[]) => join(bench.outside, ...parts)

beforeEach(async () => {
  bench = await openToolFixture()
})
afterEach(() => bench.close())

describe('read_file', () => {
  it('gives a small file just as it is', async () => {
    await write(inside('a.txt'), 'one\r\ntwo\n')
    expect(await bench.run(readFile, { path: 'a.txt' })).toEqual({ text: 'one\r\ntwo\n' })
    expect(await bench.run(readFile, { path: inside('a.txt') })).toEqual({ text: 'one\r\ntwo\n' })
  })

  it('gives the lines that were asked for and says where to go on', async () => {
    await write(inside('a.txt'), 'one\ntwo\nthree\nfour')
    expect((await bench.run(readFile, { path: 'a.txt', offset: 2, limit: 2 })).text).toBe(
      '[a.txt, lines 2 to 3; more follows; go on with offset 4]\ntwo\nthree\n',
    )
    expect((await bench.run(readFile, { path: 'a.txt', offset: 4 })).text).toBe(
      '[a.txt, lines 4 to 4; the end of the file]\nfour',
    )
    expect((await bench.run(readFile, { path: 'a.txt', offset: 5 })).text).toContain('has no line 5')
    await write(inside('empty'), '')
    expect((await bench.run(readFile, { path: 'empty' })).text).toBe('[empty is empty]')
  })

  it('P9: says what was left out of a long file, which is there whole when it is read piece by piece', async () => {
    const lines = Array.from({ length: 60_000 }, (_, index) => `line ${index} é😀`)
    await write(inside('long.txt'), `${lines.join('\n')}\n`)
    let offset = 1
    let whole = ''
    for (let round = 0; round < 20; round++) {
      const { text } = await bench.run(readFile, { path: 'long.txt', offset })
      const end = text.indexOf('\n')
      const [header, body] = [text.slice(0, end), text.slice(end + 1)]
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(256 * 1024)
      whole += body
      if (header.endsWith('the end of the file]')) break
      offset = Number(/offset (\d+)/.exec(header)?.[1])
    }
    expect(whole).toBe(`${lines.join('\n')}\n`)
  })

  it('does not split a character where a line is too long', async () => {
    await write(inside('one-line'), `x${'é'.repeat(200_000)}${'😀'.repeat(10_000)}`)
    const { text, isError } = await bench.run(readFile, { path: 'one-line' })
    expect(isError).toBeUndefined()
    expect(text).toContain('line 1 is cut')
    expect(text).not.toContain('\ufffd')
  })

  it('refuses binary files in words, and puts pictures on the shelf', async () => {
    await write(inside('b.bin'), Buffer.from([1, 2, 0, 255]))
    await write(inside('latin'), Buffer.from([0x67, 0xfc, 0x74]))
    for (const path of ['b.bin', 'latin']) {
      expect(await bench.run(readFile, { path })).toMatchObject({
        isError: true,
        text: expect.stringMatching(/no UTF-8 text/),
      })
    }
    const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100_000, 7)])
    await write(inside('p.txt'), png)
    const { media } = await bench.run(readFile, { path: 'p.txt' })
    expect(media).toMatchObject([{ type: 'image/png', name: 'p.txt' }])
    const kept = await bench.media.get('session', media?.[0]?.id ?? '')
    expect(Buffer.from(kept?.data ?? []).equals(png)).toBe(true)
  })
})

describe('write_file', () => {
  it('makes a file with its folders, replaces it, keeps its mode and leaves nothing else behind', async () => {
    await bench.run(writeFile, { path: 'a/b/c.sh', content: 'one' })
    await chmod(inside('a/b/c.sh'), 0o750)
    expect(await bench.run(writeFile, { path: 'a/b/c.sh', content: 'two' })).toEqual({
      text: 'replaced a/b/c.sh (3 bytes)',
    })
    expect(await read(inside('a/b/c.sh'), 'utf8')).toBe('two')
    expect((await stat(inside('a/b/c.sh'))).mode & 0o777).toBe(0o750)
    expect(await readdir(inside('a/b'))).toEqual(['c.sh'])
  })

  it('writes through a link in the workspace, and does not change other names of the file', async () => {
    await write(inside('real.txt'), 'one')
    await symlink('real.txt', inside('link.txt'))
    await bench.run(writeFile, { path: 'link.txt', content: 'two' })
    expect(await read(inside('real.txt'), 'utf8')).toBe('two')
    await link(outside('secret.txt'), inside('other-name'))
    await bench.run(writeFile, { path: 'other-name', content: 'gone' })
    expect(await read(outside('secret.txt'), 'utf8')).toBe('the secret')
  })

  it('refuses what is no file', async () => {
    await mkdir(inside('d'))
    await symlink('nowhere', inside('dangling'))
    await symlink(outside('new.txt'), inside('dangling-out'))
    for (const path of ['d', '.', 'dangling', 'dangling-out']) {
      expect(await bench.run(writeFile, { path, content: 'x' })).toMatchObject({ isError: true })
    }
    expect(await readdir(bench.outside)).toEqual(['secret.txt'])
    expect(await readdir(bench.workspace)).toEqual(['d', 'dangling', 'dangling-out'])
  })
})

describe('edit_file', () => {
  it('changes the one place, exactly, with what looks like a replacement pattern as it is', async () => {
    await write(inside('a.txt'), 'one\r\ntwo\r\n')
    expect((await bench.run(editFile, { path: 'a.txt', oldText: 'two', newText: "$& $1 $'" })).text).toBe(
      'changed a.txt (line 2)',
    )
    expect(await read(inside('a.txt'), 'utf8')).toBe("one\r\n$& $1 $'\r\n")
  })

  it.each([
    ['no', 'xyz', 'not in a.txt'],
    ['two', 'one', '2 times'],
    ['overlapping', 'aba', '2 times'],
    ['differently broken', 'c\nd', 'line breaks differ'],
    ['differently spaced', 'e f', 'only spaces'],
  ])('refuses %s places and says so', async (_, oldText, words) => {
    const content = 'one one ababa c\r\nd e  f'
    await write(inside('a.txt'), content)
    const result = await bench.run(editFile, { path: 'a.txt', oldText, newText: 'x' })
    expect(result).toMatchObject({ isError: true })
    expect(result.text).toContain(words)
    expect(await read(inside('a.txt'), 'utf8')).toBe(content)
  })

  it('changes all places where that was asked for', async () => {
    await write(inside('a.txt'), 'a b a')
    await bench.run(editFile, { path: 'a.txt', oldText: 'a', newText: '', replaceAll: true })
    expect(await read(inside('a.txt'), 'utf8')).toBe(' b ')
  })
})

describe('append_file', () => {
  it('adds to the end, and makes what is missing', async () => {
    await bench.run(appendFile, { path: 'd/log', content: 'one\n' })
    expect((await bench.run(appendFile, { path: 'd/log', content: 'two\n' })).text).toContain('now has 8')
    expect(await read(inside('d/log'), 'utf8')).toBe('one\ntwo\n')
  })

  it('leaves a file alone that has another name outside', async () => {
    await link(outside('secret.txt'), inside('other-name'))
    expect(await bench.run(appendFile, { path: 'other-name', content: 'x' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/hard links/),
    })
    expect(await read(outside('secret.txt'), 'utf8')).toBe('the secret')
  })
})

describe('list_dir', () => {
  it('lists by name, to the depth asked for, and follows no link', async () => {
    await mkdir(inside('d/e'), { recursive: true })
    await write(inside('d/e/f'), 'abc')
    await write(inside('x\u202ey'), '')
    await symlink(bench.outside, inside('out'))
    expect((await bench.run(listDir, { path: '.' })).text).toBe('d/\nout@\nx⟨U+202E RLO⟩y  0')
    expect((await bench.run(listDir, { path: 'd', depth: 3 })).text).toBe('e/\ne/f  3')
    expect(await bench.run(listDir, { path: 'out' })).toMatchObject({ isError: true })
  })

  it('gives no more than a model can read', async () => {
    await Promise.all(Array.from({ length: 1100 }, (_, index) => write(inside(`f${index}`), '')))
    const { text } = await bench.run(listDir, { path: '.' })
    expect(text.split('\n')).toHaveLength(1001)
    expect(text).toContain('only the first 1000')
  })
})

// Only files of this test's own are named here: a broken build would write to them.
describe('P5: nothing outside of the workspace is reached', () => {
  it.each([
    ['a step up', () => '../outside/secret.txt'],
    ['steps that cancel out', () => 'a/b/../../../outside/secret.txt'],
    ['an absolute path', () => outside('secret.txt')],
    ['a link', () => 'link.txt'],
    ['a folder that is a link', () => 'folder/secret.txt'],
    ['a link that leads through another', () => 'second/secret.txt'],
    ['the process’s own view', () => `/proc/self/root${outside('secret.txt')}`],
    ['a home folder', () => '~/x'],
    ['a home folder of someone', () => '~root/x'],
    ['an address', () => `file://${outside('secret.txt')}`],
    ['a NUL', () => 'a\0/../../outside/secret.txt'],
    ['a name that is too long', () => 'x'.repeat(300)],
    ['a path that is too long', () => 'x/'.repeat(3000)],
    ['a sibling with the same beginning', () => '../workspace-2/x'],
    ['nothing', () => ''],
  ])('%s', async (_, path) => {
    await symlink(outside('secret.txt'), inside('link.txt'))
    await symlink(bench.outside, inside('folder'))
    await symlink('folder', inside('second'))
    await mkdir(`${bench.workspace}-2`)
    const calls = [
      bench.run(readFile, { path: path() }),
      bench.run(writeFile, { path: path(), content: 'x' }),
      bench.run(editFile, { path: path(), oldText: 'the', newText: 'x' }),
      bench.run(appendFile, { path: path(), content: 'x' }),
      bench.run(listDir, { path: path() }),
    ]
    for (const result of await Promise.all(calls)) {
      expect(result).toMatchObject({ isError: true })
      expect(result.text).not.toContain('the secret')
    }
    expect(await read(outside('secret.txt'), 'utf8')).toBe('the secret')
    expect(await readdir(bench.outside)).toEqual(['secret.txt'])
    expect(await readdir(`${bench.workspace}-2`)).toEqual([])
  })

  it('a pipe or a device is refused and holds nothing up', async () => {
    expect(spawnSync('sh', ['-c', 'mkfifo pipe'], { cwd: bench.workspace }).status).toBe(0)
    await symlink('/dev/zero', inside('zero'))
    for (const call of [
      bench.run(readFile, { path: 'zero' }),
      bench.run(readFile, { path: 'pipe' }),
      bench.run(writeFile, { path: 'pipe', content: 'x' }),
      bench.run(editFile, { path: 'pipe', oldText: 'a', newText: 'x' }),
      bench.run(appendFile, { path: 'pipe', content: 'x' }),
    ]) {
      expect(await call).toMatchObject({ isError: true })
    }
    expect((await stat(inside('pipe'))).isFIFO()).toBe(true)
  })
})
