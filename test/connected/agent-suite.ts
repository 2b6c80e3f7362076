/**
 * What every connected coding agent does with the answers of policy and people, and when nobody gives any. Each test makes a file of its own name, if it is
 * let. The agent's own rules allow everything: whatever isn't stopped by the hook runs.
 */
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json/json.ts'
import { type ConnectedAgent, type Scenes, standIn } from './connected-agent.ts'

export interface ScriptedCall {
  tool: string
  arguments?: JsonObject
  argumentsText?: string
}

/** In answer to these words: each list is one answer of the model. */
export function scene(when: string, ...steps: ScriptedCall[][]) {
  return {
    when,
    steps: [
      ...steps.map((calls) => ({ calls: calls.map((call) => ({ ...call, id: `call_${randomUUID()}` })) })),
      { say: 'Done.' },
    ],
  }
}

export const SUITE_POLICY = { allow: ['Bash(touch allowed*)'], deny: ['Bash(touch denied*)'] }

const json = 'application/json'
/** Answers of somebody else at our address; undefined: none. */
const NONSENSE = {
  status: { status: 500, type: json, body: '{}' },
  page: { status: 200, type: 'text/html', body: '<html>Hello</html>' },
  garbage: { status: 200, type: json, body: '{"hookSpecificOutput":' },
  empty: { status: 200, type: json, body: '' },
}

/** `make x.` runs `touch x`, and `mcp x.` has the tool of an MCP server make it. */
export function suiteScenes(
  shell: (command: string) => ScriptedCall,
  mcpTool: string,
  more: readonly string[] = [],
) {
  const names = [
    'allowed',
    'denied',
    'approved',
    'rejected',
    'down',
    'allowed-again',
    'stopped',
    'allowed-later',
    ...Object.keys(NONSENSE),
    ...more,
  ]
  return [
    ...names.map((name) => scene(`make ${name}.`, [shell(`touch ${name}`)])),
    ...['mcp-approved', 'mcp-rejected'].map((path) =>
      scene(`${path}.`, [{ tool: mcpTool, arguments: { path } }]),
    ),
    scene('edit it.', [shell('touch unedited')]),
    scene('both at once.', [shell('echo x >> both'), shell('echo x >> both')]),
    scene('twice in a row.', [shell('echo x >> twice')], [shell('echo x >> twice')]),
  ] satisfies Scenes
}

