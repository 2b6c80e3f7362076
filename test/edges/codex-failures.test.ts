/**
 * What Codex does when its hook goes wrong, with hooks that aren't ours: each row is one that our own are built on. A later version that does
 * something else turns one of these red.
 */
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { standIn } from '../connected/connected-agent.ts'
import { type ConnectedCodex, openCodex, usersConfiguration } from './programs/connected-codex.ts'

/** Fixed ids: the rows run one after the other, each in a conversation of its own. */
const exec = (args: object) => ({
  tool: 'exec_command',
  arguments: { yield_time_ms: 1000, ...args } as never,
})
const scenes: Extract<Parameters<typeof openCodex>[0], unknown[]> = [
  { when: 'make it.', steps: [{ calls: [exec({ cmd: 'echo x >> runs' })] }, { say: 'Done.' }], repeat: true },
  { when: 'fail.', steps: [{ calls: [exec({ cmd: 'echo hm; exit 3' })] }, { say: 'Done.' }] },
  {
    when: 'open it.',
    steps: [
      { calls: [exec({ cmd: 'echo x >> runs; cat', tty: true, login: false, shell: 'sh' })] },
      { say: 'Done.' },
    ],
  },
]

/** By the code that newer models call their tools with: it knows the number of the session. */
const TYPES = `const { session_id } = await tools.exec_command({ cmd: 'bash', tty: true, yield_time_ms: 1000 })
text(JSON.stringify(await tools.write_stdin({ session_id, chars: 'touch typed; exit\\n', yield_time_ms: 2000 })))`
scenes.push({
  when: 'type it.',
  steps: [{ calls: [{ tool: 'exec', argumentsText: TYPES }] }, { say: 'Done.' }],
})

let codex: ConnectedCodex
let hookFile: string
beforeAll(async () => {
  codex = await openCodex(scenes, {})
  hookFile = join(codex.place.folder, 'hook.sh')
})
afterAll(() => codex?.close())

const configuration = () => `${usersConfiguration(codex.model.baseUrl)}\n`

async function install(timeout: number): Promise<void> {
  const entry = { type: 'command', command: hookFile, timeout }
  codex.write('hooks.json', JSON.stringify({ hooks: { PreToolUse: [{ matcher: '.*', hooks: [entry] }] } }))
  codex.write('config.toml', configuration())
  await codex.trustAll()
}

async function outcome(words = 'make it.'): Promise<string> {
  rmSync(join(codex.project, 'runs'), { force: true })
  await codex.say(words)
  return codex.exists('runs') ? 'runs' : 'blocked'
}

function hookThat(does: string): void {
  writeFileSync(hookFile, `#!/bin/sh\ncat > "${codex.place.folder}/event.json"\n${does}\n`)
  chmodSync(hookFile, 0o755)
}

const answer = (more: object) =>
  `printf '%s' '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...more } })}'`
const deny = answer({ permissionDecision: 'deny', permissionDecisionReason: 'from the hook' })

it.each([
  ['nothing', 'true', 'runs'],
  ['no objection', 'echo "{}"', 'runs'],
  ['a deny', deny, 'blocked'],
  ['a deny without a reason', answer({ permissionDecision: 'deny' }), 'runs'],
  ['a deny behind other text', `echo hello; ${deny}`, 'runs'],
  ['a deny and exit 1', `${deny}; exit 1`, 'runs'],
  ['allow alone', answer({ permissionDecision: 'allow' }), 'runs'],
  ['ask', answer({ permissionDecision: 'ask', permissionDecisionReason: 'x' }), 'runs'],
  ['exit 1', 'echo why >&2; exit 1', 'runs'],
  ['exit 2 with a reason', 'echo why >&2; exit 2', 'blocked'],
  ['exit 2 without one', 'exit 2', 'runs'],
  ['exit 127', 'exit 127', 'runs'],
  ['killed', 'kill -9 $$', 'runs'],
  ['text that is no JSON', 'echo hello', 'runs'],
  ['half a JSON', 'echo "{"', 'runs'],
])('%s', async (_, does, expected) => {
  if (codex.file('hooks.json') === undefined) await install(20)
  hookThat(does)
  expect(await outcome()).toBe(expected)
})

