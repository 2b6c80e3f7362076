/** `banksman connect codex` beside hooks and settings of other people: what is theirs stays as it is, trusted and in its place. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ConnectedCodex, openCodex, usersConfiguration } from './programs/connected-codex.ts'

const call = { tool: 'exec_command', arguments: { cmd: 'touch made' } }
const scenes: Parameters<typeof openCodex>[0] = [
  { when: 'make it.', steps: [{ calls: [call] }, { say: 'Done.' }], repeat: true },
]
const POLICY = { allow: ['Bash(touch made)'] }

let codex: ConnectedCodex
beforeEach(async () => {
  codex = await openCodex(scenes, POLICY)
  await codex.startServer()
})
afterEach(() => codex?.close())

/** A hook that leaves its name in the project. */
const group = (name: string) =>
  `{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "cat > /dev/null; touch ${name}", "timeout": 20 }] }`
/** As people write it by hand. */
const theirHooks = (...names: string[]) => `{
  "hooks": {
    "PreToolUse": [
      ${names.map(group).join(',\n      ')}
    ],
    "Stop": []
  }
}
`
const NAMES = ['first', 'second', 'third', 'made']

/** Which hooks ran, and whether the call was made. */
async function ran(): Promise<string[]> {
  for (const name of NAMES) rmSync(join(codex.project, name), { force: true })
  await codex.say('make it.')
  return NAMES.filter((name) => codex.exists(name))
}

async function trustOf(): Promise<string[]> {
  return (await codex.hooks()).map(({ eventName, trustStatus }) => `${eventName} ${trustStatus}`)
}

it('hooks before and behind ours stay trusted and go on when ours go', async () => {
  codex.write('hooks.json', theirHooks('first'))
  codex.change('config.toml', (text) => `${text}\n`)
  await codex.trustAll()
  await codex.connect()
  // Somebody puts another two behind ours, and trusts them.
  codex.change('hooks.json', (text) => {
    const at = text.indexOf('    ],\n    "Stop"')
    return `${text.slice(0, at).trimEnd()},\n      ${group('second')},\n      ${group('third')}\n${text.slice(at)}`
  })
  await codex.trustAll()
  codex.change('config.toml', (text) => `${text}# between\n[tui] # later\nnotifications = false\n`)
  expect(await ran()).toEqual(NAMES)
  expect((await codex.banksman('connect')).stdout).toMatch(
    /other hooks see its calls too: .*\n?.*the one that finishes last/,
  )

  expect(await codex.banksman('disconnect', 'codex', '--yes')).toMatchObject({ code: 0 })
  expect(codex.file('hooks.json')).toBe(theirHooks('first', 'second', 'third'))
  expect(await trustOf()).toEqual(['preToolUse trusted', 'preToolUse trusted', 'preToolUse trusted'])
  expect(codex.file('config.toml')).toMatch(/^# mine\nmodel = "scripted" # not the real one\n/)
  expect(codex.file('config.toml')).toMatch(/# between\n\[tui\] # later\nnotifications = false\n$/)
  expect(codex.file('config.toml')?.match(/trusted_hash/g)?.length).toBe(3)
  expect(await ran()).toEqual(NAMES)
})

it('connecting again puts ours behind those that came meanwhile, and all stay trusted', async () => {
  await codex.connect()
  codex.change('hooks.json', (text) =>
    text.replace('\n    "PostToolUse"', '\n    "Notification": [],\n    "PostToolUse"'),
  )
  codex.change('hooks.json', (text) => {
    const hooks = JSON.parse(text)
    hooks.hooks.PreToolUse.push(JSON.parse(group('second')))
    return JSON.stringify(hooks, null, 2)
  })
  await codex.trustAll()
  await codex.connect()
  const { hooks } = JSON.parse(codex.file('hooks.json') ?? '')
  expect(
    hooks.PreToolUse.map(
      (one: object) =>
        JSON.stringify(one).includes('banksman') || JSON.stringify(one).includes('hooks/codex'),
    ),
  ).toEqual([false, true])
  expect(new Set((await codex.hooks()).map(({ trustStatus }) => trustStatus))).toEqual(new Set(['trusted']))
  expect(await ran()).toEqual(['second', 'made'])
  expect((await codex.banksman('connect')).code).toBe(0)
})

it.each([
  [
    'hooks are off',
    (text: string) => text.replace('apps = false', 'apps = false\nhooks = false'),
    /switched off in .*config\.toml/,
  ],
  ['hooks are an inline table', (text: string) => `hooks = { state = {} }\n${text}`, /can't be changed/],
  ['the configuration can not be read', (text: string) => `${text}\n[`, /Codex|TOML/],
])('P5: nothing is left of it when %s', async (_, change, why) => {
  codex.change('config.toml', change)
  codex.write('hooks.json', theirHooks('first'))
  const before = codex.file('config.toml')
  const { code, stderr } = await codex.banksman(
    'connect',
    'codex',
    '--yes',
    '--program',
    join(import.meta.dirname, 'node_modules/.bin/codex'),
  )
  expect(code, stderr).not.toBe(0)
  expect(stderr).toMatch(why)
  expect(codex.file('config.toml')).toBe(before)
  expect(codex.file('hooks.json')).toBe(theirHooks('first'))
  expect(codex.file('rules/banksman.rules')).toBeUndefined()
  const { items } = await codex.client().tokens.list()
  expect(items.filter(({ scope, revokedAt }) => scope !== undefined && revokedAt === undefined)).toEqual([])
  expect((await codex.banksman('connect')).stdout).toMatch(/Codex.*(?:not connected|not found)/)
})

it('what Codex writes into its own files meanwhile is as it would be without us', async () => {
  const control = await openCodex(scenes, POLICY)
  try {
    await codex.connect()
    const use = async (one: ConnectedCodex) => {
      await one.say('make it.')
      expect(await one.banksman('--help')).toMatchObject({ code: 0 })
      return one
    }
    await use(codex)
    await use(control)
    expect(await codex.banksman('disconnect', 'codex', '--yes')).toMatchObject({ code: 0 })
    const [ours, theirs] = [codex, control].map((one) =>
      one
        .file('config.toml')
        ?.replaceAll(one.model.baseUrl, '<model>')
        .replaceAll(one.place.folder, '<folder>'),
    )
    expect(ours).toBe(theirs)
    expect(codex.file('config.toml')).toContain(usersConfiguration(codex.model.baseUrl))
  } finally {
    await control.close()
  }
})

it('with its own rules first, nothing is asked where Codex asks nobody', async () => {
  const { code, stderr } = await codex.banksman(
    ...['connect', 'codex', '--yes', '--my-rules-first'],
    ...['--program', join(import.meta.dirname, 'node_modules/.bin/codex')],
  )
  expect(code, stderr).toBe(0)
  expect(await trustOf()).toContain('permissionRequest trusted')
  expect(await trustOf()).not.toContain('preToolUse trusted')
  expect(await ran()).toEqual(['made'])
  expect((await codex.banksman('connect')).stdout).toMatch(
    /ok {4}Codex: .*what its own rules ask about is checked/,
  )
})
