import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json/json.ts'
import {
  type GateMode,
  type HookWiring,
  type ListedHook,
  limitsOf,
  type TrustedHooks,
} from '../setup/agent-setup.ts'
import { diskOf } from '../setup/fixtures/disk.ts'
import { isOurCommand } from '../setup/hook-command.ts'
import { readJsonText } from '../setup/json-text.ts'
import { readTomlText } from '../setup/toml-text.ts'
import { snakeCase } from './hook-trust.ts'
import { codexEvents, codexHome, codexSetup } from './setup.ts'

const place = { home: '/home/ana', environment: {} }
const script = '/home/ana/.config/banksman/hooks/codex'
const wiring: HookWiring = {
  mode: 'everything',
  script,
  tokenFile: `${script}.token`,
  server: { kind: 'socket', path: '/run/banksman.sock' },
}
const HOOKS = '/home/ana/.codex/hooks.json'
const CONFIGURATION = '/home/ana/.codex/config.toml'
const [hooksFile, rulesFile] = codexSetup.files(place, wiring)

/** As Codex would list ours, at these numbers. */
function listed(at: (event: string) => number = () => 0): ListedHook[] {
  return codexEvents('everything').map((event) => ({
    key: `${HOOKS}:${snakeCase(event)}:${at(event)}:0`,
    hash: `sha256:${event}`,
    isTrusted: false,
  }))
}

function trustFile(parts: Partial<TrustedHooks> = {}) {
  return codexSetup.trust!(place, { wiring, ours: listed(), ...parts })
}

