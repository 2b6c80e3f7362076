import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { verifyCheckpoint } from '../../journal/checkpoints/checkpoint.ts'
import { trustKeys } from '../../journal/checkpoints/trusted-keys.ts'
import { createChainWriter } from '../../journal/entry.ts'
import { type DataFolder, openDataFolder } from '../installation/data-folder.ts'
import { publicKeysOf, readCheckpoints } from '../installation/open-local-journal.ts'
import { startCheckpoints } from './checkpoints.ts'
import { rotateKey } from './rotate-key.ts'

let home: string
let folder: DataFolder
const faults: string[] = []
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'banksman-rotate-'))
  folder = openDataFolder(join(home, 'data'))
  faults.length = 0
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const chain = createChainWriter('main')
function sign(): void {
  chain.draft('session.mode', 1, {}).committed(chain.head().n + 1)
  const checkpoints = startCheckpoints({
    chain,
    keyFile: folder.signingKey,
    files: () => [folder.checkpoints],
    now: () => 1,
    report: ({ error }) => faults.push((error as Error).message),
  })
  checkpoints.close()
}
/** What each checkpoint is worth to whoever kept only these public keys. */
function verdicts(keys: readonly string[]): string[] {
  const { checkpoints, rotations } = readCheckpoints(folder)
  const trusted = trustKeys(keys, rotations)
  return checkpoints.map((one) => verifyCheckpoint(one, trusted))
}

it('P10: a key that is rotated twice is followed from the first, and the private ones are gone', () => {
  sign()
  const [first] = publicKeysOf(folder)
  const old = readFileSync(folder.signingKey, 'utf8')
  const other = join(home, 'kept.ndjson')
  rotateKey(folder, [folder.checkpoints, other], 2)
  sign()
  rotateKey(folder, [folder.checkpoints, other], 3)
  sign()
  expect(publicKeysOf(folder)).toHaveLength(3)
  expect(verdicts([first!])).toEqual(['valid', 'valid', 'valid'])
  expect(verdicts(publicKeysOf(folder))).toEqual(['valid', 'valid', 'valid'])
  expect(verdicts([publicKeysOf(folder)[2]!])).toEqual(['unknown_key', 'unknown_key', 'valid'])
  expect(readFileSync(other, 'utf8').trim().split('\n')).toHaveLength(2)
  expect(readFileSync(folder.signingKey, 'utf8')).not.toBe(old)
  expect(existsSync(`${folder.signingKey}.next`)).toBe(false)
  expect(readFileSync(folder.earlierKeys, 'utf8')).not.toContain('PRIVATE')
  expect(faults).toEqual([])
})

it('P10: that the key is missing is told at the start, and its checkpoints are not taken for valid', () => {
  sign()
  rmSync(folder.signingKey)
  sign()
  expect(faults).toEqual([expect.stringContaining('the key that signed the checkpoints is missing')])
  expect(verdicts(publicKeysOf(folder))).toEqual(['unknown_key', 'valid'])
})

it('P5: without a key, or with one that is none, nothing is changed', () => {
  expect(() => rotateKey(folder, [folder.checkpoints], 1)).toThrow('there is no')
  writeFileSync(folder.signingKey, 'no key')
  expect(() => rotateKey(folder, [folder.checkpoints], 1)).toThrow()
  expect([existsSync(folder.checkpoints), existsSync(folder.earlierKeys)]).toEqual([false, false])
})