it('an edit is honoured, and the model is not told', async () => {
  hookThat(answer({ permissionDecision: 'allow', updatedInput: { command: 'echo y > edited' } }))
  expect(await outcome()).toBe('blocked')
  expect(codex.read('edited')).toBe('y\n')
})

it('a file that is not there: runs', async () => {
  rmSync(hookFile)
  expect(await outcome()).toBe('runs')
})

it('its event says neither that a terminal is opened nor which shell', async () => {
  hookThat('true')
  await outcome('open it.')
  const event = JSON.parse(codex.read('../event.json'))
  expect(event).toMatchObject({ tool_name: 'Bash', tool_use_id: expect.any(String), cwd: codex.project })
  expect(event.tool_input).toEqual({ command: 'echo x >> runs; cat' })
})

it('what is typed into a program that was left running passes no hook', async () => {
  hookThat(
    `cat "${codex.place.folder}/event.json" >> "${codex.place.folder}/events.jsonl"; echo >> "${codex.place.folder}/events.jsonl"`,
  )
  await codex.say('gpt-5.6-sol: type it.')
  expect(codex.exists('typed')).toBe(true)
  const events = codex.read('../events.jsonl').trim().split('\n')
  expect(events.map((line) => JSON.parse(line).tool_input)).toEqual([{ command: 'bash' }])
})

it('over the time limit: runs', async () => {
  hookThat(`sleep 30; ${deny}`)
  await install(1)
  expect(await outcome()).toBe('runs')
})

it('a second changed at the time limit: it is not trusted, and not run', async () => {
  hookThat(deny)
  codex.change('hooks.json', (text) => text.replace('"timeout":1', '"timeout":2'))
  expect((await codex.hooks()).map(({ trustStatus }) => trustStatus)).toEqual(['modified'])
  expect(await outcome()).toBe('runs')
  codex.change('hooks.json', (text) => text.replace('"timeout":2', '"timeout":1'))
  expect(await outcome()).toBe('blocked')
})

it('of two that change a call, the one that finishes last wins', async () => {
  const quick = answer({ permissionDecision: 'allow', updatedInput: { command: 'touch quick' } })
  const slow = answer({ permissionDecision: 'allow', updatedInput: { command: 'touch slow' } })
  const entry = (command: string) => ({ hooks: [{ type: 'command', command, timeout: 20 }] })
  const groups = [entry(`cat >/dev/null; sleep 1; ${slow}`), entry(`cat >/dev/null; ${quick}`)]
  codex.write('hooks.json', JSON.stringify({ hooks: { PreToolUse: groups } }))
  codex.write('config.toml', configuration())
  await codex.trustAll()
  expect(await outcome()).toBe('blocked')
  expect([codex.exists('quick'), codex.exists('slow')]).toEqual([false, true])
})

it('it sends nothing over http: such an entry is not run, nor anything else in its file', async () => {
  const said = { status: 200, type: 'application/json', body: '{"decision":"block","reason":"no"}' }
  const other = await standIn({ port: 0 }, said)
  try {
    const http = { type: 'http', url: `${other.url}/hook`, timeout: 5 }
    hookThat(deny)
    await install(20)
    expect(await outcome()).toBe('blocked')
    codex.change('hooks.json', (text) => {
      const { hooks } = JSON.parse(text)
      return JSON.stringify({
        hooks: { PreToolUse: [...hooks.PreToolUse, { matcher: '.*', hooks: [http] }] },
      })
    })
    expect(await codex.hooks()).toEqual([])
    expect(await outcome()).toBe('runs')
  } finally {
    await other.close()
  }
})

it('what it tells of a command that failed has no exit code', async () => {
  hookThat('true')
  const entry = { type: 'command', command: hookFile, timeout: 20 }
  codex.write('hooks.json', JSON.stringify({ hooks: { PostToolUse: [{ matcher: '.*', hooks: [entry] }] } }))
  codex.write('config.toml', configuration())
  await codex.trustAll()
  await codex.say('fail.')
  const event = JSON.parse(codex.read('../event.json'))
  expect(event).toMatchObject({ hook_event_name: 'PostToolUse', tool_use_id: expect.any(String) })
  expect(event.tool_response).toEqual(expect.any(String))
  expect(event.tool_response).not.toMatch(/exit|code|3/i)
})
