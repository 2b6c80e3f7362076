/** `banksman connect` and `disconnect` as processes, with a server and a stand-in of the agent's program that says its version. */

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CliFolder, makeCliFolder, type StartedServer } from '../fixtures/program.ts'

let place: CliFolder
let server: StartedServer
let settings: string

const BEFORE = `{
    "permissions": { "deny":   ["Bash(rm *)"] }
}
`

beforeAll(async () => {
  place = makeCliFolder()
  settings = join(place.folder, 'home/.claude/settings.json')
  mkdirSync(dirname(settings))
  mkdirSync(join(place.folder, 'bin'))
  place.environment.PATH = `${join(place.folder, 'bin')}:${place.environment.PATH}`
  server = await place.start()
})
afterAll(() => place.remove())
beforeEach(() => {
  install('2.1.325 (Claude Code)')
  writeFileSync(settings, BEFORE, { mode: 0o640 })
})
afterEach(() => place.run(['disconnect', 'claude-code', '--yes']))

function install(says: string): void {
  const program = join(place.folder, 'bin/claude')
  writeFileSync(program, `#!/bin/sh\necho '${says}'\n`)
  chmodSync(program, 0o755)
}
const read = () => readFileSync(settings, 'utf8')
const connect = (...more: string[]) => place.run(['connect', 'claude-code', '--yes', ...more])
const disconnect = (...more: string[]) => place.run(['disconnect', 'claude-code', '--yes', ...more])
const own = () =>
  ['hooks', 'connections'].flatMap((name) => {
    const folder = join(place.folder, 'home', name)
    return existsSync(folder) ? readdirSync(folder) : []
  })
async function tokens(): Promise<{ subject: string; scope?: string; revokedAt?: string }[]> {
  const { stdout } = await place.run(['tokens', 'list', '--json'])
  const { items } = JSON.parse(stdout)
  return items.filter(
    ({ scope, revokedAt }: { scope?: string; revokedAt?: string }) =>
      scope === 'hooks:claude-code' && revokedAt === undefined,
  )
}

