/**
 * What Claude Code does when its hook goes wrong, with hooks that aren't ours: each row is one that our own are built on. A later version
 * that does something else turns one of these red.
 */
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { standIn } from '../connected/connected-agent.ts'
import { type ConnectedClaudeCode, openClaudeCode } from './connected-claude-code.ts'

/** Fixed ids: the rows run one after the other, each in a conversation of its own. */
const scenes = [
  {
    when: 'make it.',
    steps: [{ calls: [{ tool: 'Bash', arguments: { command: 'echo x >> runs' } }] }, { say: 'Done.' }],
    repeat: true as const,
  },
]

let claude: ConnectedClaudeCode
let hookFile: string
beforeAll(async () => {
  claude = await openClaudeCode(scenes, {})
  hookFile = join(claude.place.folder, 'hook.sh')
})
afterAll(() => claude?.close())

const runs = () => (claude.exists('runs') ? 'runs' : 'blocked')

async function outcomeWith(entry: Record<string, unknown>): Promise<string> {
  rmSync(join(claude.project, 'runs'), { force: true })
  claude.changeSettings(() =>
    JSON.stringify({
      permissions: { allow: ['Bash'] },
      hooks: { PreToolUse: [{ matcher: '*', hooks: [entry] }] },
    }),
  )
  await claude.say('make it.')
  return runs()
}

const deny = JSON.stringify({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: 'no',
  },
})
const edit = JSON.stringify({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'allow',
    updatedInput: { command: 'echo y > edited' },
  },
})

it.each([
  // [what the hook does, without onFailure, with "block"]
  ['no objection', 'echo "{}"', 'runs', 'runs'],
  ['a deny', `echo '${deny}'`, 'blocked', 'blocked'],
  ['exit 1', 'echo why >&2; exit 1', 'runs', 'blocked'],
  ['exit 2 with a reason', 'echo why >&2; exit 2', 'blocked', 'blocked'],
  ['exit 2 without one', 'exit 2', 'blocked', 'blocked'],
  ['over the time limit', 'sleep 30; echo "{}"', 'runs', 'blocked'],
  ['text that is no JSON', 'echo hello', 'runs', 'runs'],
  ['half a JSON', 'echo "{"', 'runs', 'runs'],
])('command: %s', async (_, script, open, closed) => {
  writeFileSync(hookFile, `#!/bin/sh\ncat > /dev/null\n${script}\n`)
  chmodSync(hookFile, 0o755)
  const entry = { type: 'command', command: hookFile, timeout: 1 }
  expect([await outcomeWith(entry), await outcomeWith({ ...entry, onFailure: 'block' })]).toEqual([
    open,
    closed,
  ])
})

it('command: a file that is not there', async () => {
  const entry = { type: 'command', command: join(claude.place.folder, 'gone.sh'), timeout: 1 }
  expect([await outcomeWith(entry), await outcomeWith({ ...entry, onFailure: 'block' })]).toEqual([
    'runs',
    'blocked',
  ])
})

it('an edit is honoured', async () => {
  writeFileSync(hookFile, `#!/bin/sh\ncat > /dev/null\necho '${edit}'\n`)
  chmodSync(hookFile, 0o755)
  expect(await outcomeWith({ type: 'command', command: hookFile })).toBe('blocked')
  expect(claude.exists('edited')).toBe(true)
})

it.each([
  ['500', { status: 500, type: 'application/json', body: '{}' }, 'runs', 'blocked'],
  ['a page', { status: 200, type: 'text/html', body: '<html></html>' }, 'runs', 'blocked'],
  ['half a JSON', { status: 200, type: 'application/json', body: '{' }, 'runs', 'blocked'],
  ['nothing within the time limit', undefined, 'runs', 'blocked'],
  ['a deny', { status: 200, type: 'application/json', body: deny }, 'blocked', 'blocked'],
])('http: %s', async (_, answer, open, closed) => {
  const other = await standIn({ port: 0 }, answer)
  try {
    const entry = { type: 'http', url: `${other.url}/hook`, timeout: 1 }
    expect([await outcomeWith(entry), await outcomeWith({ ...entry, onFailure: 'block' })]).toEqual([
      open,
      closed,
    ])
  } finally {
    await other.close()
  }
})

it('http: nobody listens', async () => {
  const entry = { type: 'http', url: 'http://127.0.0.1:9/hook', timeout: 1 }
  expect([await outcomeWith(entry), await outcomeWith({ ...entry, onFailure: 'block' })]).toEqual([
    'runs',
    'blocked',
  ])
})
