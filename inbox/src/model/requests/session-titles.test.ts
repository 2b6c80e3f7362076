import { effect } from '@preact/signals'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openTestAgent } from '../../../../src/agents/fixtures/test-agent.ts'
import { createClient, type WireRequest } from '../../../../src/client/index.ts'
import { openHttpGateway } from '../../../../test/fixtures/http-gateway.ts'
import { until } from '../../../../test/fixtures/until.ts'
import { createSessionTitles } from './session-titles.ts'

const ORIGIN = { channel: 'inbox' }

/** A real agent with a scripted model behind a real server; `asked` are the sessions that the page asked for. */
async function open(who: 'ana' | 'ben') {
  const agents = await openTestAgent({ script: [{ steps: [{ say: 'Yes.' }] }], policy: {} })
  const http = await openHttpGateway({ around: agents.setup, http: { conversations: agents.agent } })
  const asked: string[] = []
  const client = createClient({
    url: `http://${http.host}`,
    token: http.tokens[who],
    fetch(url, init) {
      asked.push(decodeURIComponent(/sessions\/([^/]+)\//.exec(url)?.[1] ?? ''))
      return fetch(url, init)
    },
  })
  const titles = createSessionTitles({ client })
  onTestFinished(async () => {
    titles.close()
    await http.close()
    await agents.close()
  })
  const say = (session: string, text: string) =>
    createClient({ url: `http://${http.host}`, token: http.tokens.ana }).say(session, text)
  return { titles, asked, say }
}

type Of = Pick<WireRequest, 'session' | 'origin'>

function follow(titles: ReturnType<typeof createSessionTitles>, of: Of): { now: string | undefined } {
  const seen: { now: string | undefined } = { now: undefined }
  const stop = effect(() => {
    seen.now = titles.titleOf(of)
  })
  onTestFinished(stop)
  return seen
}

describe('the titles of conversations', () => {
  it('are their first words on one line, for agents below too, and are asked for once', async () => {
    const { titles, asked, say } = await open('ana')
    await say('chat-1', 'Publish\n\tthe release')
    const seen = follow(titles, { session: 'chat-1', origin: ORIGIN })
    const below = follow(titles, { session: 'chat-1.t1.1.0', origin: ORIGIN })
    await until(() => seen.now !== undefined)
    expect([seen.now, below.now]).toEqual(['Publish the release', 'Publish the release'])
    expect(titles.knownTitleOf({ session: 'chat-1' })).toBe('Publish the release')
    expect(asked).toEqual(['chat-1'])
  })

  it('P9: say where they are cut, and show what can not be seen', async () => {
    const { titles, say } = await open('ana')
    await say('chat-1', `\u202e${'x'.repeat(200)}`)
    const seen = follow(titles, { session: 'chat-1', origin: ORIGIN })
    await until(() => seen.now !== undefined)
    expect(seen.now).toMatch(/^⟨.*⟩x+…$/)
    expect(seen.now).not.toContain('\u202e')
  })

  it('P6: are not told to who may not read the conversation', async () => {
    const { titles, asked, say } = await open('ben')
    await say('chat-1', 'between ana and the agent')
    const seen = follow(titles, { session: 'chat-1', origin: ORIGIN })
    await until(() => asked.length === 1)
    const other = follow(titles, { session: 'chat-2', origin: ORIGIN })
    await until(() => asked.length === 2)
    expect([seen.now, other.now]).toEqual([undefined, undefined])
  })

  it('are not asked for where other agents named the session', async () => {
    const { titles, asked } = await open('ana')
    expect(titles.titleOf({ session: 's1' })).toBeUndefined()
    expect(titles.knownTitleOf({ session: 's1' })).toBeUndefined()
    expect(asked).toEqual([])
  })
})
