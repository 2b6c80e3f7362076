import { chmodSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '../../core/support/finding.ts'
import { makeCliFolder, type StartedServer } from '../fixtures/program.ts'
import { runInProcess } from '../fixtures/recording-terminal.ts'

const place = makeCliFolder()
let server: StartedServer
beforeAll(async () => {
  server = await place.start()
})
afterAll(() => place.remove())

const at = (...names: string[]) => join(place.folder, ...names)

async function inspect(
  ...args: string[]
): Promise<{ code: number | null; of(about: string): Finding | undefined }> {
  const { code, stdout } = await runInProcess(['doctor', '--json', ...args], place.folder, place.environment)
  const { findings, ok } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] }
  expect(ok).toBe(code === 0)
  return { code, of: (about) => findings.find((finding) => finding.about === about) }
}

describe('doctor', () => {
  it('finds a sound installation sound, and warns that agents share the user', async () => {
    const { code, stdout } = await place.run(['doctor'])
    expect(code).toBe(0)
    for (const about of ['Node', 'data folder', 'file modes', 'store', 'server', 'disk', 'machine’s clock']) {
      expect(stdout).toMatch(new RegExp(`^ok {4}${about}: `, 'm'))
    }
    expect(stdout).toMatch(/^warn {2}agent’s user: .*approve itself/m)
    expect(stdout).toContain(server.url)
  })

  it('says who can get in', async () => {
    chmodSync(at('.banksman'), 0o755)
    chmodSync(at('.banksman', 'agent-token'), 0o644)
    const { code, of } = await inspect()
    expect(code).toBe(1)
    expect(of('data folder')).toMatchObject({ kind: 'problem', advice: expect.stringContaining('chmod 700') })
    expect(of('file modes')).toMatchObject({
      kind: 'warning',
      detail: expect.stringContaining('agent-token'),
    })
    chmodSync(at('.banksman'), 0o700)
    chmodSync(at('.banksman', 'agent-token'), 0o600)
  })

  it('says whether the configuration holds', async () => {
    writeFileSync(at('banksman.yaml'), 'policy: {}\n')
    expect((await inspect()).of('configuration')).toMatchObject({
      kind: 'warning',
      advice: expect.stringContaining('banksman trust'),
    })
    await runInProcess(['trust', '--yes'], place.folder, place.environment)
    expect((await inspect()).of('configuration')).toMatchObject({
      kind: 'ok',
      detail: expect.stringContaining('is trusted'),
    })
    writeFileSync(at('bad.yaml'), 'policy: [\n')
    const { code, of } = await inspect('--config', 'bad.yaml')
    expect(code).toBe(1)
    expect(of('configuration')).toMatchObject({
      kind: 'problem',
      detail: expect.stringContaining('bad.yaml:'),
    })
    // Once: nothing is wrong with the store.
    for (const about of ['store', 'proxy', 'chats', 'coding sessions'])
      expect(of(about)).toEqual({
        kind: 'warning',
        about,
        detail: 'not checked, because the configuration has a mistake',
      })
  })

  it('looks at the server that runs, and not only at the file: a proxy’s listener needs a new start', async () => {
    writeFileSync(at('banksman.yaml'), 'policy: {}\nproxy: { listen: "127.0.0.1:9" }\n')
    await runInProcess(['trust', '--yes'], place.folder, place.environment)
    const { code, of } = await inspect()
    expect(code).toBe(1)
    expect(of('proxy')).toMatchObject({
      kind: 'problem',
      detail: expect.stringContaining('127.0.0.1:9'),
      advice: expect.stringContaining('restart it'),
    })
    writeFileSync(at('banksman.yaml'), 'policy: {}\nexpiresIn: 5m\n')
    await runInProcess(['trust', '--yes'], place.folder, place.environment)
    expect((await inspect()).of('configuration')).toMatchObject({
      kind: 'warning',
      detail: expect.stringContaining('under expiresIn takes effect when the server is started again'),
    })
    writeFileSync(at('banksman.yaml'), 'policy: {}\n')
    await runInProcess(['trust', '--yes'], place.folder, place.environment)
  })

  it('sees that the clock was set back', async () => {
    const later = new Date(Date.now() + 3_600_000)
    utimesSync(at('.banksman', '.gitignore'), later, later)
    expect((await inspect()).of('machine’s clock')).toMatchObject({
      kind: 'warning',
      detail: expect.stringContaining('set back'),
    })
    utimesSync(at('.banksman', '.gitignore'), new Date(), new Date())
  })

  it('finds a damaged store and a server that is gone, and the rest all the same', async () => {
    await server.stop('SIGTERM')
    const file = at('.banksman', 'banksman.db')
    const bytes = readFileSync(file)
    bytes.fill(0xff, 4096, 4096 * 8)
    writeFileSync(file, bytes)
    const { code, of } = await inspect()
    expect(code).toBe(1)
    expect(of('store')).toMatchObject({ kind: 'problem', detail: expect.stringContaining('damaged') })
    expect(of('server')).toMatchObject({ kind: 'warning', advice: expect.stringContaining('banksman start') })
    expect(of('disk')?.kind).toBe('ok')
  })

  it('changes nothing where there is nothing', async () => {
    const { code, of } = await inspect('--data', 'nowhere')
    expect(code).toBe(0)
    expect(of('data folder')).toMatchObject({ kind: 'warning' })
    expect(of('store')).toBeUndefined()
  })
})
