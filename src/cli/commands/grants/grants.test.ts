import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/json/json.ts'
import { type Agent, agentOf } from '../../fixtures/calling-agent.ts'
import { makeCliFolder, type StartedServer } from '../../fixtures/program.ts'
import { runInProcess } from '../../fixtures/recording-terminal.ts'

const place = makeCliFolder()
let server: StartedServer
let agent: Agent
beforeAll(async () => {
  server = await place.start()
  agent = agentOf(server)
})
afterAll(() => place.remove())

const run = (...args: string[]) => runInProcess(args, place.folder, place.environment)
const approve = (id: string, ...args: string[]) => run('requests', 'approve', id, '--yes', ...args)

const ask = (args: JsonObject) => agent.ask(args, 'write_note')

async function live(): Promise<{ id: string; words: string; requestId: string }[]> {
  return JSON.parse((await run('grants', 'list', '--json')).stdout).items
}

describe('grants', () => {
  it('are offered with the request, with what each would have matched', async () => {
    await ask({ title: 'one', list: 'groceries' })
    const { id } = await ask({ title: 'two', list: 'groceries' })
    const { stdout } = await run('requests', 'show', id)
    expect(stdout).toContain('What an approval can allow beyond this call')
    expect(stdout).toMatch(/^ {2}call +exactly this call/m)
    expect(stdout).toMatch(/^ {2}tool +write_note/m)
    expect(stdout).toMatch(/would have matched 1 of 1 calls in the last 30 days, 1 of which needed approval/)
    const { suggestions } = JSON.parse((await run('requests', 'show', id, '--json')).stdout)
    expect(suggestions[0]).toMatchObject({
      id: 'call',
      width: 'call',
      matched: { calls: 0, of: 1, days: 30 },
    })
    expect(suggestions.at(-1)).toMatchObject({ id: 'tool', width: 'tool', matched: { calls: 1, asked: 1 } })
    await run('requests', 'reject', id)
    expect((await run('requests', 'show', id)).stdout).not.toContain('What an approval can allow')
  })

  it('are left behind as wide, as long and as often as is said, listed, and revoked', async () => {
    const { id, session } = await ask({ title: 'three' })
    const args = ['--scope', 'session', '--grant', 'tool', '--for', '1h', '--uses', '2']
    const approved = await approve(id, ...args)
    expect(approved).toMatchObject({ code: 0 })
    expect(approved.stderr).toMatch(/^ {2}tool +write_note/m)
    expect(approved.stderr).not.toMatch(/^ {2}call +exactly/m)

    const { stdout } = await run('grants', 'list')
    expect(stdout).toMatch(/^grt_\w+ {2}write_note: /)
    expect(stdout).toContain(`in session ${session}; by ana on `)
    expect(stdout).toContain(`with ${id}; used 0 times, 2 left; until `)
    const call = { tool: 'write_note', arguments: { title: 'four' }, callId: 'by-grant', session }
    expect((await agent.client.submit(call)).verdict).toMatchObject({ kind: 'allow' })
    expect((await run('grants', 'list')).stdout).toContain('used 1 time, 1 left')

    const [grant] = await live()
    expect(await run('grants', 'revoke', grant!.id)).toMatchObject({
      code: 0,
      stdout: `${grant!.id} is revoked\n`,
    })
    expect((await agent.client.submit({ ...call, callId: 'asked' })).verdict.kind).toBe('ask')
    expect(await run('grants', 'list')).toMatchObject({
      stdout: '',
      stderr: 'No active grants. --all lists the others.\n',
    })
    expect((await run('grants', 'list', '--all')).stdout).toMatch(/ {2}REVOKED\n[\s\S]*revoked by ana on /)
    expect((await run('grants', 'revoke', 'grt_none')).stderr).toContain('there is no grant `grt_none`')
  })

  it('for exactly one call show which', async () => {
    const { id } = await ask({ title: 'the very one' })
    await approve(id, '--scope', 'always')
    const [grant] = (await live()).filter(({ requestId }) => requestId === id)
    expect(grant?.words).toMatch(/^exactly this call: .*the very one/)
    await run('grants', 'revoke', grant!.id)
  })

  it.each([
    [['--grant', 'tool'], 'give --scope session or --scope always'],
    [['--scope', 'once', '--for', '1h'], 'give --scope session or --scope always'],
    [
      ['--scope', 'always', '--for', 'soon'],
      '--for must be a duration of at most 365d, as in 15m, 8h or 30d; found soon',
    ],
    [['--scope', 'always', '--for', '0s'], 'found 0s'],
    [['--scope', 'always', '--for', '366d'], 'found 366d'],
    [['--scope', 'always', '--uses', '0'], '--uses must be a whole number from 1 on; found 0'],
    [['--scope', 'always', '--uses', '-1'], '--uses'],
    [['--scope', 'always', '--grant', 'all'], '--grant all is not offered on this request; it takes call, '],
  ])('P5: %j approves nothing, and says why', async (args, message) => {
    const { id } = await ask({ title: 'kept waiting' })
    const { code, stderr } = await approve(id, ...args)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
    expect((await agent.client.get(id)).state).toBe('pending')
    expect(await live()).toEqual([])
  })

  it('P11: an agent’s token neither sees nor revokes them', async () => {
    for (const args of [['list'], ['revoke', 'grt_x']]) {
      const { code, stderr } = await run('grants', ...args, '--token-file', server.agentTokenFile)
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("a person's credential") })
    }
  })
})
