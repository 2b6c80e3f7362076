import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../client/index.ts'
import { openLocalCredential } from '../composition/local-credential.ts'
import { type Server, type ServerOptions, startServer } from '../start-server.ts'
import { dataFolderAt, readServerFile } from './data-folder.ts'

let folder: string
let data: string
let server: Server | undefined
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-whose-')))
  data = join(folder, 'project/.banksman')
  mkdirSync(join(folder, 'project'))
})
afterEach(async () => {
  await stop()
  rmSync(folder, { recursive: true, force: true })
})

const environmentOf = (home: string) => ({ BANKSMAN_HOME: join(folder, home), HOME: folder })

async function start(more: Partial<ServerOptions> = {}, home = 'home'): Promise<Server> {
  server = await startServer({
    host: '127.0.0.1',
    port: 0,
    data,
    configuration: join(folder, 'project/banksman.yaml'),
    environment: environmentOf(home),
    report: () => {},
    say: () => {},
    ...more,
  })
  return server
}

async function stop(): Promise<void> {
  await server?.close()
  server = undefined
}

/** A data folder that somebody else has made, with an approver's token. */
async function madeElsewhere(): Promise<string> {
  const { gateway, self } = await start({}, 'theirs')
  const { secret } = await gateway.tokens.create({ role: 'approver', subject: 'mallory' }, self)
  const linked = { service: 'telegram', tenant: 't', account: '7' }
  await gateway.accounts.link(linked, 'owner', self)
  await stop()
  return secret
}

const REFUSED = { code: 'data_folder_refused' }

describe('P11: a data folder', () => {
  it('of this user is used again, after a move of nothing', async () => {
    await start()
    await stop()
    await start()
  })

  it('that a project brought along is refused, and its approver decides nothing once it is adopted', async () => {
    const secret = await madeElsewhere()
    await expect(start()).rejects.toMatchObject({
      ...REFUSED,
      message: expect.stringContaining('--adopt-data'),
    })
    await expect(start()).rejects.toMatchObject(REFUSED)
    const { url, gateway, self } = await start({ adoptData: true })
    await expect(createClient({ url, token: secret }).me()).rejects.toMatchObject({ status: 401 })
    expect(await gateway.accounts.of('telegram')).toEqual([])
    expect((await gateway.grants({}, self)).items.filter(({ revoked }) => revoked === undefined)).toEqual([])
    await stop()
    await start()
  })

  it('that was copied to another place, or over ours, is refused', async () => {
    await start()
    await stop()
    const ours = data
    data = join(folder, 'copy')
    cpSync(ours, data, { recursive: true })
    await expect(start()).rejects.toMatchObject(REFUSED)
    renameSync(ours, `${ours}.old`)
    renameSync(data, ours)
    data = ours
    await expect(start()).rejects.toMatchObject(REFUSED)
  })

  it('gives nobody its key at the command line either', async () => {
    await madeElsewhere()
    writeFileSync(join(data, 'server.json'), JSON.stringify({ url: 'http://127.0.0.1:1', pid: process.pid }))
    writeFileSync(join(data, 'cli-key'), 'bmp_theirs')
    const at = dataFolderAt(data)
    await expect(openLocalCredential(at, readServerFile(at)!, environmentOf('home'))).rejects.toMatchObject(
      REFUSED,
    )
  })

  it.each<[string, () => void]>([
    [
      'is a link',
      () => {
        renameSync(data, `${data}.real`)
        symlinkSync(`${data}.real`, data)
      },
    ],
    ['can be written by others', () => chmodSync(data, 0o777)],
    [
      'holds a link, agent-token',
      () => {
        rmSync(join(data, 'agent-token'))
        symlinkSync(join(folder, 'precious'), join(data, 'agent-token'))
      },
    ],
    [
      'is tracked by git',
      () => {
        const git = (...parameters: string[]) =>
          spawnSync('git', parameters, { cwd: join(folder, 'project') })
        git('init', '-q')
        git('add', '-f', '.banksman')
      },
    ],
    [
      'is not a folder',
      () => {
        rmSync(data, { recursive: true })
        writeFileSync(data, '')
      },
    ],
  ])('that %s is refused, although it is known, and nothing is written', async (why, spoil) => {
    writeFileSync(join(folder, 'precious'), 'precious')
    await start()
    await stop()
    spoil()
    for (const adoptData of [false, true])
      await expect(start({ adoptData })).rejects.toMatchObject({
        ...REFUSED,
        message: expect.stringContaining(why),
      })
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('precious')
  })

  it.runIf(process.getuid?.() === 0)('of another user is refused', async () => {
    await start()
    await stop()
    spawnSync('chown', ['12345', data])
    await expect(start()).rejects.toMatchObject({
      ...REFUSED,
      message: expect.stringContaining('another user'),
    })
  })

  it.each([
    'agent-token',
    'node',
    'server.json',
    'checkpoints.ndjson',
    'store.json',
    'installation',
    'banksman.db',
  ])('that a link named %s was put into before the first start leads nowhere', async (name) => {
    mkdirSync(data, { mode: 0o700 })
    symlinkSync(join(folder, 'precious'), join(data, name))
    await expect(start()).rejects.toMatchObject(REFUSED)
    expect(existsSync(join(folder, 'precious'))).toBe(false)
  })
})