export function describeAgent(
  name: string,
  agentOf: () => ConnectedAgent,
  /** Where somebody else could be in the server's place. */
  address: () => { port: number } | { path: string },
  /** As the policy knows it. */
  mcpTool: string,
  /** Nonsense that the agent itself takes for a yes. */
  believes: readonly string[] = [],
): void {
  it('what the policy allows runs, and is on record', async () => {
    const agent = agentOf()
    await agent.say('make allowed.')
    expect(agent.exists('allowed')).toBe(true)
    const { items } = await agent.client().history({ verdict: 'allow', limit: 5 })
    const submittedBy = expect.stringMatching(new RegExp(`^${name}@.`))
    expect(items[0]).toMatchObject({ call: { tool: 'Bash', submittedBy } })
  })

  it('what the policy denies does not run, and the model reads why', async () => {
    const agent = agentOf()
    await agent.say('make denied.')
    expect(agent.exists('denied')).toBe(false)
    expect(agent.told('make denied.')).toContain('is on the deny list')
  })

  it('P3: what a person approves runs, and is reported as done', async () => {
    const agent = agentOf()
    const done = agent.say('make approved.')
    const [request] = await agent.pending()
    expect(request).toMatchObject({ tool: 'Bash', cwd: agent.project, agent: { name } })
    expect(agent.exists('approved')).toBe(false)
    const id = await agent.decide({ decision: 'approve' })
    await done
    expect(agent.exists('approved')).toBe(true)
    expect(await agent.client().get(id)).toMatchObject({ state: 'done', outcome: { kind: 'ok' } })
  })

  it('what a person rejects does not run, and the model reads the reason', async () => {
    const agent = agentOf()
    const done = agent.say('make rejected.')
    await agent.decide({ decision: 'reject', reason: 'use the other folder' })
    await done
    expect(agent.exists('rejected')).toBe(false)
    expect(agent.told('make rejected.')).toContain('use the other folder')
  })

  it('P3: what a person edits runs as edited, and the model is told', async () => {
    const agent = agentOf()
    const done = agent.say('edit it.')
    const [request] = await agent.pending()
    const edited = { ...request!.arguments, command: 'touch edited' }
    await agent.decide({ decision: 'edit', arguments: edited })
    await done
    expect([agent.exists('unedited'), agent.exists('edited')]).toEqual([false, true])
    expect(agent.told('edit it.')).toContain('touch edited')
  })

  it.each([
    ['two identical calls at once are two requests', 'both at once.', 'both'],
    ['P4: the same call twice in a row is asked about twice', 'twice in a row.', 'twice'],
  ])('%s', async (_, words, file) => {
    const agent = agentOf()
    const done = agent.say(words)
    const first = await agent.decide({ decision: 'approve' })
    const second = await agent.decide({ decision: 'reject' })
    await done
    expect(second).not.toBe(first)
    expect(agent.read(file)).toBe('x\n')
  })

  it('P5: a tool of an MCP server runs if a person approves it, and not before', async () => {
    const agent = agentOf()
    const approved = agent.say('mcp-approved.')
    const [request] = await agent.pending()
    expect(request).toMatchObject({ tool: mcpTool, arguments: { path: 'mcp-approved' } })
    expect(agent.exists('mcp-approved')).toBe(false)
    await agent.decide({ decision: 'approve' })
    await approved
    expect(agent.exists('mcp-approved')).toBe(true)
    const rejected = agent.say('mcp-rejected.')
    await agent.decide({ decision: 'reject', reason: 'not by this tool' })
    await rejected
    expect(agent.exists('mcp-rejected')).toBe(false)
    expect(agent.told('mcp-rejected.')).toContain('not by this tool')
  })

  describe('P5: the call does not run', () => {
    it.each(Object.entries(NONSENSE))(
      'when somebody answers nonsense at our address: %s',
      async (file, answer) => {
        const agent = agentOf()
        await agent.server().stop('SIGKILL')
        const other = await standIn(address(), answer)
        try {
          await agent.say(`make ${file}.`)
          expect(agent.exists(file)).toBe(believes.includes(file))
        } finally {
          await other.close()
          await agent.startServer()
        }
      },
    )

    it('when the server is down, and it runs again when the server does', async () => {
      const agent = agentOf()
      await agent.server().stop('SIGKILL')
      await agent.say('make down.')
      expect(agent.exists('down')).toBe(false)
      const { code, stdout } = await agent.banksman('connect')
      expect([code, stdout]).toEqual([0, expect.stringMatching(/isn't running/)])
      await agent.startServer()
      await agent.say('make allowed-again.')
      expect(agent.exists('allowed-again')).toBe(true)
    })
  })

  it('P5: a call of an agent that was stopped while it waited does not run, though a person approves it later', async () => {
    const agent = agentOf()
    const stop = new AbortController()
    const done = agent.say('make stopped.', stop.signal)
    await agent.pending()
    stop.abort()
    await done
    await agent.decide({ decision: 'approve' })
    await agent.say('make allowed-later.')
    expect([agent.exists('stopped'), agent.exists('allowed-later')]).toEqual([false, true])
  })

  it('`banksman connect` and `doctor` say that it works', async () => {
    const agent = agentOf()
    const { stdout, code } = await agent.banksman('connect')
    const title = { 'claude-code': 'Claude Code', codex: 'Codex', opencode: 'opencode' }[name]
    expect(stdout).toMatch(new RegExp(`^ok {4}${title}: .*every call is checked; last event`, 'm'))
    expect(code).toBe(0)
    expect((await agent.banksman('doctor')).stdout).toMatch(new RegExp(`^ok {4}${title}: `, 'm'))
  })
}
