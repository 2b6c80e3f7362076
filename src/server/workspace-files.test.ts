import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTextReader } from './workspace-files.ts'

let folder: string
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-files-')))
  mkdirSync(join(folder, 'work'))
  mkdirSync(join(folder, 'workshop'))
  writeFileSync(join(folder, 'work', 'a.txt'), '\ufeffone\ntwo\n')
  writeFileSync(join(folder, 'work', 'binary'), Uint8Array.of(0x61, 0, 0x62))
  writeFileSync(join(folder, 'work', 'latin'), Uint8Array.of(0x61, 0xe9))
  writeFileSync(join(folder, 'work', 'large'), 'x'.repeat(256 * 1024 + 1))
  writeFileSync(join(folder, 'workshop', 'secret'), 'not yours')
  symlinkSync(join(folder, 'workshop', 'secret'), join(folder, 'work', 'link'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = (...steps: string[]) => createTextReader(() => [join(folder, 'work')])(join(folder, ...steps))

describe('a file of the workspace', () => {
  it('is read exactly as it is', async () => {
    expect(await read('work', 'a.txt')).toBe('\ufeffone\ntwo\n')
  })

  it.each(['binary', 'latin', 'large', '.'])('is not read where it is no short text: %s', async (name) => {
    expect(await read('work', name)).toBeUndefined()
  })

  it('P6: is not read outside the folders that agents work in, nor through a link', async () => {
    expect(await read('workshop', 'secret')).toBeUndefined()
    expect(await createTextReader(() => [])(join(folder, 'work', 'a.txt'))).toBeUndefined()
    await expect(read('work', 'link')).rejects.toThrow()
    await expect(read('work', 'none')).rejects.toThrow()
  })
})
