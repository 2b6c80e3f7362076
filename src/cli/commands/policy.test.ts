import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePlace } from '../fixtures/program.ts'
import { runInProcess } from '../fixtures/recording-terminal.ts'

const place = makePlace()
afterAll(() => place.remove())
const run = (...args: string[]) => runInProcess(args, place.folder, place.environment)
const write = (name: string, text: string | Buffer) => writeFileSync(join(place.folder, name), text)

beforeAll(() => {
  write('banksman.yaml', 'policy:\n  deny: ["*_production"]\n  allow: [read_file]\n')
})

describe('policy check', () => {
  it('says that a right file is right, in a real process', async () => {
    expect(await place.run(['policy', 'check'])).toEqual({
      code: 0,
      stdout: `${join(place.folder, 'banksman.yaml')}: no mistakes\n`,
      stderr: '',
    })
  })

  it('tells what is probably not meant', async () => {
    write('lax.yaml', 'policy:\n  mode: bypass\n  deny: [x]\n  allow: [x, "a?b"]\n')
    const { code, stdout, stderr } = await run('policy', 'check', 'lax.yaml')
    expect({ code, isCounted: stdout.includes('3 to look at') }).toEqual({ code: 0, isCounted: true })
    expect(stderr).toContain('warning: mode: bypass allows every tool')
  })

  it.each([
    ['bad-yaml', 'policy: [', ':1:10:'],
    ['bad-key', 'policy:\n  allow: []\n  denny: [x]\n', ':3:3:'],
    ['bad-mode', 'owner: ana\npolicy:\n  mode: bypas\n', ':3:'],
    ['top-key', 'polici:\n  allow: []\n', ':1:1:'],
    ['twice', 'policy: {}\npolicy: {}\n', ':2:1:'],
  ])('P5: a mistake is told with its place and ends with 1 (%s)', async (name, text, place) => {
    write(`${name}.yaml`, text)
    const { code, stdout, stderr } = await run('policy', 'check', `${name}.yaml`)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`${name}.yaml${place}`)
    const json = await run('policy', 'check', `${name}.yaml`, '--json')
    expect(json.code).toBe(1)
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      error: { line: expect.any(Number), column: expect.any(Number) },
    })
  })

  it.each([
    ['missing.yaml', 'there is no'],
    ['a-folder', 'is a folder'],
    ['not-text.yaml', 'not UTF-8'],
  ])('%s ends with 1', async (name, message) => {
    mkdirSync(join(place.folder, 'a-folder'), { recursive: true })
    write('not-text.yaml', Buffer.from([0x70, 0xff, 0xfe]))
    const { code, stderr } = await run('policy', 'check', name)
    expect(code).toBe(1)
    expect(stderr).toContain(message)
  })
})

describe('policy explain', () => {
  it.each([
    [['read_file'], 'allow'],
    [['drop_production'], 'deny'],
    [['Bash', '--command', 'git status'], 'ask'],
  ])('%j', async (args, verdict) => {
    const { code, stdout } = await run('policy', 'explain', ...args)
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^${verdict}: `))
    const json = await run('policy', 'explain', ...args, '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({ kind: verdict, because: expect.any(String) })
  })

  it.each([
    ['the configuration', { path: 'open.yaml' }],
    ['the data folder', { path: '.banksman/agent-token' }],
    ['the server', { url: 'http://localhost:4790/v1/tokens' }],
    ['the program', { command: 'banksman requests approve x --yes' }],
  ])('P11: no policy lets a call touch %s', async (_, args) => {
    write('open.yaml', 'policy:\n  mode: bypass\n  allow: ["*"]\n')
    const explain = (value: object) =>
      run(
        'policy',
        'explain',
        'anything',
        '--arguments',
        JSON.stringify(value),
        '--file',
        'open.yaml',
        '--json',
      )
    expect(JSON.parse((await explain(args)).stdout).kind).toBe('deny')
    expect(JSON.parse((await explain({ path: 'notes.txt' })).stdout).kind).toBe('allow')
  })

  it('without a file everything is asked; with one that is named and not there it fails', async () => {
    const { code, stdout, stderr } = await runInProcess(
      ['policy', 'explain', 'read_file'],
      join(place.folder, 'home'),
      place.environment,
    )
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ask: /)
    expect(stderr).toContain('without one, everything is asked')
    expect((await run('policy', 'explain', 'read_file', '--file', 'nowhere.yaml')).code).toBe(1)
  })

  it('P9: a tool’s name can’t control the terminal', async () => {
    const { stdout } = await run('policy', 'explain', 'x\u202ey', '--arguments', '{}')
    expect(stdout).not.toContain('\u202e')
  })
})
