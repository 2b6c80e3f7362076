/** An MCP server of the real Claude Code behind `banksman mcp`, put there by `connect --mcp`. Its own rules allow the tool, and no hook of ours is there. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scene } from '../connected/agent-suite.ts'
import { type ConnectedClaudeCode, openClaudeCode } from './programs/connected-claude-code.ts'

const TOOL = 'mcp__shop__make'
const make = (path: string) => [{ tool: TOOL, arguments: { path } }]

let agent: ConnectedClaudeCode
let file: string
let before: string

beforeAll(async () => {
  const scenes = [
    ...['allowed', 'denied', 'approved', 'rejected', 'unedited', 'down'].map((name) =>
      scene(`make ${name}.`, make(name)),
    ),
    scene('wait for it.', make('waited'), make('waited')),
  ]
  const policy = {
    rules: [
      { name: 'free', when: { tool: TOOL, arguments: { '/path': { equals: 'allowed' } } }, then: 'allow' },
      { name: 'never', when: { tool: TOOL, arguments: { '/path': { equals: 'denied' } } }, then: 'deny' },
    ],
  }
  agent = await openClaudeCode(scenes, policy)
  file = join(agent.home, '.claude.json')
  before = readFileSync(file, 'utf8')
  await agent.startServer()
  const { code, stderr } = await agent.banksman('connect', 'claude-code', '--mcp', '--yes')
  expect(code, stderr).toBe(0)
})
afterAll(() => agent?.close())

it('P5: runs what the policy allows and what a person approves, and nothing else', async () => {
  await agent.say('make allowed.')
  expect(agent.exists('allowed')).toBe(true)
  await agent.say('make denied.')
  expect(agent.exists('denied')).toBe(false)
  expect(agent.told('make denied.')).toContain('The rules do not allow it')
  const approved = agent.say('make approved.')
  const [request] = await agent.pending()
  expect(request).toMatchObject({ tool: TOOL, arguments: { path: 'approved' } })
  expect(agent.exists('approved')).toBe(false)
  await agent.decide({ decision: 'approve' })
  await approved
  expect(agent.exists('approved')).toBe(true)
  expect(agent.told('make approved.')).toContain('made approved')
  const rejected = agent.say('make rejected.')
  await agent.decide({ decision: 'reject', reason: 'not on a Friday' })
  await rejected
  expect(agent.exists('rejected')).toBe(false)
  expect(agent.told('make rejected.')).toContain('not on a Friday')
})

it('P3: what a person edits is what runs, and the model reads it', async () => {
  const done = agent.say('make unedited.')
  await agent.decide({ decision: 'edit', arguments: { path: 'edited' } })
  await done
  expect([agent.exists('unedited'), agent.exists('edited')]).toEqual([false, true])
  expect(agent.told('make unedited.')).toContain('changed the arguments of this call')
})

it('P4: a call that waited too long is made again, joins its request, and runs once', async () => {
  const wrapped = readFileSync(file, 'utf8')
  // A client that bears five seconds: the model is told to come again.
  writeFileSync(file, wrapped.replace('"--name"', '"--hold","5s","--name"'))
  try {
    const done = agent.say('wait for it.')
    await expect.poll(() => agent.told('wait for it.'), { timeout: 60_000 }).toContain('Not refused: waiting')
    await agent.decide({ decision: 'approve' })
    await done
    expect(agent.exists('waited')).toBe(true)
    expect(agent.told('wait for it.')).toContain('made waited')
    expect(await agent.client().list({ state: 'pending' })).toMatchObject({ items: [] })
  } finally {
    writeFileSync(file, wrapped)
  }
})

it('P5: while the server is down nothing runs, and the model reads why', async () => {
  await agent.server().stop()
  await agent.say('make down.')
  expect(agent.exists('down')).toBe(false)
  expect(agent.told('make down.')).toContain('banksman start')
  await agent.startServer()
})

it('disconnect --mcp takes the proxy out of its file, which it has rewritten meanwhile', async () => {
  const { code, stderr } = await agent.banksman('disconnect', 'claude-code', '--mcp', '--yes')
  expect(code, stderr).toBe(0)
  const now = JSON.parse(readFileSync(file, 'utf8'))
  expect(now.mcpServers).toEqual(JSON.parse(before).mcpServers)
})
