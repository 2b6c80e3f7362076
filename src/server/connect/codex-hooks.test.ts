/** Codex's own list is tried with the real program in `test/edges`; here are programs that are something else. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { codexEvents, codexSetup } from '../../coding-agents/codex/setup.ts'
import type { HookWiring } from '../../coding-agents/setup/agent-setup.ts'
import { openCodexHooks } from './codex-hooks.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'banksman-codex-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const wiring: HookWiring = {
  mode: 'everything',
  script: '/home/ana/hooks/codex',
  tokenFile: '/home/ana/hooks/codex.token',
  server: { kind: 'socket', path: '/run/x.sock' },
}

/** A program that answers `hooks/list` like this, after the handshake. */
function programThat(does: string): string {
  const program = join(folder, 'codex')
  writeFileSync(
    program,
    `#!/bin/sh\necho $$ > "${folder}/pid"\nread first\necho '{"id":1,"result":{}}'\nread noted\nread asked\n${does}\n`,
  )
  chmodSync(program, 0o755)
  return program
}

const list = async (program: string, withinMs?: number) => {
  const lists = openCodexHooks(
    {
      setup: codexSetup,
      place: { home: folder, environment: { PATH: process.env.PATH } },
      program,
      wiring,
      folder,
    },
    withinMs,
  )
  try {
    return (await lists.list()).ours
  } finally {
    await lists.close()
  }
}

const hook = (event: string, parts: object = {}) => ({
  key: `/home/ana/.codex/hooks.json:${event}:0:0`,
  eventName: event.charAt(0).toLowerCase() + event.slice(1),
  command: `'${wiring.script}'`,
  enabled: true,
  currentHash: `sha256:${event}`,
  trustStatus: 'trusted',
  ...parts,
})
const answering = (hooks: object[], more: object = {}) =>
  programThat(
    `echo '${JSON.stringify({ id: 2, result: { data: [{ hooks, errors: [] }], ...more } }).replaceAll("'", "'\\''")}'; cat`,
  )
const others = async (program: string) => {
  const lists = openCodexHooks({
    setup: codexSetup,
    place: { home: folder, environment: { PATH: process.env.PATH } },
    program,
    wiring,
    folder,
  })
  try {
    return (await lists.list()).others
  } finally {
    await lists.close()
  }
}
const all = (parts: object = {}) => codexEvents('everything').map((event) => hook(event, parts))

const isGone = () => {
  try {
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 0)
    return false
  } catch {
    return true
  }
}

it('gives ours, one an event, and ends the program', async () => {
  const others = [hook('PreToolUse', { command: 'lint', trustStatus: 'untrusted' })]
  const hooks = await list(answering([...others, ...all()]))
  expect(hooks.map(({ hash }) => hash)).toEqual(codexEvents('everything').map((event) => `sha256:${event}`))
  expect(hooks.every(({ isTrusted }) => isTrusted)).toBe(true)
  expect(isGone()).toBe(true)
})

it.each([
  ['untrusted', { trustStatus: 'untrusted' }],
  ['changed since', { trustStatus: 'modified' }],
  ['something new', { trustStatus: 'certainly' }],
  ['trusted and switched off', { enabled: false }],
])('P5: takes no hook for trusted that is %s', async (_, parts) => {
  const hooks = await list(answering(all(parts)))
  expect(hooks.some(({ isTrusted }) => isTrusted)).toBe(false)
})

it.each([
  ['lists none', () => answering([]), 'PreToolUse is not on its list'],
  ['lists one of ours twice', () => answering([...all(), hook('PreToolUse')]), 'more than once'],
  [
    'answers in another form',
    () => programThat(`echo '{"id":2,"result":[]}'; cat`),
    'a form that is not known',
  ],
  ['answers with a mistake', () => programThat(`echo '{"id":2,"error":{"code":-1}}'; cat`), '{"code":-1}'],
  ['ends', () => programThat('echo why >&2; exit 3'), 'ended with code 3: why'],
  ['is not there', () => join(folder, 'none'), "can't be run"],
  ['says other things', () => programThat('echo hello; echo []; echo null; exit 0'), 'ended with code 0'],
])('P5: throws where the program %s', async (_, program, why) => {
  await expect(list(program())).rejects.toThrow(why)
})

it('says that hooks are switched off, and where, instead of that ours are not on the list', async () => {
  mkdirSync(join(folder, '.codex'))
  const file = join(folder, '.codex/config.toml')
  writeFileSync(file, '[features]\nhooks = false\n')
  const why = `the hooks of Codex are switched off in ${file}: hooks = false under [features]`
  await expect(list(answering([]))).rejects.toThrow(why)
  expect(await list(answering(all()))).toHaveLength(codexEvents('everything').length)
})

it('gives up on a program that never answers, and ends it although it does not want to', async () => {
  await expect(list(programThat(`trap '' TERM; while :; do sleep 0.1; done`), 200)).rejects.toThrow(
    'within 0.2 s',
  )
  expect(isGone()).toBe(true)
})

it('names the hooks of others that see a call, those of plugins too', async () => {
  const theirs = [
    hook('PreToolUse', { command: 'lint' }),
    hook('PreToolUse', { command: 'fmt', pluginId: 'fmt@market' }),
    hook('PreToolUse', { command: null, handlerType: 'mcp_tool', sourcePath: '/srv/.codex/hooks.json' }),
    hook('PreToolUse', { command: 'off', enabled: false }),
    hook('Stop', { command: 'bell' }),
  ]
  expect(await others(answering([...all(), ...theirs]))).toEqual([
    'lint',
    'fmt (of the plugin fmt@market)',
    'a hook of the kind mcp_tool in /srv/.codex/hooks.json',
  ])
})
