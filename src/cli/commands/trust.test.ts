import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { AT_NEXT_START } from '../../server/configuration/configuration-changes.ts'
import { type CliFolder, makeCliFolder } from '../fixtures/program.ts'
import { runInProcess } from '../fixtures/recording-terminal.ts'

const places: CliFolder[] = []
afterAll(async () => {
  for (const place of places) await place.remove()
})

function setUp() {
  const place = makeCliFolder()
  places.push(place)
  const file = join(place.folder, 'banksman.yaml')
  return {
    place,
    file,
    write: (text: string) => writeFileSync(file, text),
    run: (...args: string[]) => runInProcess(['trust', ...args], place.folder, place.environment),
  }
}

describe('trust', () => {
  it('shows the whole file the first time, and only what changed afterwards', async () => {
    const { write, run } = setUp()
    write('policy:\n  allow: [one]\n  deny: [two]\n  ask: [three]\nowner: ana\nretention: 30d\n')
    const first = await run('--yes')
    expect(first.code).toBe(0)
    expect(first.stderr).toContain('was never trusted')
    expect(first.stderr).toContain('  │ 1 policy:')
    expect(first.stderr).toContain('  │ 6 retention: 30d')
    expect(first.stdout).toMatch(/digest [0-9a-f]{64}/)

    write('policy:\n  allow: [one, everything]\n  deny: [two]\n  ask: [three]\nowner: ana\nretention: 30d\n')
    const second = await run('--yes')
    expect(second.stderr).toContain('has changed since')
    expect(second.stderr).toContain('-   allow: [one]')
    expect(second.stderr).toContain('+   allow: [one, everything]')
    expect(second.stderr).not.toContain('retention')

    expect((await run()).stdout).toContain('is already trusted')
  })

  it('says what needs the server to be started again, and its help lists all of that', async () => {
    const { write, run } = setUp()
    write('policy: {}\n')
    expect((await run('--yes')).stdout).not.toContain('started again')
    write('policy: {}\nexpiresIn: 5m\nproxy: { listen: "127.0.0.1:4791" }\n')
    expect((await run('--yes')).stdout).toContain(
      'what has changed under proxy.listen, expiresIn takes effect when the server is started again',
    )
    const help = (await run('--help')).stdout.replaceAll(/\s+/g, ' ')
    for (const name of AT_NEXT_START) expect(help).toContain(name)
  })

  it('P11: trusts nothing where nobody can be asked', async () => {
    const { write, run, place } = setUp()
    write('policy: { mode: bypass }\n')
    const { code, stderr } = await run()
    expect(code).toBe(2)
    expect(stderr).toContain('this needs a terminal')
    expect(readdirSync(join(place.folder, 'home'))).toEqual([])
  })

  it('P5: a file with a mistake is refused, and what was trusted goes on holding', async () => {
    const { write, run, place } = setUp()
    write('policy: { deny: [x] }\n')
    await run('--yes')
    const record = () => {
      const folder = join(place.folder, 'home', 'trusted')
      return readFileSync(join(folder, readdirSync(folder)[0]!), 'utf8')
    }
    const before = record()
    write('policy: { denny: [x] }\n')
    const { code, stderr } = await run('--yes')
    expect(code).toBe(1)
    expect(stderr).toContain('banksman.yaml:1:11:')
    expect(record()).toBe(before)
  })

  it('keeps its word outside the workspace, readable for its owner alone', async () => {
    const { write, run, place } = setUp()
    write('policy: {}\n')
    await run('--yes')
    const folder = join(place.folder, 'home', 'trusted')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  })

  it('P9: what is hidden in the file is shown', async () => {
    const { write, run } = setUp()
    write('policy: {}\n# \u202eharmless\u001b[2J\n')
    const { stderr } = await run('--yes')
    expect(stderr).toContain('⟨U+202E RLO⟩harmless⟨ESC⟩')
    expect(stderr).not.toMatch(/[\u001b\u202e]/)
  })

  it('says what it did in JSON', async () => {
    const { write, run, file } = setUp()
    write('policy: {}\n')
    const { stdout } = await run('--yes', '--json')
    expect(JSON.parse(stdout)).toEqual({
      file,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      changed: true,
    })
  })
})
