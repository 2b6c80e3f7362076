/**
 * The real Claude Code with an MCP server of 2026-07-28 behind `banksman mcp`. In a terminal it takes a task in place of an answer, and its model hears
 * the result when there is one. With `-p` it comes back by itself, ten times.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { scene } from '../connected/agent-suite.ts'
import { NEWER_MCP_SERVER, RECORDER } from '../connected/connected-agent.ts'
import { type ClaudeTerminal, openTerminal, skipFirstRun } from './programs/claude-terminal.ts'
import { type ConnectedClaudeCode, openClaudeCode } from './programs/connected-claude-code.ts'

const TOOL = 'mcp__shop__make'
const NAMES = ['approved', 'rejected', 'left', 'killed', 'next', 'later', 'never']

let agent: ConnectedClaudeCode
let terminal: ClaudeTerminal | undefined
/** A file with what Claude Code has sent to the proxy in this test. */
let sent: string

beforeAll(async () => {
  const scenes = NAMES.map((path) => scene(`make ${path}.`, [{ tool: TOOL, arguments: { path } }]))
  agent = await openClaudeCode(scenes, {}, { mcpServer: NEWER_MCP_SERVER })
  skipFirstRun(agent)
  await agent.startServer()
  const { code, stderr } = await agent.banksman('connect', 'claude-code', '--mcp', '--yes')
  expect(code, stderr).toBe(0)
  sent = join(agent.place.folder, 'sent')
  const file = join(agent.home, '.claude.json')
  const settings = JSON.parse(readFileSync(file, 'utf8'))
  const { shop } = settings.mcpServers
  const words = shop.args.flatMap((word: string) => (word === '--name' ? ['--hold', '1s', word] : [word]))
  expect(words).toContain('--hold')
  settings.mcpServers.shop = { ...shop, args: [RECORDER, sent, shop.command, ...words] }
  writeFileSync(file, JSON.stringify(settings))
})
afterEach(async () => {
  await terminal?.kill()
  rmSync(sent, { force: true })
})
afterAll(() => agent?.close())

/** What the model was sent last, of the conversation that began with these words. */
function heard(words: string): string {
  const { messages } = JSON.parse(agent.told(words) || '{"messages":[]}') as { messages: { role: string }[] }
  return JSON.stringify(messages.filter(({ role }) => role !== 'system'))
}
const hears = (words: string) => expect.poll(() => heard(words), { timeout: 40_000 })

/** What Claude Code has sent, by its method. */
function sentOf(method: string): { params: Record<string, unknown> }[] {
  const lines = existsSync(sent) ? readFileSync(sent, 'utf8').split('\n').slice(0, -1) : []
  return lines.map((line) => JSON.parse(line)).filter((message) => message.method === method)
}
const legs = () => sentOf('tools/call').filter(({ params }) => params.requestState !== undefined).length

/** Until the model has been told that the call goes on in the background. */
async function begin(words: string): Promise<string> {
  terminal = openTerminal(agent, words)
  const [request] = await agent.pending()
  await hears(words).toContain('tool_result')
  return request!.id
}

describe('in a terminal', () => {
  it('P4: a call becomes a task, runs once when it is approved, and the model hears its result', async () => {
    const id = await begin('make approved.')
    expect(heard('make approved.')).not.toContain('made approved')
    expect(agent.exists('approved')).toBe(false)
    await agent.decide({ decision: 'approve' })
    await hears('make approved.').toContain('made approved')
    expect(agent.read('approved')).toBe('made\n')
    expect(sentOf('tools/call')).toHaveLength(1)
    expect(sentOf('tasks/get').length).toBeGreaterThan(0)
    expect(await agent.client().get(id)).toMatchObject({ state: 'done', outcome: { kind: 'ok' } })
  })

  it('P5: what is rejected does not run, and the model hears the reason', async () => {
    await begin('make rejected.')
    await agent.decide({ decision: 'reject', reason: 'not on a Friday' })
    await hears('make rejected.').toContain('not on a Friday')
    expect(agent.exists('rejected')).toBe(false)
  })

  it('P5: when Claude Code is killed while the task waits, its request is withdrawn', async () => {
    const id = await begin('make left.')
    await terminal!.kill()
    await expect.poll(async () => (await agent.client().get(id)).state, { timeout: 20_000 }).toBe('cancelled')
    const { digest } = await agent.client().get(id)
    await expect(agent.client().decide(id, { decision: 'approve', digest })).rejects.toThrow()
    expect(agent.exists('left')).toBe(false)
  })

  it('P5: when the proxy is killed with it, nothing runs though the call is approved afterwards', async () => {
    const id = await begin('make killed.')
    const proxy = Number(readFileSync(`${sent}.pid`, 'utf8'))
    // Stopped, it can't withdraw anything. Killed first, it would be started anew.
    process.kill(proxy, 'SIGSTOP')
    await terminal!.kill()
    process.kill(proxy, 'SIGKILL')
    expect((await agent.client().get(id)).state).toBe('pending')
    await agent.decide({ decision: 'approve' })
    // The next Claude Code has a proxy of its own, with other tasks.
    await begin('make next.')
    await agent.decide({ decision: 'approve' })
    await hears('make next.').toContain('made next')
    expect([agent.exists('killed'), agent.read('next')]).toEqual([false, 'made\n'])
    expect((await agent.client().get(id)).state).toBe('approved')
  })
})

describe('with -p', () => {
  it('P4: a call that is approved while it is waited for runs once, and its result is the answer', async () => {
    const done = agent.say('make later.')
    await expect.poll(legs, { timeout: 30_000 }).toBeGreaterThan(1)
    expect(await agent.pending()).toHaveLength(1)
    await agent.decide({ decision: 'approve' })
    await done
    expect(agent.read('later')).toBe('made\n')
    expect(heard('make later.')).toContain('made later')
  })

  it('P5: a call that nobody decides ends with words for the model, and not with a failure of the client', async () => {
    await agent.say('make never.')
    expect(heard('make never.')).toContain('Not refused: waiting')
    expect(legs()).toBe(10)
    expect(agent.exists('never')).toBe(false)
  })
})
