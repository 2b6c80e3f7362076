import {
  copyFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { inspectStore } from '../../cli/doctor/inspect-store.ts'
import { createClient } from '../../client/index.ts'
import { type Server, type ServerOptions, startServer } from '../start-server.ts'
import { dataFolderAt } from './data-folder.ts'

let folder: string
let server: Server | undefined
const said: string[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'banksman-age-'))
})
afterEach(async () => {
  vi.useRealTimers()
  await server?.close()
  server = undefined
  rmSync(folder, { recursive: true, force: true })
})

async function start(more: Partial<ServerOptions> = {}): Promise<Server> {
  server = await startServer({
    host: '127.0.0.1',
    port: 0,
    data: join(folder, 'data'),
    configuration: join(folder, 'banksman.yaml'),
    environment: { BANKSMAN_HOME: join(folder, 'home'), HOME: folder },
    report: () => {},
    say: (line) => said.push(line),
    ...more,
  })
  return server
}

async function stop(): Promise<void> {
  await server?.close()
  server = undefined
}

const database = () => join(folder, 'data/banksman.db')
const backUp = () => copyFileSync(database(), join(folder, 'backup.db'))
const restore = () => copyFileSync(join(folder, 'backup.db'), database())
const ana = { subject: 'ana', role: 'admin', via: 'test' } as const

/** A request that a person has approved; the agent has not run it yet. */
async function approved(callId: string): Promise<{ id: string; digest: string }> {
  const { gateway } = server!
  const call = { session: 's', callId, tool: 'deploy', arguments: {} }
  const { request } = await gateway.review(call, gateway.self)
  const { id, digest } = request!
  await gateway.decide(id, { decision: 'approve', digest }, server!.self)
  return { id, digest }
}

async function run(callId: string): Promise<string> {
  const { gateway } = server!
  const call = { session: 's', callId, tool: 'deploy', arguments: {} }
  const guarding = gateway.guard(call, () => 'deployed')
  await expect.poll(async () => (await gateway.find(call, server!.self))?.state).toBe('pending')
  const { id, digest } = (await gateway.find(call, server!.self))!
  await gateway.decide(id, { decision: 'approve', digest }, server!.self)
  return (await guarding).kind
}

const OLDER = { code: 'store_older', message: expect.stringContaining('--accept-older-store') }

const storeFindings = () =>
  inspectStore({
    folder: dataFolderAt(join(folder, 'data')),
    configuration: join(folder, 'banksman.yaml'),
    environment: { BANKSMAN_HOME: join(folder, 'home'), HOME: folder },
    cwd: folder,
    tokens: () => Promise.reject(new Error('not asked')),
  })

