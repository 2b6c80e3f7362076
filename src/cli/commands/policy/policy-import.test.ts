import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfiguration } from '../../../server/configuration/configuration.ts'
import { makeCliFolder } from '../../fixtures/program.ts'
import { runInProcess } from '../../fixtures/recording-terminal.ts'

const place = makeCliFolder()
afterAll(() => place.remove())
const run = (...args: string[]) => runInProcess(args, place.folder, place.environment)
const write = (name: string, text: string | Buffer) => writeFileSync(join(place.folder, name), text)
const read = (name: string) => readFileSync(join(place.folder, name), 'utf8')

const SETTINGS = {
  permissions: {
    allow: ['Bash(npm run test:*)', 'Read(./src/**)', 'mcp__github'],
    deny: ['Read(./.env)', 'Bash(curl *)'],
    ask: ['Bash(git push *)'],
  },
}

beforeAll(() => {
  write('settings.json', JSON.stringify(SETTINGS))
  write(
    'librechat.yaml',
    'endpoints:\n  agents:\n    toolApproval:\n      enabled: true\n      allow: ["read_*"]\n',
  )
  write('application.yml', 'ai:\n  tool-approval-mode: AUTO\n')
})

describe('policy import', () => {
  it('prints a policy that can be read, and beside it what is different, in a real process', async () => {
    const { code, stdout, stderr } = await place.run(['policy', 'import', 'settings.json'])
    expect(code).toBe(0)
    expect(readConfiguration(stdout, 'imported', 'ana').policyBlock).toMatchObject({
      allow: expect.arrayContaining(['Bash(npm run test *)', 'Read(./src/**)', 'mcp__github__*']),
      ask: ['Bash(git push *)'],
    })
    expect(stderr).toContain('settings.json (Claude Code) becomes: mode default, ')
    expect(stderr).toMatch(/^ {2}stricter \/permissions: Claude Code reads files/m)
  })

  it.each([
    ['librechat.yaml', 'LibreChat'],
    ['application.yml', 'ReAct-Plus'],
  ])('finds out that %s is of %s', async (file, program) => {
    const { code, stdout } = await run('policy', 'import', file)
    expect(code).toBe(0)
    expect(stdout).toContain(`# The policy of ${file} (${program}).`)
    expect(readConfiguration(stdout, 'imported', 'ana').policyBlock).toBeDefined()
  })

  it('writes the file, and not over another one', async () => {
    const first = await run('policy', 'import', 'settings.json', '--write', 'new.yaml')
    expect({ code: first.code, stdout: first.stdout }).toEqual({ code: 0, stdout: '' })
    expect(first.stderr).toContain(`Written to ${join(place.folder, 'new.yaml')}`)
    const text = read('new.yaml')
    const second = await run('policy', 'import', 'librechat.yaml', '--write', 'new.yaml')
    expect(second.code).toBe(1)
    expect(second.stderr).toContain('exists and was not changed')
    expect(read('new.yaml')).toBe(text)
    expect((await run('policy', 'import', 'librechat.yaml', '--write', 'new.yaml', '--force')).code).toBe(0)
    expect(read('new.yaml')).toContain('read_*')
    expect((await run('policy', 'check', 'new.yaml')).code).toBe(0)
  })

  it('has JSON for programs', async () => {
    const { code, stdout, stderr } = await run('policy', 'import', 'application.yml', '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      from: 'react-plus',
      pointer: '/ai/tool-approval-mode',
      policy: { mode: 'bypass' },
      notes: [{ pointer: '/ai/tool-approval-mode', effect: 'changed', about: expect.any(String) }],
    })
  })

  it.each([
    ['nothing.json', '{"model": "x"}', 'looked for'],
    ['broken.json', '{"permissions": ', 'broken.json'],
    ['broken.yaml', 'a: [', 'broken.yaml:1'],
    ['bad-deny.json', '{"permissions": {"deny": ["Bash(rm"]}}', 'bad-deny.json at /permissions/deny/0'],
    ['misspelt.yaml', 'toolApproval:\n  enabled: true\n  denny: [x]\n', 'did you mean "deny"'],
    ['two.json', '{"permissions": {}, "toolApproval": {}}', 'several programs'],
  ])('P5: %s ends with 1, prints no policy and says why', async (name, text, message) => {
    write(name, text)
    for (const more of [[], ['--write', `${name}.out`]]) {
      const { code, stdout, stderr } = await run('policy', 'import', name, ...more)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toContain(message)
    }
    expect(() => read(`${name}.out`)).toThrow('ENOENT')
  })

  it('P5: an entry that can not be read here is told by where it comes from', async () => {
    write('near.yaml', 'toolApproval:\n  enabled: true\n  deny: ["", "Bsh(rm *)"]\n')
    const { code, stdout, stderr } = await run('policy', 'import', 'near.yaml')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('near.yaml at /toolApproval/deny/1: ')
  })

  it('reads lists that could be anyone’s for the program that is named', async () => {
    write('lists.json', '{"deny": ["Bash(rm:*)"]}')
    expect((await run('policy', 'import', 'lists.json')).code).toBe(1)
    const { code, stdout } = await run('policy', 'import', 'lists.json', '--from', 'claude-code', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout).policy).toEqual({ deny: ['Bash(rm *)'] })
  })

  it.each([
    [['--from', 'cursor'], 2],
    [['--force'], 2],
    [['more'], 2],
  ])('what is not understood ends with 2 (%j)', async (more, code) => {
    expect((await run('policy', 'import', 'settings.json', ...more)).code).toBe(code)
  })

  it('a folder, a file that is not there and one that is no text end with 1', async () => {
    mkdirSync(join(place.folder, 'folder'), { recursive: true })
    write('bytes.json', Buffer.from([0x7b, 0xff, 0xfe]))
    for (const name of ['folder', 'missing.json', 'bytes.json']) {
      expect((await run('policy', 'import', name)).code).toBe(1)
    }
  })

  it('P9: what stands in the file can’t control the terminal', async () => {
    write('hostile.json', JSON.stringify({ permissions: { allow: ['\u001b[2Jx(a)', 'mcp__\u202ex'] } }))
    for (const more of [[], ['--json']]) {
      const { stdout, stderr } = await run('policy', 'import', 'hostile.json', ...more)
      expect(stdout + stderr).not.toMatch(/[\u001b\u202e]/)
    }
  })
})
