/** `banksman connect` where it writes nothing, and what it has written as the policy sees it. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CliFolder, makeCliFolder, PROGRAM_WORDS, type StartedServer } from '../fixtures/program.ts'

let place: CliFolder
let server: StartedServer
beforeAll(async () => {
  place = makeCliFolder()
  mkdirSync(join(place.folder, 'bin'))
  const { execPath } = process
  install('claude', "echo '2.1.325 (Claude Code)'")
  install('banksman', `exec '${execPath}' ${PROGRAM_WORDS.map((word) => `'${word}'`).join(' ')} "$@"`)
  place.environment.PATH = `${join(place.folder, 'bin')}:${place.environment.PATH}`
  server = await place.start()
})
afterAll(() => place.remove())

function install(name: string, does: string): void {
  const program = join(place.folder, 'bin', name)
  writeFileSync(program, `#!/bin/sh\n${does}\n`)
  chmodSync(program, 0o755)
}
const written = () =>
  ['hooks', 'connections', '.claude', '.codex'].filter((name) => existsSync(join(place.folder, 'home', name)))

describe('--print', () => {
  it('shows entries that run banksman hook, writes nothing, and needs neither agent nor server', async () => {
    const environment = { BANKSMAN_DATA: join(place.folder, 'none'), PATH: '/nowhere' }
    const { execPath } = process
    const program = PROGRAM_WORDS.at(-1)
    for (const [agent, file] of [
      ['claude-code', '.claude/settings.json'],
      ['codex', '.codex/hooks.json'],
    ]) {
      const { code, stdout, stderr } = await place.run(['connect', agent!, '--print', '--json'], {
        environment,
      })
      expect(code, stderr).toBe(0)
      const { files, token } = JSON.parse(stdout)
      expect(files[0].path).toBe(join(place.folder, 'home', file!))
      const { hooks } = JSON.parse(files[0].text)
      // There is no `banksman` in this PATH, as there is none with npx.
      const own = `${execPath} ${program}`
      expect(hooks.PreToolUse[0].hooks[0].command).toContain(`${own} hook ${agent} --data`)
      expect(hooks.Stop[0].hooks[0].command).toContain(`${own} hook ${agent} --data`)
      expect(token).toContain(`${own} tokens create`)
      expect(token).toContain(`--scope hooks:${agent}`)
    }
    expect(written()).toEqual([])
    const shown = await place.run(['connect', 'opencode', '--print'])
    expect(shown.stdout).toContain("Banksman's plugin for opencode")
  })

  it('prints what can be put into a file as it is: a line of the file is a line', async () => {
    for (const agent of ['claude-code', 'codex']) {
      const { stdout } = await place.run(['connect', agent, '--print'])
      const { files } = JSON.parse((await place.run(['connect', agent, '--print', '--json'])).stdout)
      for (const { path, text } of files) expect(stdout).toContain(`--- ${path}\n${text.trimEnd()}\n`)
      expect(stdout).toContain(`banksman hook ${agent} --data`)
    }
  })

  it('says why the commands name a path where banksman is not in PATH', async () => {
    const environment = { PATH: '/nowhere' }
    const { stderr } = await place.run(['connect', 'codex', '--print'], { environment })
    expect(stderr).toMatch(/no `banksman` in PATH, so the commands name .*banksman\.js/)
    expect((await place.run(['connect', 'codex', '--print'])).stderr).not.toContain('in PATH')
  })

  it('what it shows works, and fails closed where banksman is not found', async () => {
    const { stdout } = await place.run(['connect', 'claude-code', '--print', '--json'])
    const { files, token } = JSON.parse(stdout)
    const made = sh(token, '', place.environment.PATH!)
    expect(made.status, made.stderr).toBe(0)
    const { hooks } = JSON.parse(files[0].text)
    const run = (event: string, hook: object, PATH = place.environment.PATH!) =>
      sh(hooks[event][0].hooks[0].command, JSON.stringify(hook), PATH)
    const over = { hook_event_name: 'SessionEnd', session_id: 's', reason: 'other' }
    expect(run('SessionEnd', over)).toMatchObject({ status: 0, stdout: '{}\n' })
    expect(run('PreToolUse', over)).toMatchObject({ status: 0, stdout: '{}\n' })
    expect(run('PreToolUse', { nonsense: 1 })).toMatchObject({
      status: 2,
      stdout: '',
    })
    const none = run('PreToolUse', over, '/nowhere')
    expect([none.status, none.stdout]).toEqual([2, ''])
    expect(none.stderr).toContain('Banksman: not allowed')
    rmSync(join(place.folder, 'home/hooks'), { recursive: true })
  })

  it('goes with no MCP servers', async () => {
    expect(await place.run(['connect', 'claude-code', '--mcp', '--print'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--dry-run/),
    })
  })
})

it('P11: what connect has written can’t be written by a call, also at a server that was started before', async () => {
  const other = join(place.folder, 'settings-of-ana')
  const environment = { CLAUDE_CONFIG_DIR: other }
  const { code, stderr } = await place.run(['connect', 'claude-code', '--yes'], { environment })
  expect(code, stderr).toBe(0)
  const token = /Bearer (\S+)/.exec(
    readFileSync(join(place.folder, 'home/hooks/claude-code.token'), 'utf8'),
  )![1]
  const ask = async (id: string, file_path: string) => {
    const response = await fetch(`${server.url}/v1/hooks/claude-code?hold=0`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        hook_event_name: 'PreToolUse',
        session_id: 's',
        tool_name: 'Write',
        tool_use_id: id,
        tool_input: { file_path, content: 'x' },
        cwd: place.folder,
      }),
    })
    return JSON.stringify(await response.json())
  }
  const kept = /takes its (hooks|plugins) from there/
  for (const name of ['settings.json', 'settings.local.json', 'plugins/x.json'])
    expect(await ask(name, join(other, name))).toMatch(kept)
  expect(await ask('notes', join(other, 'notes.md'))).not.toMatch(kept)
  await place.run(['disconnect', 'claude-code', '--yes'])
  expect(readdirSync(place.folder)).not.toContain('settings-of-ana')
})

function sh(line: string, input: string, PATH: string) {
  const env = { ...place.environment, PATH }
  return spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8', input, cwd: place.folder, env })
}