describe('P4: a store that is older than what this node has acknowledged', () => {
  it('is refused after a backup was restored, and no other start is', async () => {
    await start()
    await stop()
    backUp()
    await start()
    expect(await run('c1')).toBe('ran')
    await stop()
    await start()
    await stop()
    restore()
    await expect(start()).rejects.toMatchObject(OLDER)
    await expect(start()).rejects.toMatchObject(OLDER)
    expect(await storeFindings()).toContainEqual(
      expect.objectContaining({ kind: 'problem', detail: expect.stringContaining('is older') }),
    )
  })

  it.each([
    ['is deleted', () => rmSync(database())],
    ['is emptied', () => truncateSync(database(), 0)],
  ])('is refused when its file %s', async (_, lose) => {
    await start()
    await stop()
    lose()
    for (const side of ['-wal', '-shm']) rmSync(database() + side, { force: true })
    await expect(start()).rejects.toMatchObject(OLDER)
  })

  it('is refused where only the last claim is missing: the mark is on the disk before the claim is given', async () => {
    await start()
    const { id, digest } = await approved('c1')
    const folderAt = () => cpSync(join(folder, 'data'), join(folder, 'seen'), { recursive: true })
    const { gateway } = server!
    backUp()
    copyFileSync(`${database()}-wal`, join(folder, 'backup.db-wal'))
    await gateway.claim(id, { digest, key: 'k'.repeat(20) }, gateway.self)
    folderAt()
    await stop()
    // As after a crash right after the claim was given out, with the store as it was before.
    for (const name of readdirSync(join(folder, 'data')))
      rmSync(join(folder, 'data', name), { recursive: true })
    cpSync(join(folder, 'seen'), join(folder, 'data'), { recursive: true })
    for (const side of ['', '-wal']) copyFileSync(join(folder, `backup.db${side}`), database() + side)
    rmSync(`${database()}-shm`, { force: true })
    await expect(start()).rejects.toMatchObject(OLDER)
  })

  it('with --accept-older-store: all that it allows ends, and is on the record', async () => {
    await start()
    const { gateway } = server!
    const { secret } = await gateway.tokens.create({ role: 'approver', subject: 'ben' }, ana)
    const unclaimed = await approved('c1')
    const running = await approved('c2')
    const { claimId } = await gateway.claim(
      running.id,
      { digest: running.digest, key: 'k'.repeat(20) },
      gateway.self,
    )
    const { request: pending } = await gateway.review(
      { session: 's', callId: 'c3', tool: 'deploy', arguments: {} },
      gateway.self,
    )
    await stop()
    backUp()
    await start()
    expect(await run('c4')).toBe('ran')
    await stop()
    restore()
    await start({ acceptOlderStore: true })
    const after = server!.gateway
    const stateOf = async (id: string) => (await after.get(id, server!.self)).state
    expect(await Promise.all([unclaimed, running, pending!].map(({ id }) => stateOf(id)))).toEqual([
      'cancelled',
      'unknown',
      'cancelled',
    ])
    await expect(after.renew(running.id, claimId, after.self)).rejects.toMatchObject({ code: 'lease_lapsed' })
    const ben = createClient({ url: server!.url, token: secret })
    await expect(ben.me()).rejects.toMatchObject({ status: 401 })
    const agent = createClient({
      url: server!.url,
      token: readFileSync(server!.folder.agentToken, 'utf8').trim(),
    })
    expect(await agent.me()).toMatchObject({ role: 'agent' })
    const chains = await after.history.chains(server!.self)
    const entries = (
      await Promise.all(chains.map(({ chain }) => after.history.entries(chain, 0, 1000, server!.self)))
    ).flat()
    expect(entries.filter(({ type }) => type === 'store.accepted')).toHaveLength(1)
    await stop()
    await start()
  })

  it('is refused where the mark is damaged, and one slot of it may be', async () => {
    await start()
    await stop()
    const marks = join(folder, 'data/marks')
    const file = join(marks, readdirSync(marks)[0]!)
    const whole = readFileSync(file)
    const [first, second] = [whole.subarray(0, 8192), whole.subarray(8192)]
    writeFileSync(file, Buffer.concat([Buffer.alloc(8192, 'x'), second]))
    if (second.length > 0) await start().then(stop)
    writeFileSync(file, Buffer.concat([first, Buffer.alloc(8192, 'x')]))
    await start().then(stop)
    writeFileSync(file, Buffer.alloc(16_384, 'x'))
    await expect(start()).rejects.toMatchObject({ code: 'store_corrupt' })
  })

  it('is refused under another name too', async () => {
    await start()
    await stop()
    backUp()
    await start()
    expect(await run('c1')).toBe('ran')
    await stop()
    const elsewhere = { store: `sqlite:${join(folder, 'backup.db')}` }
    await expect(start(elsewhere)).rejects.toMatchObject(OLDER)
    await start({ ...elsewhere, acceptOlderStore: true })
    await stop()
    await start(elsewhere)
    await stop()
    await start({ store: `sqlite:${join(folder, 'another.db')}` })
  })

  it('is refused where the clock was set back since the last one was accepted', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    await start()
    await stop()
    backUp()
    await start()
    await run('c1')
    await stop()
    restore()
    await start({ acceptOlderStore: true })
    await stop()
    backUp()
    vi.setSystemTime(Date.now() - 3_600_000)
    await start()
    await run('c2')
    await stop()
    restore()
    await expect(start()).rejects.toMatchObject(OLDER)
  })

  it('is found by the other slot where the first write to one was cut off', async () => {
    await start()
    const marks = join(folder, 'data/marks')
    const file = join(marks, readdirSync(marks)[0]!)
    const { gateway } = server!
    const { id, digest } = await approved('c1')
    const opened = readFileSync(file)
    await gateway.claim(id, { digest, key: 'k'.repeat(20) }, gateway.self)
    expect(readFileSync(file).subarray(0, opened.length).equals(opened)).toBe(true)
  })
})
