import { describe, expect, it } from 'vitest'
import type { HookWiring } from '../setup/agent-setup.ts'
import { diskOf } from '../setup/fixtures/disk.ts'
import { claudeCodeSetup } from './setup.ts'

const place = { home: '/home/ana', environment: {} as Record<string, string> }
const wiring: HookWiring = {
  mode: 'everything',
  script: '/home/ana/.config/banksman/hooks/claude-code',
  tokenFile: '/home/ana/.config/banksman/hooks/claude-code.token',
  server: { kind: 'socket', path: '/srv/bm/banksman.sock' },
  version: '2.1.325',
  http: { url: 'http://127.0.0.1:4790', token: 'bma_x' },
}
const USER = '/home/ana/.claude/settings.json'
const PROJECT = '/srv/shop/.claude/settings.json'
const LOCAL = '/srv/shop/.claude/settings.local.json'
const MANAGED = [
  '/etc/claude-code/managed-settings.json',
  '/etc/claude-code/managed-settings.d/ours.json',
  '/Library/Application Support/ClaudeCode/managed-settings.json',
  '/home/ana/.claude/remote-settings.json',
]
const [file] = claudeCodeSetup.files(place, wiring)

describe('the settings of the user', () => {
  it.each([
    ['a comment', (text: string) => text.replace('{', '{ // mine')],
    ['a comma behind the last entry', (text: string) => text.replace(/\}\s*$/, ',}')],
    ['permissions of another form', (text: string) => text.replace('{', '{ "permissions": 5,')],
    [
      'a group of another form',
      (text: string) =>
        text.replace('"PreToolUse": [', '"PreToolUse": [{ "matcher": 5, "hooks": [{ "type": "command" }] },'),
    ],
    [
      'a hook without a type',
      (text: string) => text.replace('"PreToolUse": [', '"PreToolUse": [{ "hooks": [{}] },'),
    ],
  ])('P5: with %s Claude Code leaves them out, so ours are not there', (_, change) => {
    const text = file!.add('{}')
    expect(file!.find(text)).toBe('there')
    expect(() => file!.find(change(text))).toThrow(/leaves out such a file as a whole/)
    // Taking ours out works all the same.
    expect(file!.remove(change(text), '{}')).not.toContain('/v1/hooks')
  })

  it('P5: nothing is added to what Claude Code leaves out', () => {
    for (const text of ['{ "a": 1, /* mine */ }', '{ "permissions": [] }'])
      expect(() => file!.add(text)).toThrow(/leaves out such a file as a whole/)
    expect(() => file!.add('{\n"a": 1 /* mine */ }')).toThrow(/^it has a comment \(line 2\)/)
  })
})

it('hears of failed and refused calls wherever the version has such events, by the script too', () => {
  const eventsOf = (version: string) => {
    const script: HookWiring = { ...wiring, version }
    delete script.http
    return Object.keys(JSON.parse(claudeCodeSetup.files(place, script)[0]!.add('{}')).hooks)
  }
  expect(eventsOf('2.1.325')).toEqual(expect.arrayContaining(['PostToolUseFailure', 'PermissionDenied']))
  expect(eventsOf('2.1.197')).toEqual(['PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd'])
})

