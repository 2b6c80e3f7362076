import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Agent, agentOf } from '../fixtures/calling-agent.ts'
import { makeCliFolder, type StartedServer } from '../fixtures/program.ts'
import { runInProcess } from '../fixtures/recording-terminal.ts'

const place = makeCliFolder()
let server: StartedServer
let agent: Agent
beforeAll(async () => {
  server = await place.start()
  agent = agentOf(server)
})
afterAll(() => place.remove())

const at = (...names: string[]) => join(place.folder, ...names)
const run = (...args: string[]) => runInProcess(['backup', ...args], place.folder, place.environment)

describe('backup', () => {
  it('P7: copies a store that is being written, and the copy is a store again', async () => {
    const request = await agent.ask()
    let isWriting = true
    const writing = (async () => {
      for (let count = 0; isWriting; count++)
        await agent.client.submit({
          tool: 'x',
          arguments: { count },
          callId: `w${count}`,
          session: `s${count % 50}`,
        })
    })()
    const { code, stdout } = await place.run(['backup', 'copy.db', '--json'])
    isWriting = false
    await writing
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ file: at('copy.db'), entries: expect.any(Number) })
    expect(statSync(at('copy.db')).mode & 0o777).toBe(0o600)
    expect(readdirSync(place.folder).filter((name) => name.startsWith('copy.db'))).toEqual(['copy.db'])

    const first = await place.start(['--data', 'restored'])
    await first.stop()
    copyFileSync(at('copy.db'), at('restored', 'banksman.db'))
    for (const side of ['-wal', '-shm']) rmSync(at('restored', `banksman.db${side}`), { force: true })
    const refused = await place.run(['start', '--port', '0', '--data', 'restored'])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--accept-older-store') })
    const restored = await place.start(['--data', 'restored', '--accept-older-store'])
    const { stdout: shown } = await place.run(['requests', 'show', request.id, '--data', 'restored'])
    expect(shown).toContain(request.digest)
    expect(shown).toMatch(/older/)
    await restored.stop()
  })

  it('never writes over another file', async () => {
    writeFileSync(at('precious'), 'precious')
    const { code, stderr } = await run('precious')
    expect(code).toBe(1)
    expect(stderr).toContain('is never written over another file')
    expect(readFileSync(at('precious'), 'utf8')).toBe('precious')
  })

  it.each([
    [['nowhere/copy.db'], 'there is no'],
    [['copy-of-nothing.db', '--data', 'nothing'], 'there is no Banksman data'],
  ])('%j ends with 1 and leaves nothing behind', async (args, message) => {
    const { code, stderr } = await run(...args)
    expect(code).toBe(1)
    expect(stderr).toContain(message)
    expect(existsSync(at(args[0]!))).toBe(false)
    expect(existsSync(at('nothing'))).toBe(false)
  })

  it('P10: a store whose journal does not verify gives no backup', async () => {
    mkdirSync(at('tampered'), { mode: 0o700 })
    rmSync(at('honest.db'), { force: true })
    await run('honest.db')
    copyFileSync(at('honest.db'), at('tampered', 'banksman.db'))
    const database = new DatabaseSync(at('tampered', 'banksman.db'))
    database.exec(`DELETE FROM journal WHERE n = 3`)
    database.close()
    const { code, stderr } = await run('bad.db', '--data', 'tampered')
    expect(code).toBe(1)
    expect(stderr).toContain('does not verify')
    expect(readdirSync(place.folder).filter((name) => name.startsWith('bad.db'))).toEqual([])
  })

  it('a damaged store gives no backup', async () => {
    mkdirSync(at('damaged'), { mode: 0o700 })
    const bytes = readFileSync(at('honest.db'))
    bytes.fill(0xff, 4096 * 2, 4096 * 6)
    writeFileSync(at('damaged', 'banksman.db'), bytes)
    const { code } = await run('from-damaged.db', '--data', 'damaged')
    expect(code).toBe(1)
    expect(existsSync(at('from-damaged.db'))).toBe(false)
  })
})
