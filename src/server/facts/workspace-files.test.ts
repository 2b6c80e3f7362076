import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
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
  writeFileSync(join(folder, 'work', 'a (deleted)'), 'not deleted\n')
  symlinkSync(join(folder, 'workshop', 'secret'), join(folder, 'work', 'link'))
  symlinkSync('a.txt', join(folder, 'work', 'inner'))
  symlinkSync('.', join(folder, 'work', 'same'))
  symlinkSync(join(folder, 'workshop'), join(folder, 'work', 'out'))
  symlinkSync(join(folder, 'work'), join(folder, 'by-link'))
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
    expect(await read('work', 'link')).toBeUndefined()
    expect(await read('work', 'none')).toBeUndefined()
  })

  it('is read where the folder itself was named by a link, and where another folder is gone', async () => {
    const folders = [undefined, join(folder, 'gone'), join(folder, 'by-link')]
    expect(await createTextReader(() => folders)(join(folder, 'work', 'a.txt'))).toBe('\ufeffone\ntwo\n')
  })
})

describe.each(['descriptors', 'comparison'] as const)('held by %s', (holding) => {
  const readHeld = (...steps: string[]) =>
    createTextReader(() => [join(folder, 'work')], { holding })(join(folder, ...steps))

  it.skipIf(holding === 'descriptors' && process.platform !== 'linux')(
    'P6: what is shown is the file of just this path, and nothing that a link on the way leads to',
    async () => {
      expect(await readHeld('work', 'a.txt')).toBe('\ufeffone\ntwo\n')
      expect(await readHeld('work', 'a (deleted)')).toBe('not deleted\n')
      for (const path of ['link', 'inner', 'out/secret', 'same/a.txt', 'deep/../../workshop/secret']) {
        expect(await readHeld('work', ...path.split('/')), path).toBeUndefined()
      }
    },
  )
})

describe.skipIf(process.platform !== 'linux')('P6: whoever swaps a folder on the way for a link', () => {
  let swapper: ChildProcess | undefined
  afterEach(async () => {
    const gone = new Promise((resolve) => swapper?.once('exit', resolve))
    if (swapper?.kill('SIGKILL')) await gone
  })

  it('is shown nothing from outside', async () => {
    const place = join(folder, 'work', 'race')
    mkdirSync(join(place, 'd'), { recursive: true })
    writeFileSync(join(place, 'd', 'secret'), 'the harmless one')
    symlinkSync(join(folder, 'workshop'), join(place, 'link'))
    const script = `
      const { renameSync } = require('node:fs')
      console.log('ready')
      for (;;) {
        renameSync('d', 'real'); renameSync('link', 'd')
        renameSync('d', 'link'); renameSync('real', 'd')
      }`
    swapper = spawn(process.execPath, ['-e', script], { cwd: place, stdio: ['ignore', 'pipe', 'inherit'] })
    await new Promise((resolve) => swapper?.stdout?.once('data', resolve))
    const seen = new Map<string | undefined, number>()
    const wasRace = () => ['the harmless one', undefined].every((text) => (seen.get(text) ?? 0) > 10)
    for (let round = 0; round < 400 || (round < 4000 && !wasRace()); round++) {
      const text = await read('work', 'race', 'd', 'secret')
      seen.set(text, (seen.get(text) ?? 0) + 1)
    }
    expect([...seen.keys()].filter((text) => text !== undefined && text !== 'the harmless one')).toEqual([])
    expect(wasRace()).toBe(true)
  })
})
