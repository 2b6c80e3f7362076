/** Sessions whose calls come from outside: when they were last heard, and where they work. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { openTestAgent, waiting } from '../../../agents/fixtures/test-agent.ts'
import { createClient } from '../../../client/index.ts'
import * as claude from '../../../coding-agents/claude-code/fixtures/events.ts'
import { type HookGateway, made, openHookGateway, wanted } from '../hooks/fixtures/hook-gateway.ts'

async function open(): Promise<HookGateway & { list(query?: string): Promise<Record<string, unknown>[]> }> {
  const http = await openHookGateway()
  onTestFinished(() => http.close())
  return {
    ...http,
    list: async (query = 'connected=true') =>
      (await http.send('GET', `/v1/sessions?${query}`, { as: 'ben' })).json.items,
  }
}

describe('a session whose calls come from outside', () => {
  it('is listed with whose it is, its folder and when it was last heard, whatever its calls came through', async () => {
    const http = await open()
    await http.hook(wanted({ tool_name: 'Read', tool_input: { file_path: '/srv/shop/a.ts' } }))
    await http.setup.gateway.flush()
    const [{ createdAt }] = (await http.list()) as [{ createdAt: string }]
    await http.setup.clock.advance(120_000)
    // What is heard after a call says nothing of the folder; the one from before stays.
    await http.hook(made(claude.preToolUse))
    const call = { arguments: {}, callId: 'c1' }
    await http.send('POST', '/v1/holds', {
      as: 'agent-2',
      body: { call: { ...call, tool: 'deploy', session: 'program', cwd: '/srv/web' }, key: 'k'.repeat(32) },
    })
    await http.send('POST', '/v1/mcp/files/holds', {
      as: 'agent-1',
      body: {
        call: { ...call, tool: 'mcp__files__read', session: 'mcp-files' },
        key: 'k'.repeat(32),
        mcp: { method: 'tools/call', program: ['files'], definition: { name: 'read' } },
      },
    })
    const now = new Date(http.setup.clock.now()).toISOString()
    expect(await http.list()).toMatchObject([
      { id: expect.any(String), heard: { at: now }, lastAt: now },
      { id: expect.any(String), heard: { at: now }, lastAt: now },
      { owner: 'claude-code@host', createdAt, heard: { at: now, folder: '/srv/shop' }, lastAt: now },
    ])
    const byId = new Map((await http.list()).map((row) => [row.id, row]))
    expect(byId.get('program')).toMatchObject({ owner: 'agent-2', heard: { folder: '/srv/web' } })
    expect(byId.get('mcp-files')).toMatchObject({ owner: 'agent-1' })
    expect(byId.get('mcp-files')?.heard).not.toHaveProperty('folder')
    const { json } = await http.send('GET', '/v1/sessions/program', { as: 'eve' })
    expect(json).toMatchObject({ owner: 'agent-2', heard: { at: now, folder: '/srv/web' }, modes: [] })
    expect(json).not.toHaveProperty('chat')
  })

  it('P6: a call in the name of the session of another agent changes nothing of what is said of it', async () => {
    const http = await open()
    await http.ask({ session: 'one', cwd: '/srv/shop' })
    const before = await http.list()
    await http.setup.clock.advance(120_000)
    const body = { tool: 'deploy', arguments: {}, callId: 'x', session: 'one', cwd: '/tmp/evil' }
    const { status } = await http.send('POST', '/v1/calls', { as: 'agent-2', body })
    expect(status).toBe(403)
    expect(await http.list()).toEqual(before)
  })

  it('keeps its folder when a call comes that is refused for its length', async () => {
    const http = await open()
    await http.ask({ session: 'one', cwd: '/srv/shop' })
    expect((await http.list())[0]).toMatchObject({ heard: { folder: '/srv/shop' } })
    const long = {
      as: 'agent-1',
      body: { tool: 'deploy', arguments: {}, callId: 'y', session: 'one' },
    } as const
    await http.send('POST', '/v1/calls', { ...long, body: { ...long.body, cwd: `/${'a'.repeat(5000)}` } })
    expect((await http.list())[0]).toMatchObject({ heard: { folder: '/srv/shop' } })
    expect(http.setup.faults).toEqual([])
  })

  it('is told from a conversation with our agent, which has its place in the chat for who may read it', async () => {
    const script = [{ steps: [{ calls: [{ tool: 'note', arguments: { line: 'x' } }] }, { say: 'Done.' }] }]
    const agents = await openTestAgent({ script, policy: {} })
    const http = await openHookGateway({ around: agents.setup, http: { conversations: agents.agent } })
    onTestFinished(async () => {
      await http.close()
      await agents.close()
    })
    const as = (who: 'ana' | 'ben' | 'eve') =>
      createClient({ url: `http://${http.host}`, token: http.tokens[who] })
    const { id: outside } = await http.ask({ session: 'first' })
    await http.setup.clock.advance(10)
    await as('ben').say('talk', 'Note this')
    await waiting(agents, 1, 'talk')
    await http.setup.clock.advance(10)
    await http.ask({ session: 'second' })
    const first = await as('eve').sessions({ connected: true, limit: 1 })
    const rest = await as('eve').sessions({ connected: true, limit: 1, cursor: first.cursor! })
    expect([first, rest].map(({ items }) => items.map(({ id }) => id))).toEqual([['second'], ['first']])
    expect(await as('ben').session('talk')).toMatchObject({ chat: true })
    expect(await as('eve').session('talk')).not.toHaveProperty('chat')
    expect(await as('ben').session('talk')).not.toHaveProperty('heard')
    const [inTalk] = (await as('ben').list({ session: 'talk' })).items
    expect((await as('ben').view(inTalk!.id)).chat).toBe(true)
    for (const [who, id] of [
      ['eve', inTalk!.id],
      ['ben', outside],
    ] as const)
      expect(await as(who).view(id)).not.toHaveProperty('chat')
  })
})
