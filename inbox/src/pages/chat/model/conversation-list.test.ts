import { describe, expect, it, onTestFinished } from 'vitest'
import { openTestAgent, waiting } from '../../../../../src/agents/fixtures/test-agent.ts'
import { createClient } from '../../../../../src/client/index.ts'
import { ana, approve, ben } from '../../../../../src/gateway/fixtures/test-gateway.ts'
import { openHttpGateway } from '../../../../../test/fixtures/http-gateway.ts'
import { wireRequest } from '../../../../../test/fixtures/wire-request.ts'
import { createConversationList, newSession, waitingBySession } from './conversation-list.ts'

describe('the list of conversations', () => {
  it('P6: has those of this person, the newest first, without tasks and the sessions of other agents', async () => {
    const script = [
      {
        when: 'delegate',
        steps: [{ calls: [{ tool: 'spawn', arguments: { task: 'note' } }] }, { say: 'done' }],
      },
      { when: 'note', steps: [{ calls: [{ tool: 'note', arguments: { line: 'x' } }] }, { say: 'noted' }] },
      { steps: [{ say: 'hello' }] },
    ]
    const agents = await openTestAgent({ script, policy: { allow: ['spawn'] } })
    const http = await openHttpGateway({ around: agents.setup, http: { conversations: agents.agent } })
    onTestFinished(async () => {
      await http.close()
      await agents.close()
    })
    await agents.say('an old one', 'old')
    agents.setup.clock.jump(1000)
    await agents.say("somebody else's", 'theirs', ben)
    await http.ask({ session: 'of-an-agent' })
    const turn = agents.say('delegate it', 'new', ana)
    const requests = await waiting(agents, 1, 'new.t1.1.0')
    await approve(agents.setup, requests[0]!)
    await turn
    const client = createClient({ url: http.server.address.url, token: http.tokens.ana })
    const list = createConversationList({ client, onRefused: () => {} })
    await list.refresh()
    expect(list.rows.value?.map(({ id, title }) => `${id}: ${title}`)).toEqual([
      'new: delegate it',
      'old: an old one',
    ])
    expect(list.hasMore.value).toBe(false)
    list.close()
  })

  it('counts what waits in a conversation and in what it started, for who may decide it', () => {
    const pending = [
      wireRequest({ id: 'a', session: 'chat-1', yours: true }),
      wireRequest({ id: 'b', session: 'chat-1.t1.2.0.t1.1.0', yours: true }),
      wireRequest({ id: 'c', session: 'chat-1', yours: false }),
      wireRequest({ id: 'd', session: 'a.b.c', yours: true }),
      wireRequest({ id: 'e', session: 'theirs', yours: false }),
      wireRequest({ id: 'f', session: 'asks', kind: 'question', yours: true }),
      wireRequest({ id: 'g', session: 'both', kind: 'question', yours: true }),
      wireRequest({ id: 'h', session: 'both', yours: true }),
    ]
    expect([...waitingBySession(pending)]).toEqual([
      ['chat-1', { yours: 2 }],
      ['a.b.c', { yours: 1 }],
      // It waits for somebody else.
      ['theirs', { yours: 0 }],
      ['asks', { yours: 1, waitsFor: 'answer' }],
      ['both', { yours: 2 }],
    ])
  })

  it('names a new one as nobody else does, also where the browser makes no identifiers', () => {
    expect(newSession(crypto)).toMatch(/^chat-[0-9a-f-]{36}$/)
    const poor = { getRandomValues: crypto.getRandomValues.bind(crypto) }
    expect(newSession(poor)).toMatch(/^chat-[0-9a-f]{32}$/)
    expect(newSession(poor)).not.toBe(newSession(poor))
  })
})