describe('connect', () => {
  it('writes hooks beside what is there, with a token that is good for them only, and proves that they arrive', async () => {
    const { code, stdout, stderr } = await connect()
    expect(code, stderr).toBe(0)
    expect(stdout).toContain('a test event arrived')
    expect(stderr).toContain('Bearer (its own token)')
    expect(read()).toContain('"deny":   [')
    const { hooks } = JSON.parse(read())
    expect(hooks.PreToolUse[0]).toMatchObject({
      matcher: '*',
      hooks: [{ type: 'http', url: `${server.url}/v1/hooks/claude-code`, timeout: 600, onFailure: 'block' }],
    })
    expect(statSync(settings).mode & 0o777).toBe(0o640)
    expect(own()).toEqual(['claude-code', 'claude-code.token', 'claude-code.json'])
    const secret = /Bearer ([^"]+)/.exec(read())![1]!
    expect(stderr + stdout).not.toContain(secret)
    for (const route of ['/v1/requests', '/v1/calls', '/v1/hooks/codex', '/v1/tokens']) {
      const method = route.startsWith('/v1/hooks') ? { method: 'POST', body: '{}' } : {}
      const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
      expect((await fetch(`${server.url}${route}`, { headers, ...method })).status).toBe(403)
    }
    expect(await tokens()).toMatchObject([{ subject: expect.stringMatching(/^claude-code@./) }])
  })

  it('is undone to the byte', async () => {
    await connect()
    expect(await disconnect()).toMatchObject({ code: 0 })
    expect(read()).toBe(BEFORE)
    expect(own()).toEqual([])
    expect(await tokens()).toEqual([])
  })

  it('a file that was not there is gone again', async () => {
    const other = join(place.folder, 'elsewhere')
    mkdirSync(other)
    const environment = { CLAUDE_CONFIG_DIR: other }
    await place.run(['connect', 'claude-code', '--yes'], { environment })
    expect(statSync(join(other, 'settings.json')).mode & 0o777).toBe(0o600)
    await place.run(['disconnect', 'claude-code', '--yes'], { environment })
    expect(readdirSync(other)).toEqual([])
  })

  it('what others have written since stays', async () => {
    await connect()
    writeFileSync(settings, read().replace('"permissions"', '"model": "x",\n  "permissions"'))
    await disconnect()
    expect(read()).toBe(BEFORE.replace('"permissions"', '"model": "x",\n  "permissions"'))
  })

  it('a second time takes the place of the first', async () => {
    await connect()
    const { code, stderr } = await connect('--my-rules-first', '--script')
    expect(code, stderr).toBe(0)
    const { hooks } = JSON.parse(read())
    expect(Object.keys(hooks)).toEqual([
      ...['PermissionRequest', 'PostToolUse', 'Stop', 'SessionEnd'],
      // Versions that can send events themselves know these too.
      ...['PostToolUseFailure', 'PermissionDenied'],
    ])
    expect(hooks.PermissionRequest).toEqual([
      {
        matcher: '*',
        hooks: [
          {
            type: 'command',
            command: expect.stringContaining(`exit 2' '${join(place.folder, 'home/hooks/claude-code')}'`),
            timeout: 600,
            onFailure: 'block',
          },
        ],
      },
    ])
    expect(hooks.Stop[0].hooks[0].command).toMatch(/' after$/)
    expect(await tokens()).toHaveLength(1)
    await disconnect()
    expect(read()).toBe(BEFORE)
  })

  it('follows a link to where the settings are', async () => {
    const real = join(place.folder, 'dotfiles.json')
    writeFileSync(real, BEFORE)
    const other = join(place.folder, 'linked')
    mkdirSync(other)
    symlinkSync(real, join(other, 'settings.json'))
    await place.run(['connect', 'claude-code', '--yes'], { environment: { CLAUDE_CONFIG_DIR: other } })
    expect(readFileSync(real, 'utf8')).toContain('/v1/hooks/claude-code')
    await place.run(['disconnect', 'claude-code', '--yes'], { environment: { CLAUDE_CONFIG_DIR: other } })
    expect(readFileSync(real, 'utf8')).toBe(BEFORE)
  })
})

describe('connect changes nothing', () => {
  it.each([
    [
      'a program that is too old',
      () => install('2.0.5 (Claude Code)'),
      /2\.0\.5 .*can't be relied on before/,
    ],
    ['a program that says no version', () => install('hello'), /doesn't say which version/],
    [
      'settings that are no JSON',
      () => writeFileSync(settings, '{ "hooks": '),
      /settings\.json can't be changed: .*isn't JSON/,
    ],
    [
      'settings with a comment, which Claude Code leaves out as a whole',
      () => writeFileSync(settings, BEFORE.replace('{', '{ // my own')),
      /settings\.json can't be changed: .*leaves out such a file as a whole/,
    ],
    ['hooks that are a list', () => writeFileSync(settings, '{ "hooks": [] }'), /hooks must be an object/],
  ])('for %s', async (_, arrange, words) => {
    arrange()
    const before = read()
    const { code, stderr } = await connect()
    expect(code).toBe(1)
    expect(stderr).toMatch(words)
    expect([read(), own(), await tokens()]).toEqual([before, [], []])
  })

  it('of what Claude Code sends itself where a proxy is set: the hook is the script then', async () => {
    const environment = { HTTPS_PROXY: 'http://proxy.example:3128' }
    const { stderr } = await place.run(['connect', 'claude-code', '--yes'], { environment })
    expect(stderr).toMatch(/HTTPS_PROXY sends its events through a proxy/)
    expect(JSON.parse(read()).hooks.PreToolUse[0].hooks[0]).toMatchObject({ type: 'command' })
    const spared = { ...environment, NO_PROXY: 'localhost,127.0.0.1' }
    await place.run(['connect', 'claude-code', '--yes'], { environment: spared })
    expect(JSON.parse(read()).hooks.PreToolUse[0].hooks[0]).toMatchObject({ type: 'http' })
  })

  it('P5: when the test event does not arrive, and an earlier connection goes on', async () => {
    await connect()
    const before = read()
    const [first] = await tokens()
    // Whatever curl it is, it says yes.
    const curl = join(place.folder, 'bin/curl')
    writeFileSync(curl, "#!/bin/sh\ncat > /dev/null\nprintf '{}\\n200'\n")
    chmodSync(curl, 0o755)
    const { code, stderr } = await connect('--script')
    writeFileSync(curl, '')
    chmodSync(curl, 0o644)
    expect(code).toBe(1)
    expect(stderr).toMatch(/couldn't be proved: .*didn't arrive/)
    expect(read()).toBe(before)
    expect(await tokens()).toEqual([first])
    expect((await place.run(['connect'])).stdout).toMatch(/^ok {4}Claude Code/m)
  })

  it('without a terminal and --yes, for another agent, without a server, and in a way that this version does not know', async () => {
    expect(await place.run(['connect', 'claude-code'])).toMatchObject({ code: 2 })
    install('2.1.200 (Claude Code)')
    expect(await connect('--my-rules-first')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/2\.1\.200 .*can't be relied on for --my-rules-first before 2\.1\.295/),
    })
    const { code, stderr } = await place.run(['connect', 'claude-cod'])
    expect([code, stderr]).toEqual([2, expect.stringMatching(/did you mean claude-code\?/)])
    const none = await connect('--data', join(place.folder, 'none'))
    expect(none).toMatchObject({ code: 1, stderr: expect.stringMatching(/no server is running/) })
    expect(read()).toBe(BEFORE)
  })
})

describe('connect without an agent, and doctor', () => {
  it('lists what is there', async () => {
    const before = await place.run(['connect'])
    expect(before.stdout).toMatch(/^-- {4}Claude Code: 2\.1\.325 is not connected/m)
    await connect()
    const after = await place.run(['connect', '--json'])
    expect(JSON.parse(after.stdout).agents[0]).toMatchObject({ agent: 'claude-code', state: 'works' })
    expect((await place.run(['doctor'])).stdout).toMatch(
      /^ok {4}Claude Code: 2\.1\.325: every call is checked/m,
    )
  })

  it.each([
    [
      'the script was changed',
      () => writeFileSync(join(place.folder, 'home/hooks/claude-code'), '#!/bin/sh\necho {}\n'),
      /not as Banksman wrote it/,
    ],
    [
      'others can read the token',
      () => chmodSync(join(place.folder, 'home/hooks/claude-code.token'), 0o644),
      /others can use/,
    ],
    [
      'an older program took its place',
      () => install('2.1.200 (Claude Code)'),
      /2\.1\.200 makes a call when its hook can't reach/,
    ],
    ['the hooks are gone', () => writeFileSync(settings, BEFORE), /has no hooks of Banksman/],
    [
      'the hooks are switched off',
      () => writeFileSync(settings, read().replace('{', '{ "disableAllHooks": true,')),
      /switches hooks off/,
    ],
    [
      'a comment makes Claude Code leave the file out',
      () => writeFileSync(settings, read().replace('{', '{ // my own')),
      /settings\.json can't be read: .*leaves out such a file as a whole/,
    ],
    [
      'the project sends its events through a proxy',
      () => {
        mkdirSync(join(place.folder, '.claude'), { recursive: true })
        const env = { HTTPS_PROXY: 'http://proxy.example:3128' }
        writeFileSync(join(place.folder, '.claude/settings.json'), JSON.stringify({ env }))
      },
      /\.claude\/settings\.json switches hooks off \(HTTPS_PROXY sends its events/,
    ],
  ])('says that %s', async (_, arrange, words) => {
    await connect()
    arrange()
    const { code, stdout } = await place.run(['connect'])
    expect(stdout).toMatch(words)
    expect(stdout).toMatch(/FAIL {2}Claude Code/)
    expect(code).toBe(1)
    rmSync(join(place.folder, '.claude'), { recursive: true, force: true })
  })

  it('says that others can read the settings with the token in them', async () => {
    const exposed = /others on this machine can read .*settings\.json, and with it the token/
    const { stderr } = await connect()
    expect(stderr).not.toMatch(exposed)
    // So far nobody else could enter the folder above.
    chmodSync(place.folder, 0o755)
    expect((await connect()).stderr).toMatch(exposed)
    for (const command of ['connect', 'doctor']) expect((await place.run([command])).stdout).toMatch(exposed)
    // The script has it elsewhere.
    expect((await connect('--script')).stderr).not.toMatch(exposed)
    await connect()
    chmodSync(settings, 0o600)
    expect((await place.run(['connect'])).stdout).not.toMatch(exposed)
    chmodSync(place.folder, 0o700)
  })

  it('says that it has worked since, and nothing was heard of it', async () => {
    await connect()
    const folder = join(place.folder, 'home/.claude/projects/-srv-shop')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'one.jsonl'), '')
    expect((await place.run(['connect'])).stdout).not.toMatch(/passed unseen/)
    const later = new Date(Date.now() + 3_600_000)
    utimesSync(join(folder, 'one.jsonl'), later, later)
    expect((await place.run(['connect'])).stdout).toMatch(/^warn {2}Claude Code: it has worked at .* unseen/m)
    rmSync(dirname(folder), { recursive: true })
  })

  it('doctor says it too, with the last event and whom the hook believes', async () => {
    await connect()
    const { stdout } = await place.run(['doctor'])
    expect(stdout).toMatch(/^ok {4}Claude Code: .*last event 2/m)
    expect(stdout).toMatch(/Claude Code: it sends its events to http:.* and believes whoever answers there/)
    const folder = join(place.folder, 'home/.claude/projects/-srv-shop')
    mkdirSync(folder, { recursive: true })
    const later = new Date(Date.now() + 3_600_000)
    writeFileSync(join(folder, 'one.jsonl'), '')
    utimesSync(join(folder, 'one.jsonl'), later, later)
    expect((await place.run(['doctor'])).stdout).toMatch(/^warn {2}Claude Code: it has worked at .* unseen/m)
    rmSync(dirname(folder), { recursive: true })
    const [{ id }] = (await tokens()) as unknown as [{ id: string }]
    await place.run(['tokens', 'revoke', id])
    // Whatever server the environment names is another one.
    const environment = { BANKSMAN_URL: 'http://127.0.0.1:1', BANKSMAN_TOKEN: 'x' }
    for (const command of ['doctor', 'connect']) {
      const { code, stdout } = await place.run([command], { environment })
      expect(stdout).toMatch(/^FAIL {2}Claude Code: the server no longer knows its token/m)
      expect(code).toBe(1)
    }
  })

  it('a link of a project to something endless keeps nobody waiting', async () => {
    await connect()
    mkdirSync(join(place.folder, '.claude'))
    symlinkSync('/dev/zero', join(place.folder, '.claude/settings.json'))
    expect((await place.run(['connect'])).stdout).toMatch(/^ok {4}Claude Code/m)
    expect((await place.run(['doctor'])).stdout).toMatch(/^ok {4}Claude Code/m)
    rmSync(join(place.folder, '.claude'), { recursive: true })
  })
})

describe('disconnect', () => {
  it('says that there is nothing to undo', async () => {
    expect(await disconnect()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/claude-code isn't connected: there is nothing to undo$/m),
    })
  })

  it('works without the server, and says that the token is still valid', async () => {
    await connect()
    const { code, stderr } = await disconnect('--data', join(place.folder, 'none'))
    expect(code).toBe(0)
    expect(stderr).toMatch(/token of Claude Code is still valid.*banksman tokens revoke tok_/s)
    expect(read()).toBe(BEFORE)
    for (const { id } of (await tokens()) as unknown as { id: string }[])
      await place.run(['tokens', 'revoke', id])
  })

  it('takes changed entries out too, and says so', async () => {
    await connect()
    writeFileSync(settings, read().replace('"timeout": 600', '"timeout": 30'))
    const { stderr } = await disconnect()
    expect(stderr).toMatch(/were changed after it wrote them/)
    expect(read()).toBe(BEFORE)
  })
})