describe('what keeps hooks from us', () => {
  const off = (files: Record<string, string>, environment: Record<string, string> = {}, way = wiring) =>
    claudeCodeSetup
      .switchedOff({ ...place, environment }, '/srv/shop', diskOf(files), way)
      .map(({ path }) => path)
  const script: HookWiring = { ...wiring }
  delete script.http

  it('a file of the user, of the project or of the machine that switches them off', () => {
    const text = '{"disableAllHooks": true}'
    for (const path of [USER, PROJECT, LOCAL, ...MANAGED]) expect(off({ [path]: text })).toEqual([path])
    expect(off({ [PROJECT]: '\uFEFF{"disableAllHooks": true}' })).toEqual([PROJECT])
    expect(off({ [PROJECT]: '{"disableAllHooks": "true"}', [LOCAL]: 'no JSON' })).toEqual([])
  })

  it('P11: one that is not committed, at the top of the repository and in the main checkout', () => {
    const text = '{"disableAllHooks": true}'
    const top = '/srv/.claude/settings.local.json'
    expect(off({ '/srv/.git/HEAD': 'ref: x', [top]: text })).toEqual([top])
    expect(off({ [top]: text })).toEqual([])
    const main = '/opt/shop/.claude/settings.local.json'
    expect(off({ '/srv/.git': 'gitdir: /opt/shop/.git/worktrees/srv\n', [top]: text, [main]: text })).toEqual(
      [top, main],
    )
  })

  it.each(['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'])(
    'P5: a project that sends events through a proxy by %s',
    (name) => {
      const text = JSON.stringify({ env: { [name]: 'http://proxy.example' } })
      expect(off({ [PROJECT]: text })).toEqual([PROJECT])
      expect(off({ [PROJECT]: text }, { NO_PROXY: '127.0.0.1' })).toEqual([])
      // What the project says of it counts more.
      const lifted = JSON.stringify({ env: { [name]: 'http://proxy.example', NO_PROXY: '', no_proxy: 'x' } })
      expect(off({ [PROJECT]: lifted }, { NO_PROXY: '127.0.0.1' })).toEqual([PROJECT])
      expect(off({}, { [name]: 'http://proxy.example' })).toEqual(['the environment'])
      // The script asks over the socket.
      expect(off({ [PROJECT]: text }, {}, script)).toEqual([])
    },
  )

  it('P5: a program in front of every command', () => {
    const text = JSON.stringify({ env: { CLAUDE_CODE_SHELL_PREFIX: './run' } })
    for (const way of [wiring, script]) expect(off({ [LOCAL]: text }, {}, way)).toEqual([LOCAL])
  })
})

it('names the hooks of the project, at whatever event, and those of the user that see calls', () => {
  const files: Record<string, string> = {
    [USER]: hooksOf('PreToolUse', './mine'),
    [PROJECT]: hooksOf('SessionStart', './theirs'),
    [LOCAL]: 'no JSON',
  }
  const found = claudeCodeSetup.otherHooks(place, wiring, '/srv/shop', diskOf(files))
  expect(found).toEqual(['./mine', './theirs'])
})

const CACHED = '/home/ana/.claude/plugins/cache/market/lint/1.0.0'

it.each([
  ['its hooks.json', { [`${CACHED}/hooks/hooks.json`]: hooksOf('PreToolUse', './plugged') }],
  [
    'what its manifest names',
    {
      [`${CACHED}/.claude-plugin/plugin.json`]: '{ "hooks": "./more/mine.json" }',
      [`${CACHED}/more/mine.json`]: hooksOf('PreToolUse', './plugged'),
    },
  ],
  ['its manifest', { [`${CACHED}/.claude-plugin/plugin.json`]: hooksOf('PreToolUse', './plugged') }],
  [
    'the folder that it was installed from',
    {
      '/home/ana/.claude/plugins/installed_plugins.json':
        '{ "version": 2, "plugins": { "lint@x": [{ "installPath": "/opt/lint" }] } }',
      '/opt/lint/hooks/hooks.json': hooksOf('PreToolUse', './plugged'),
    },
  ],
  ['managed settings', { [MANAGED[0]!]: hooksOf('PreToolUse', './plugged') }],
])('names the hooks of a plugin or of the machine by %s', (_, files) => {
  const others = (all: Record<string, string>) =>
    claudeCodeSetup.otherHooks(place, wiring, '/srv/shop', diskOf(all))
  expect(others(files)).toEqual(['./plugged'])
})

it('hooks of a plugin that is only offered are none', () => {
  const path = '/home/ana/.claude/plugins/marketplaces/market/lint/hooks/hooks.json'
  const disk = diskOf({ [path]: hooksOf('PreToolUse', './plugged') })
  expect(claudeCodeSetup.otherHooks(place, wiring, '/srv/shop', disk)).toEqual([])
})

it('P3: does not promise what another hook can change', () => {
  expect(claudeCodeSetup.withOtherHooks).toMatch(/what a person approved may then run changed/)
  expect(claudeCodeSetup.limits.join(' ')).not.toMatch(/exactly as approved/)
})

function hooksOf(event: string, command: string): string {
  return JSON.stringify({ hooks: { [event]: [{ hooks: [{ type: 'command', command }] }] } })
}
