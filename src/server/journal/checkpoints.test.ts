import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { createChainWriter, parseCheckpointFile } from '../../journal/index.ts'
import { startCheckpoints } from './checkpoints.ts'

const folder = mkdtempSync(join(tmpdir(), 'banksman-checkpoints-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('P10: a chain that takes another one’s place has checkpoints of its own, from its first entry on', () => {
  const chain = createChainWriter('main')
  const file = join(folder, 'checkpoints')
  const faults: unknown[] = []
  const checkpoints = startCheckpoints({
    chain,
    keyFile: join(folder, 'key'),
    files: () => [file],
    now: () => 1,
    report: (fault) => faults.push(fault),
  })
  chain.draft('session.mode', 1, {}).committed(1)
  checkpoints.write()
  checkpoints.write()
  const next = chain.next()
  next.draft('chain.opened', 2, { after: [] }).committed(1)
  next.begin()
  checkpoints.write()
  checkpoints.close()
  const { checkpoints: written } = parseCheckpointFile(readFileSync(file, 'utf8'))
  expect(written.map(({ chain: name, n }) => [name, n])).toEqual([
    ['main', 1],
    ['main.2', 1],
  ])
  expect(faults).toEqual([])
})
