/** At a real terminal, against a real server: what the pure tests can't see. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Agent, agentOf } from '../fixtures/calling-agent.ts'
import { makeCliFolder, type StartedServer } from '../fixtures/program.ts'
import { openSession, WITHOUT_TERMINAL } from '../fixtures/pseudo-terminal.ts'

if (WITHOUT_TERMINAL !== undefined) console.warn(`SKIPPED: the tests at a terminal: ${WITHOUT_TERMINAL}`)

describe.skipIf(WITHOUT_TERMINAL !== undefined && process.env.CI !== 'true')('at a terminal', () => {
  const place = makeCliFolder()
  let server: StartedServer
  let agent: Agent
  beforeAll(async () => {
    server = await place.start()
    agent = agentOf(server)
  })
  afterAll(() => place.remove())

  it('P3: requests watch approves, rejects, edits, and tells when others were faster', async () => {
    const editor = join(place.folder, 'editor.sh')
    writeFileSync(editor, 'sed -i s/hello/goodbye/ "$1"\n')
    const approved = await agent.ask({ path: 'first.txt', content: 'rm\u202e\u001b[2J' })
    const session = openSession(place, ['requests', 'watch'], { EDITOR: `sh ${editor}` })
    await session.see('Watching as ana')
    await session.see('first.txt')
    await session.see('⟨U+202E RLO⟩')
    await session.typeUntil('y', 'Approved.')
    expect((await agent.client.get(approved.id)).state).toBe('approved')

    // The result is told here, too.
    const claim = await agent.client.claim(approved.id, { digest: approved.digest, key: 'key' })
    await agent.client.report(approved.id, {
      claimId: claim.claimId,
      outcome: 'ok',
      summary: 'it is written',
    })
    await session.see('it is written')

    const rejected = await agent.ask({ path: 'second.txt' })
    await session.see('second.txt')
    session.type('yes please do\r')
    await session.see('Several keys at once are not an answer; press one key.')
    expect((await agent.client.get(rejected.id)).state).toBe('pending')
    await session.typeUntil('n', 'Reason, which the agent reads')
    session.type('\u0015use staging\r')
    await session.see('Rejected.')
    expect(await agent.client.get(rejected.id)).toMatchObject({
      state: 'rejected',
      decision: { reason: 'use staging' },
    })

    const edited = await agent.ask({ path: 'third.txt', content: 'hello' })
    await session.see('third.txt')
    await session.typeUntil('e', 'Approve the call with these arguments?')
    expect(session.screen()).toContain('"content": "goodbye"')
    await session.typeUntil('y', 'Approved with your changes.')
    const { digest } = await agent.client.get(edited.id)
    expect((await agent.client.claim(edited.id, { digest, key: 'key' })).arguments).toEqual({
      path: 'third.txt',
      content: 'goodbye',
    })

    const elsewhere = await agent.ask({ path: 'fourth.txt' })
    await session.see('fourth.txt')
    expect((await place.run(['requests', 'reject', elsewhere.id])).code).toBe(0)
    await session.see('This request no longer needs you: rejected (ana)')

    await session.see('No pending requests')
    session.type('q')
    expect(await session.end()).toBe(0)
  })

  it('requests watch goes on after the server was restarted', async () => {
    const session = openSession(place, ['requests', 'watch'], { LANG: 'zh_CN.UTF-8' })
    await session.see('正以 ana 的身份查看')
    await session.see('没有待处理的请求')
    const { port } = new URL(server.url)
    await server.stop()
    await session.see('连接已断开')
    server = await place.start(['--port', port])
    agent = agentOf(server)
    await session.see('已重新连接')
    await agent.ask({ path: 'after-the-restart.txt' })
    await session.see('after-the-restart.txt')
    session.type('\u0003')
    expect(await session.end()).toBe(0)
  })

  it('requests approve takes no answer that was typed before the question appeared', async () => {
    const request = await agent.ask({ path: 'typed-ahead.txt' })
    const session = openSession(place, ['requests', 'approve', request.id])
    session.type('y\ny\ny\n')
    await session.see('typed before the question appeared')
    expect((await agent.client.get(request.id)).state).toBe('pending')
    await session.typeUntil('y\r', 'approved, not run yet')
    expect(await session.end()).toBe(0)
  })

  it('requests approve takes no for an answer, and Ctrl-C', async () => {
    const request = await agent.ask({ path: 'no.txt' })
    const session = openSession(place, ['requests', 'approve', request.id])
    await session.see('Approve it?')
    await session.typeUntil('\r', 'not approved')
    expect(await session.end()).toBe(1)
    const other = openSession(place, ['requests', 'approve', request.id])
    await other.see('Approve it?')
    other.type('\u0003')
    await other.see('not approved')
    expect(await other.end()).toBe(1)
    expect((await agent.client.get(request.id)).state).toBe('pending')
  })

  it('trust asks before it trusts, and colours only what a person looks at', async () => {
    writeFileSync(join(place.folder, 'banksman.yaml'), 'policy:\n  mode: bypass\n')
    const session = openSession(place, ['trust'])
    await session.see('mode: bypass')
    await session.typeUntil('n\r', 'not trusted')
    expect(await session.end()).toBe(1)
    expect(session.screen()).toMatch(/\u001b\[33m\S+banksman\.yaml:2:3: warning: mode: bypass/)
    const plain = openSession(place, ['trust'], { NO_COLOR: '1' })
    await plain.typeUntil('y\r', 'is trusted')
    expect(await plain.end()).toBe(0)
    expect(plain.screen()).not.toContain('\u001b[33m')
  })
})
