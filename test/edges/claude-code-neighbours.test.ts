/** `banksman connect claude-code` beside hooks of other people, before and behind ours: what is theirs stays, and goes on when ours go. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { type ConnectedClaudeCode, openClaudeCode } from './programs/connected-claude-code.ts'

const scenes = [
  {
    when: 'make it.',
    steps: [{ calls: [{ tool: 'Bash', arguments: { command: 'touch made' } }] }, { say: 'Done.' }],
    repeat: true as const,
  },
]
const POLICY = { allow: ['Bash(touch made)'] }

const opened: ConnectedClaudeCode[] = []
async function open(options: readonly string[] = []): Promise<ConnectedClaudeCode> {
  const claude = await openClaudeCode(scenes, POLICY, { options })
  opened.push(claude)
  claude.changeSettings(() => theirs('first'))
  return claude
}
afterEach(async () => {
  for (const claude of opened.splice(0)) await claude.close()
})

/** A hook that leaves its name in the project. */
const group = (name: string) =>
  `{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "cat > /dev/null; touch ${name}" }] }`
/** As people write it by hand. */
const theirs = (...names: string[]) => `{
  "permissions": { "allow":   ["Bash"] },
  "hooks": {
    "PreToolUse": [
      ${names.map(group).join(',\n      ')}
    ],
    "Stop": []
  }
}
`
const NAMES = ['first', 'second', 'made']

async function ran(claude: ConnectedClaudeCode): Promise<string[]> {
  for (const name of NAMES) rmSync(join(claude.project, name), { force: true })
  await claude.say('make it.')
  return NAMES.filter((name) => claude.exists(name))
}

it.each([
  ['http', []],
  ['the script', ['--script']],
] as const)('with %s', async (_, options) => {
  const claude = await open(options)
  await claude.startServer()
  await claude.connect()
  // Somebody puts another one behind ours.
  claude.changeSettings((text) => {
    const at = text.indexOf('    ],\n    "Stop"')
    return `${text.slice(0, at).trimEnd()},\n      ${group('second')}\n${text.slice(at)}`
  })
  expect(await ran(claude)).toEqual(NAMES)
  expect((await claude.banksman('connect')).stdout).toMatch(/other hooks see its calls too: .*touch first/)
  expect(await claude.banksman('disconnect', 'claude-code', '--yes')).toMatchObject({ code: 0 })
  expect(claude.readSettings()).toBe(theirs('first', 'second'))
  expect(await ran(claude)).toEqual(NAMES)

  // What Claude Code itself leaves in its folder is what it leaves there without us.
  const control = await open()
  control.changeSettings(() => theirs('first', 'second'))
  await ran(control)
  await ran(control)
  const filesOf = ({ home }: ConnectedClaudeCode) => readdirSync(join(home, '.claude')).sort()
  expect(filesOf(claude)).toEqual(filesOf(control))
})
