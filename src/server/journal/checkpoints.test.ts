import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createChainWriter, parseCheckpointFile } from '../../journal/index.ts'
import { startCheckpoints } from './checkpoints.ts'

const folder = mkdtempSync(join(tmpdir(), 'banksman-checkpoints-'))
beforeEach(() => mkdirSync(folder, { recursive: true }))
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

it('P10: a line that a crash has cut off spoils no later one', () => {
  const chain = createChainWriter('main')
  const file = join(folder, 'checkpoints')
  const begin = () =>
    startCheckpoints({
      chain,
      keyFile: join(folder, 'key'),
      files: () => [file],
      now: () => 1,
      report: () => {},
    })
  chain.draft('session.mode', 1, {}).committed(1)
  begin().close()
  const whole = readFileSync(file, 'utf8')
  for (let end = 1; end < whole.length - 1; end += 7) {
    writeFileSync(file, whole.slice(0, end))
    begin().close()
    const { checkpoints, damaged } = parseCheckpointFile(readFileSync(file, 'utf8'))
    expect([checkpoints.length, damaged.length]).toEqual([1, 1])
  }
})
