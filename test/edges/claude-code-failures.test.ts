/**
 * What Claude Code does when its hook goes wrong, with hooks that aren't ours: each row is one that our own are built on. A later version
 * that does something else turns one of these red. The older one doesn't know `onFailure`: with it, it does as without.
 */
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { standIn } from '../connected/connected-agent.ts'
import { openTerminal, skipFirstRun } from './programs/claude-terminal.ts'
import {
  CLAUDE_CODES,
  type ClaudeCodeVersion,
  type ConnectedClaudeCode,
  openClaudeCode,
} from './programs/connected-claude-code.ts'

/** Fixed ids: the rows run one after the other, each in a conversation of its own. */
const scenes = [
  {
    when: 'make it.',
    steps: [{ calls: [{ tool: 'Bash', arguments: { command: 'echo x >> runs' } }] }, { say: 'Done.' }],
    repeat: true as const,
  },
]

const deny = JSON.stringify({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: 'no',
  },
})
const ask = deny.replace('"deny"', '"ask"')
const edit = JSON.stringify({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'allow',
    updatedInput: { command: 'echo y > edited' },
  },
})

describe.each(Object.keys(CLAUDE_CODES) as ClaudeCodeVersion[])('Claude Code %s', (version) => {
  let claude: ConnectedClaudeCode
  let hookFile: string
  beforeAll(async () => {
    claude = await openClaudeCode(scenes, {}, { version })
    hookFile = join(claude.place.folder, 'hook.sh')
  })
  afterAll(() => claude?.close())

  function hookThat(does: string): void {
    writeFileSync(hookFile, `#!/bin/sh\ncat > "${claude.place.folder}/event.json"\n${does}\n`)
    chmodSync(hookFile, 0o755)
  }

  async function outcomeUnder(settings: object): Promise<string> {
    rmSync(join(claude.project, 'runs'), { force: true })
    claude.changeSettings(() => JSON.stringify(settings))
    await claude.say('make it.')
    return claude.exists('runs') ? 'runs' : 'blocked'
  }

  async function outcomeWith(entry: Record<string, unknown>): Promise<string> {
    const hooks = { PreToolUse: [{ matcher: '*', hooks: [entry] }] }
    return outcomeUnder({ permissions: { allow: ['Bash'] }, hooks })
  }

  /** Without `onFailure`, and with it. */
  async function outcomesWith(entry: Record<string, unknown>): Promise<string[]> {
    return [await outcomeWith(entry), await outcomeWith({ ...entry, onFailure: 'block' })]
  }
  const expected = (open: string, closed: string) => [open, version === '2.1.197' ? open : closed]

  it.each([
    // [what the hook does, without onFailure, with "block"]
    ['no objection', 'echo "{}"', 'runs', 'runs'],
    ['a deny', `echo '${deny}'`, 'blocked', 'blocked'],
    // Its user is asked, and with `-p` there is none.
    ['ask', `echo '${ask}'`, 'blocked', 'blocked'],
    ['exit 1', 'echo why >&2; exit 1', 'runs', 'blocked'],
    ['exit 2 with a reason', 'echo why >&2; exit 2', 'blocked', 'blocked'],
    ['exit 2 without one', 'exit 2', 'blocked', 'blocked'],
    ['over the time limit', 'sleep 30; echo "{}"', 'runs', 'blocked'],
    ['text that is no JSON', 'echo hello', 'runs', 'runs'],
    ['half a JSON', 'echo "{"', 'runs', 'runs'],
  ])('command: %s', async (_, script, open, closed) => {
    hookThat(script)
    const entry = { type: 'command', command: hookFile, timeout: 1 }
    expect(await outcomesWith(entry)).toEqual(expected(open, closed))
  })

  it('command: a file that is not there', async () => {
    const entry = { type: 'command', command: join(claude.place.folder, 'gone.sh'), timeout: 1 }
    expect(await outcomesWith(entry)).toEqual(expected('runs', 'blocked'))
  })

  it('its event has the id of the call', async () => {
    hookThat('echo "{}"')
    await outcomeWith({ type: 'command', command: hookFile })
    expect(JSON.parse(claude.read('../event.json'))).toMatchObject({
      tool_name: 'Bash',
      tool_use_id: expect.stringMatching(/./),
      tool_input: { command: 'echo x >> runs' },
    })
  })

  it(`a call that its own rules would ask about ${version === '2.1.197' ? 'is refused without a hook' : 'is left to a hook for that'}`, async () => {
    const decision = { behavior: 'allow' }
    hookThat(
      `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } })}'`,
    )
    const hooks = { PermissionRequest: [{ matcher: '*', hooks: [{ type: 'command', command: hookFile }] }] }
    expect(await outcomeUnder({ hooks })).toBe(version === '2.1.197' ? 'blocked' : 'runs')
  })

  it('an edit is honoured', async () => {
    hookThat(`echo '${edit}'`)
    expect(await outcomeWith({ type: 'command', command: hookFile })).toBe('blocked')
    expect(claude.exists('edited')).toBe(true)
  })

  it('of two that change a call, the one that finishes last wins', async () => {
    const entry = (name: string, wait: string) => {
      const file = join(claude.place.folder, `${name}.sh`)
      const answer = edit.replace('echo y > edited', `touch ${name}`)
      writeFileSync(file, `#!/bin/sh\ncat > /dev/null\n${wait}echo '${answer}'\n`)
      chmodSync(file, 0o755)
      return { matcher: '*', hooks: [{ type: 'command', command: file }] }
    }
    const hooks = { PreToolUse: [entry('slow', 'sleep 1\n'), entry('quick', '')] }
    expect(await outcomeUnder({ permissions: { allow: ['Bash'] }, hooks })).toBe('blocked')
    expect([claude.exists('quick'), claude.exists('slow')]).toEqual([false, true])
  })

  it.runIf(version === '2.1.325')(
    'ask, in a terminal: its user is asked, and nothing runs before',
    async () => {
      hookThat(`echo '${ask}'`)
      const hooks = { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: hookFile }] }] }
      claude.changeSettings(() => JSON.stringify({ permissions: { allow: ['Bash'] }, hooks }))
      rmSync(join(claude.project, 'runs'), { force: true })
      skipFirstRun(claude)
      const terminal = openTerminal(claude, 'make it.')
      try {
        await expect
          .poll(() => terminal.screen().replace(/\s+/g, ' '), { timeout: 40_000 })
          .toMatch(/Do you ?want/)
        expect(claude.exists('runs')).toBe(false)
        terminal.type('1')
        await expect.poll(() => claude.exists('runs'), { timeout: 20_000 }).toBe(true)
      } finally {
        await terminal.kill()
      }
    },
  )

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
      expect(await outcomesWith(entry)).toEqual(expected(open, closed))
    } finally {
      await other.close()
    }
  })

  it('http: nobody listens', async () => {
    const entry = { type: 'http', url: 'http://127.0.0.1:9/hook', timeout: 1 }
    expect(await outcomesWith(entry)).toEqual(expected('runs', 'blocked'))
  })
})
