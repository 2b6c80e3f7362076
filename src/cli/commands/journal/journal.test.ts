import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSigner, generateSigningKey } from '../../../journal/index.ts'
import { agentOf } from '../../fixtures/calling-agent.ts'
import { makeCliFolder, type StartedServer } from '../../fixtures/program.ts'
import { runInProcess } from '../../fixtures/recording-terminal.ts'

const place = makeCliFolder()
const at = (...names: string[]) => join(place.folder, ...names)
const run = (...args: string[]) => runInProcess(['journal', ...args], place.folder, place.environment)
let live: StartedServer

beforeAll(async () => {
  const server = await place.start()
  const agent = agentOf(server)
  for (let count = 0; count < 3; count++) await agent.ask()
  await server.stop()
  // As somebody would who keeps them elsewhere.
  copyFileSync(at('.banksman', 'checkpoints.ndjson'), at('kept.ndjson'))
  writeFileSync(
    at('public.pem'),
    createSigner(readFileSync(at('.banksman', 'journal-key.pem'), 'utf8')).publicKey,
  )
  const { stdout } = await place.run(['journal', 'export'])
  writeFileSync(at('journal.ndjson'), stdout)
})
afterAll(() => place.remove())

describe('journal verify, without a server', () => {
  it('P10: finds nothing wrong with what was written, and says how much that is worth', async () => {
    const { code, stdout, stderr } = await place.run(['journal', 'verify'])
    expect(code).toBe(0)
    expect(stdout).toContain('proven by a signed checkpoint')
    expect(stdout).toContain('No problem found')
    expect(stderr).toContain('beside the journal that they prove')
    expect(JSON.parse((await run('verify', '--json')).stdout)).toMatchObject({ ok: true, requests: 3 })
  })

  it('P10: verifies an export anywhere, with checkpoints that were kept elsewhere', async () => {
    const { code, stdout } = await run(
      'verify',
      '--export',
      'journal.ndjson',
      '--checkpoints',
      'kept.ndjson',
      '--key',
      'public.pem',
    )
    expect(code).toBe(0)
    expect(stdout).toContain('proven by a signed checkpoint')
    const alone = await run('verify', '--export', 'journal.ndjson')
    expect(alone.stdout).toContain('this is no proof')
    const piped = await place.run(['journal', 'verify', '--export', '-'], {
      input: readFileSync(at('journal.ndjson'), 'utf8'),
    })
    expect(piped.code).toBe(0)
  })

  it.each([
    ['edited', (lines: string[]) => lines.map((line) => line.replace('notes.txt', 'other.txt'))],
    ['removed', (lines: string[]) => lines.toSpliced(3, 1)],
    ['cut off', (lines: string[]) => lines.slice(0, -2)],
    ['moved', (lines: string[]) => [lines[0]!, lines[2]!, lines[1]!, ...lines.slice(3)]],
  ])('P10: an entry that was %s shows, and ends with 1', async (name, change) => {
    const lines = readFileSync(at('journal.ndjson'), 'utf8').trimEnd().split('\n')
    writeFileSync(at(`${name}.ndjson`), change(lines).join('\n'))
    const { code, stdout } = await run(
      'verify',
      '--export',
      `${name}.ndjson`,
      '--checkpoints',
      'kept.ndjson',
      '--key',
      'public.pem',
    )
    expect(code).toBe(1)
    expect(stdout).toContain('this is not the journal as it was written')
  })

  it('P10: a change in the store itself shows', async () => {
    mkdirSync(at('tampered'), { mode: 0o700 })
    for (const name of ['banksman.db', 'checkpoints.ndjson', 'journal-key.pem'])
      copyFileSync(at('.banksman', name), at('tampered', name))
    const database = new DatabaseSync(at('tampered', 'banksman.db'))
    database.exec(
      `UPDATE journal SET body = replace(body, 'notes.txt', 'other.txt') WHERE type = 'request.opened'`,
    )
    database.close()
    const { code, stdout } = await run('verify', '--data', 'tampered')
    expect(code).toBe(1)
    expect(stdout).toMatch(/! (changed|checkpoint_mismatch)/)
  })

  it('P10: checkpoints of another key prove nothing, and that is a problem', async () => {
    writeFileSync(at('other.pem'), generateSigningKey().publicKey)
    const { code, stdout } = await run(
      'verify',
      '--export',
      'journal.ndjson',
      '--checkpoints',
      'kept.ndjson',
      '--key',
      'other.pem',
    )
    expect(code).toBe(1)
    expect(stdout).toContain('unknown_key')
  })

  it.each([
    [['--export', 'missing.ndjson'], 'there is no'],
    [['--export', 'public.pem'], 'export, line 1'],
    [
      ['--export', 'journal.ndjson', '--checkpoints', 'public.pem', '--key', 'public.pem'],
      'checkpoints, line 1',
    ],
    [
      ['--export', 'journal.ndjson', '--checkpoints', 'kept.ndjson', '--key', 'kept.ndjson'],
      'that is no public key',
    ],
    [
      ['--export', 'journal.ndjson', '--checkpoints', 'kept.ndjson', '--key', '.banksman/journal-key.pem'],
      'private key',
    ],
    [['--data', 'nowhere'], 'there is no Banksman data'],
  ])('%j ends with 1', async (args, message) => {
    const { code, stderr } = await run('verify', ...args)
    expect(code).toBe(1)
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('    at ')
  })
})

describe('with a server', () => {
  beforeAll(async () => {
    live = await place.start()
    await runInProcess(['tokens', 'list'], place.folder, place.environment)
  })

  it('the store can be read beside it', async () => {
    expect((await run('verify')).code).toBe(0)
  })

  it('the server can be asked, or made to hand over what is verified here', async () => {
    const asked = await run('verify', '--url', live.url)
    expect(asked).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("the server's own report"),
    })
    const here = await run('verify', '--url', live.url, '--checkpoints', 'kept.ndjson', '--key', 'public.pem')
    expect(here).toMatchObject({ code: 0, stdout: expect.stringContaining('proven by a signed checkpoint') })
  })

  it('an export over the wire is the same as one from the store', async () => {
    const [wire, store] = [
      await place.run(['journal', 'export', '--url', live.url]),
      await place.run(['journal', 'export']),
    ]
    expect(wire).toEqual(store)
    expect(wire.stdout.split('\n').length).toBeGreaterThan(10)
  })
})
