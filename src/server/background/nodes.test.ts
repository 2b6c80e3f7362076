import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { openMemoryStore } from '../../stores/memory/store.ts'
import type { Store } from '../../stores/store.ts'
import { openDataFolder } from '../installation/data-folder.ts'
import {
  describeSkew,
  describeTwins,
  joinNodes,
  listNodes,
  type NodeNote,
  nodeIdOf,
  nodesToWire,
  replaceRun,
} from './nodes.ts'

const home = mkdtempSync(join(tmpdir(), 'banksman-nodes-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

let store: Store
let now: number
let said: string[]
beforeEach(() => {
  now = 1_000_000
  store = openMemoryStore({ now: () => now })
  said = []
})

const joinAs = (id: string, note: Partial<NodeNote> = {}, run = `run-of-${id}`, lastRun?: string) =>
  joinNodes({
    lastRun,
    leases: store.leases,
    id,
    run,
    nodeFile: `/data/${run}/node`,
    note: () => ({
      url: `http://127.0.0.1:1/${id}`,
      version: '1',
      policyVersion: 'p',
      owner: 'ana',
      startedAt: 5,
      ...note,
    }),
    isShared: true,
    report: ({ error }) => {
      throw error
    },
    say: (line) => said.push(line),
  })

const names = async () => (await listNodes(store.leases)).map(({ id }) => id)

describe('the nodes on a store', () => {
  it('are those that have not ended, and one that leaves is gone at once', async () => {
    const [a, b] = [await joinAs('nod_a'), await joinAs('nod_b')]
    expect(await names()).toEqual(['nod_a', 'nod_b'])
    await b.close()
    expect(await names()).toEqual(['nod_a'])
    // One that was killed says nothing more.
    now += 30_000
    expect(await names()).toEqual([])
    await a.renew()
    expect(await a.live()).toMatchObject([{ id: 'nod_a', until: now + 30_000 }])
    await a.close()
  })

  it('one that comes back after it was killed is the same node', async () => {
    const killed = await joinAs('nod_a', { startedAt: now, version: '1' }, 'first')
    expect(said).toEqual([])
    now += 5000
    const again = await joinAs('nod_a', { startedAt: now, version: '2' }, 'second')
    expect((await again.live()).map(({ id, run }) => [id, run])).toEqual([
      ['nod_a', 'first'],
      ['nod_a', 'second'],
    ])
    // It may be a copy: that is said, and nothing is refused.
    expect(said).toEqual([expect.stringMatching(/same name nod_a.*killed less than 30 s ago.*second\/node/)])
    await again.renew()
    expect(said).toHaveLength(1)
    now += 25_000
    await again.renew()
    expect(await again.live()).toMatchObject([{ id: 'nod_a', run: 'second' }])
    expect(said).toHaveLength(1)
    await again.close()
    await killed.close()
  })

  it('two that run under one name, from a copied folder, are both seen, and both say so', async () => {
    const a = await joinAs('nod_a', { startedAt: now }, 'original')
    now += 5000
    const copy = await joinAs('nod_a', { startedAt: now }, 'copy')
    expect(describeTwins(await a.live())).toMatchObject([{ isCertain: false }])
    now += 5000
    said.length = 0
    await a.renew()
    await copy.renew()
    const certain = expect.stringMatching(/^2 servers run under the one name nod_a.*delete the file `node`/)
    expect(said).toEqual([certain, certain])
    expect([said[0], said[1]]).toEqual([
      expect.stringContaining('/data/original/node'),
      expect.stringContaining('/data/copy/node'),
    ])
    expect(nodesToWire(await a.live(), 'copy').map(({ self }) => self)).toEqual([true, false])
    // The one that leaves does not take the other with it.
    await copy.close()
    expect(await a.live()).toMatchObject([{ run: 'original' }])
    expect(describeTwins(await a.live())).toEqual([])
    await a.close()
  })

  it('a task is done by one of them, and by another when that one is gone', async () => {
    const [a, b] = [await joinAs('nod_a'), await joinAs('nod_b')]
    const done: string[] = []
    const both = async () => {
      await a.asOnlyOne('sweep', 1000, async () => void done.push('a'))
      await b.asOnlyOne('sweep', 1000, async () => void done.push('b'))
    }
    await both()
    await both()
    expect(done).toEqual(['a', 'a'])
    await a.close()
    await b.asOnlyOne('sweep', 1000, async () => void done.push('b'))
    expect(done).toEqual(['a', 'a', 'b'])
    await b.close()
  })

  it('tell once where they differ, by name', async () => {
    const a = await joinAs('nod_a')
    expect(said).toEqual([])
    const b = await joinAs('nod_b', { version: '2', policyVersion: 'q', owner: 'ben' })
    expect(said).toHaveLength(1)
    expect(said[0]).toMatch(
      /different versions.*1 on nod_a.*2 on nod_b.*different policies.*different owners/,
    )
    await b.renew()
    expect(said).toHaveLength(1)
    expect(describeSkew(await a.live()).map(({ advice }) => advice)).toEqual([
      expect.stringContaining('same version'),
      expect.stringContaining('same banksman.yaml'),
      expect.stringContaining('owner: into every banksman.yaml'),
    ])
    await b.close()
    expect(describeSkew(await a.live())).toEqual([])
    await a.close()
  })

  it('a lease with another note is no node', async () => {
    await store.leases.take({ name: 'node/x', holder: 'x', leaseMs: 1000, note: { url: 7 } })
    expect(await names()).toEqual([])
  })

  it('are told people with times that they can read', async () => {
    const a = await joinAs('nod_a')
    expect(nodesToWire(await a.live(), 'run-of-nod_a')).toEqual([
      expect.objectContaining({ id: 'nod_a', self: true, startedAt: '1970-01-01T00:00:00.005Z' }),
    ])
    await a.close()
  })
})

it('a run that was killed is no other server to the next one of its folder; one that lives in a copy is seen again', async () => {
  const folder = openDataFolder(join(home, 'runs'))
  const id = nodeIdOf(folder, () => 'nod_0123456789')
  expect(replaceRun(folder, id, 'run-1')).toBeUndefined()
  const first = await joinAs(id, {}, 'run-1')
  expect(nodeIdOf(folder, () => 'nod_other_____')).toBe(id)
  const lastRun = replaceRun(folder, id, 'run-2')
  expect(lastRun).toBe('run-1')
  const next = await joinAs(id, { startedAt: 6 }, 'run-2', lastRun)
  expect(said).toEqual([])
  expect((await next.live()).map(({ run }) => run)).toEqual(['run-2'])
  await first.renew()
  await next.renew()
  expect(said).toEqual([1, 2].map(() => expect.stringContaining("is a copy of another's")))
  await first.close()
  await next.close()
})

it('the name of a node is kept in its data folder, and one that is no name is made anew', () => {
  const folder = openDataFolder(join(home, 'data'))
  expect(nodeIdOf(folder, () => 'nod_0123456789')).toBe('nod_0123456789')
  expect(nodeIdOf(folder, () => 'nod_other_____')).toBe('nod_0123456789')
  writeFileSync(folder.nodeFile, 'node/../x\n')
  expect(nodeIdOf(folder, () => 'nod_9876543210')).toBe('nod_9876543210')
})