describe('its files', () => {
  it('has its hooks where CODEX_HOME says', () => {
    expect(hooksFile?.path).toBe(HOOKS)
    expect(codexHome({ home: '/home/ana', environment: { CODEX_HOME: '/srv/codex/' } })).toBe('/srv/codex')
  })

  it('puts one hook before each call, and one behind each end, in seconds that Codex takes', () => {
    const { hooks } = readJsonText(hooksFile!.add(undefined)) as { hooks: Record<string, JsonObject[]> }
    expect(Object.keys(hooks)).toEqual(['PreToolUse', 'PostToolUse', 'Stop', 'Interrupt', 'SessionEnd'])
    expect(hooks.PreToolUse).toEqual([
      { matcher: '.*', hooks: [{ type: 'command', command: expect.stringContaining(script), timeout: 600 }] },
    ])
    expect(hooks.SessionEnd).toEqual([
      { hooks: [{ type: 'command', command: `'${script}' after`, timeout: 3 }] },
    ])
  })

  it('with its own rules first, asks only where Codex would ask', () => {
    const [file] = codexSetup.files(place, { ...wiring, mode: 'own_rules_first' })
    const { hooks } = readJsonText(file!.add(undefined)) as { hooks: JsonObject }
    expect(hooks).toHaveProperty('PermissionRequest')
    expect(hooks).not.toHaveProperty('PreToolUse')
  })

  it('comes behind the hooks of others, and leaves them as they were', () => {
    const theirs = '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "lint"}]}]}}\n'
    const added = hooksFile!.add(theirs)
    const { hooks } = readJsonText(added) as { hooks: Record<string, { hooks: JsonObject[] }[]> }
    expect(hooks.PreToolUse?.map((group) => isOurCommand(group.hooks[0]?.command, wiring))).toEqual([
      false,
      true,
    ])
    expect(hooksFile!.remove(added, theirs)).toBe(theirs)
  })

  it('finds a hook whose time was changed to be no longer ours', () => {
    const added = hooksFile!.add(undefined)
    expect(hooksFile!.find(added)).toBe('there')
    expect(hooksFile!.find(added.replace('600', '601'))).toBe('changed')
    expect(hooksFile!.find('{}')).toBe('missing')
  })

  it('P11: forbids by rules of Codex what only people may do', () => {
    const text = rulesFile!.add(undefined)
    for (const words of [
      '"disconnect"',
      '"approve"',
      '"npx"',
      '"--dangerously-bypass-hook-trust"',
      '"tokens"',
    ])
      expect(text).toContain(words)
    expect(text.match(/prefix_rule\(/g)?.length).toBe(
      text.match(/decision = "forbidden", justification = /g)?.length,
    )
    expect(rulesFile!.find(text)).toBe('there')
    expect(rulesFile!.find(`${text}#`)).toBe('changed')
    expect(rulesFile!.remove(text, undefined)).toBeUndefined()
  })

  it('knows its own commands with a quote in the path', () => {
    const odd = { ...wiring, script: "/home/o'hara/hooks/codex" }
    const [file] = codexSetup.files(place, odd)
    expect(file!.find(file!.add('{}'))).toBe('there')
  })
})

describe('trust', () => {
  const theirs = '# mine\nmodel = "x"\n'

  it('is added for each hook, found, and taken away to the byte', () => {
    const file = trustFile()
    const added = file.add(theirs)
    expect(added.startsWith(theirs)).toBe(true)
    expect(file.find(theirs)).toBe('missing')
    expect(file.find(added)).toBe('there')
    expect(file.find(added.replace('sha256:Stop', 'sha256:x'))).toBe('changed')
    expect(file.remove(added, theirs)).toBe(theirs)
    expect(file.remove(file.add(undefined), undefined)).toBeUndefined()
    expect(file.remove(file.add('a = 1'), 'a = 1')).toBe('a = 1')
  })

  it('takes the place of what was left of an older hook, and gives it back', () => {
    const stale = `[hooks.state."${HOOKS}:stop:0:0"]\nenabled = false\ntrusted_hash = "sha256:old"\n`
    const file = trustFile()
    const added = file.add(stale)
    expect(file.find(added)).toBe('there')
    expect(readTomlText(added)).not.toHaveProperty(['hooks', 'state', `${HOOKS}:stop:0:0`, 'enabled'])
    expect(readTomlText(file.remove(`${added}x.y = 1\n`, stale)!)).toMatchObject(readTomlText(stale))
  })

  it('goes with the hooks of others that get other numbers when ours go', () => {
    const group = (command: string) => ({ hooks: [{ type: 'command', command }] })
    const hooks = (...groups: object[]) =>
      JSON.stringify({ hooks: { PreToolUse: groups, Stop: [group('bell')] } })
    const now = hooks(group('first'), group(`'${script}'`), group('second'), group('third'))
    const after = hooks(group('first'), group('second'), group('third'))
    const state = (at: number, hash: string) =>
      `[hooks.state."${HOOKS}:pre_tool_use:${at}:0"]\ntrusted_hash = "${hash}"\n`
    const ours = [{ key: `${HOOKS}:pre_tool_use:1:0`, hash: 'ours', isTrusted: true }]
    const file = trustFile({ ours, changes: [{ path: HOOKS, now, after }] })
    const text = `# a\n${state(0, 'first')}${state(1, 'ours')}# b\n${state(2, 'second')}enabled = true\n${state(3, 'third')}`
    expect(file.remove(text, '')).toBe(
      `# a\n${state(0, 'first')}# b\n${state(1, 'second')}enabled = true\n${state(2, 'third')}`,
    )
  })

  it('goes with a hook that somebody put into our group', () => {
    const entry = (command: string) => ({ type: 'command', command })
    const hooks = (...entries: object[]) => JSON.stringify({ hooks: { Stop: [{ hooks: entries }] } })
    const changes = [
      { path: HOOKS, now: hooks(entry(`'${script}' after`), entry('x')), after: hooks(entry('x')) },
    ]
    const ours = [{ key: `${HOOKS}:stop:0:0`, hash: 'ours', isTrusted: true }]
    const text = `[hooks.state]\n"${HOOKS}:stop:0:0" = { trusted_hash = "ours" }\n"${HOOKS}:stop:0:1" = { trusted_hash = "x" }\n`
    expect(trustFile({ ours, changes }).remove(text, '')).toBe(
      `[hooks.state]\n"${HOOKS}:stop:0:0" = { trusted_hash = "x" }\n`,
    )
  })

  it('P5: is refused where the configuration can not be changed without touching the rest', () => {
    expect(() => trustFile().add('hooks = { state = {} }\n')).toThrow("can't be changed")
  })
})

describe('what is in the way', () => {
  const off = (files: Record<string, string>, project = '/srv/shop/app') =>
    codexSetup.switchedOff(place, project, diskOf(files))

  it.each([
    [CONFIGURATION, '[features]\nhooks = false\n'],
    [CONFIGURATION, 'features.codex_hooks = false\n'],
    [CONFIGURATION, '[profiles.fast.features]\nhooks = false\n'],
    ['/srv/shop/app/.codex/config.toml', '[features]\nhooks = false\n'],
    ['/srv/shop/.codex/config.toml', 'features = { hooks = false }\n'],
    ['/etc/codex/requirements.toml', 'allow_managed_hooks_only = true\n'],
    ['/home/ana/.codex/requirements.toml', 'allow_managed_hooks_only = true\n'],
    ['/home/ana/.codex/managed_config.toml', '[features]\nhooks = false\n'],
    ['/srv/shop/app/.codex/config.toml', 'this is no TOML'],
  ])('%s with %j', (path, text) => {
    expect(off({ [path]: text })).toEqual([{ path, because: expect.any(String) }])
  })

  it('is nothing where hooks are on', () => {
    expect(off({ [CONFIGURATION]: '[features]\nhooks = true\n', '/srv/x/.codex/config.toml': 'x' })).toEqual(
      [],
    )
  })

  it('tells of other hooks that see a call', () => {
    const files: Record<string, string> = {
      [HOOKS]: hooksFile!.add(
        '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "lint"}]}]}}',
      ),
      [CONFIGURATION]: '[[hooks.PreToolUse]]\nmatcher = "x"\n',
    }
    expect(codexSetup.otherHooks(place, wiring, '/srv/shop', diskOf(files))).toEqual([
      expect.stringContaining('config.toml'),
      'lint',
    ])
    expect(codexSetup.otherHooks(place, wiring, '/srv/shop', diskOf({}))).toEqual([])
  })

  it.each([
    ['/srv/shop/.codex/hooks.json', 'SessionStart'],
    ['/srv/.codex/hooks.json', 'PreToolUse'],
    ['/etc/codex/hooks.json', 'PreToolUse'],
  ])('tells of hooks in %s (%s)', (path, event) => {
    const text = JSON.stringify({ hooks: { [event]: [{ hooks: [{ type: 'command', command: 'theirs' }] }] } })
    const look = (project: string) => codexSetup.otherHooks(place, wiring, project, diskOf({ [path]: text }))
    expect(look('/srv/shop')).toEqual(['theirs'])
  })

  it.each([
    ['/srv/shop/.codex/config.toml', 'Stop'],
    ['/etc/codex/requirements.toml', 'PreToolUse'],
    ['/home/ana/.codex/managed_config.toml', 'PreToolUse'],
  ])('tells of [hooks] in %s (%s)', (path, event) => {
    const files = { [path]: `[[hooks.${event}]]\nmatcher = "x"\n` }
    expect(codexSetup.otherHooks(place, wiring, '/srv/shop', diskOf(files))).toEqual([
      `[[hooks.${event}]] in ${path}`,
    ])
  })

  it('hooks of the user at other events change no call', () => {
    const text = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'bell' }] }] } })
    expect(codexSetup.otherHooks(place, wiring, '/srv/shop', diskOf({ [HOOKS]: text }))).toEqual([])
  })
})

it('says of --my-rules-first what it leaves unchecked, and only to those who connect with it', () => {
  const said = (mode: GateMode) => limitsOf(codexSetup, mode).join('\n')
  expect(said('everything')).not.toContain('--my-rules-first')
  expect(said('own_rules_first')).toContain(said('everything'))
  expect(said('own_rules_first')).toContain('nothing is checked in `codex exec`')
})
