import { afterEach, describe, expect, it } from 'vitest'
import { defined } from '../../core/defined.ts'
import type { CallRecord } from '../../stores/store.ts'
import { callRecord, sessionDraft } from '../../testing/store/drafts.ts'
import {
  aCall,
  agent,
  ana,
  approve,
  ask,
  askedRequest,
  ben,
  eve,
  openTestGateway,
  policyFrom,
  type TestGateway,
} from '../fixtures/test-gateway.ts'
import type { FoundCall, HistorySearch } from './search-history.ts'

let setup: TestGateway
afterEach(() => setup.close())

const SECRET = `ghp_${'a1B2'.repeat(9)}`

/** `read_*` is allowed, `drop` is denied, all else is asked: `pay` by two rules. */
const policy = policyFrom(({ tool }) => {
  if (tool.startsWith('read_')) return { kind: 'allow', because: 'reading is fine', rule: 'reads' }
  if (tool === 'drop') return { kind: 'deny', because: 'never drop', rule: 'no drops' }
  return ask(tool === 'pay' ? 'money' : 'default')
})

async function open(options: Parameters<typeof openTestGateway>[0] = {}): Promise<void> {
  setup = await openTestGateway({ policy, ...options })
}

async function settle(tool: string, parts: Parameters<typeof aCall>[0] = {}): Promise<void> {
  await setup.gateway.review(aCall({ tool, ...parts }), agent)
  await setup.gateway.flush()
}

/** So many calls at once, past the gateway. */
async function record(count: number, over: (index: number) => Partial<CallRecord>): Promise<void> {
  const entry = { chain: 'x', type: 'calls.judged' as const, body: '{}', committed: () => {} }
  const session = sessionDraft('s1')
  const calls = Array.from({ length: count }, (_, index) => ({
    session,
    call: callRecord(`c${index}`, over(index)),
  }))
  await setup.store.recordAll({ calls, entry })
}

const search = (query: HistorySearch = {}, actor = ana) => setup.gateway.history.search(query, actor)
const nameOf = (item: FoundCall) => (item.kind === 'asked' ? item.request.callId : item.call.callId)
const names = async (query: HistorySearch = {}) => (await search(query)).items.map(nameOf)

describe('the history', () => {
  it('has every call, the last committed first, with the request where people were asked', async () => {
    await open()
    await settle('read_file', { callId: 'a' })
    const request = await askedRequest(setup, { callId: 'b' })
    await settle('drop', { callId: 'c' })
    const page = await search()
    expect(page.items.map(nameOf)).toEqual(['c', 'b', 'a'])
    expect(page.items[1]).toEqual({ kind: 'asked', request })
    expect(page.items[2]).toMatchObject({ kind: 'settled', call: { verdict: 'allow', rule: 'reads' } })
    expect(JSON.stringify(page.items)).not.toContain('"commitmentKey":""')
    expect(page.items[0]).not.toHaveProperty('call.commitmentKey')
    expect([page.looked, page.cursor, page.back]).toEqual([3, undefined, setup.clock.now()])
  })

  it("P11: is not for an agent's credential, whoever's calls they are", async () => {
    await open()
    await expect(search({}, agent)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(search({ session: 'session-1' }, agent)).rejects.toMatchObject({ code: 'forbidden' })
    expect((await search({}, eve)).looked).toBe(0)
  })

  it('goes on where it stopped: every call once, whatever the size of a page and whatever comes meanwhile', async () => {
    await open()
    const all: string[] = []
    for (let index = 0; index < 130; index++) {
      const callId = `n${index}`
      if (index % 3 === 0) await askedRequest(setup, { callId, session: `s${index % 2}` })
      else await setup.gateway.review(aCall({ callId, tool: 'read_file', session: `s${index % 2}` }), agent)
      await setup.gateway.flush()
      all.unshift(callId)
    }
    for (const [limit, query] of [
      [1, {}],
      [7, {}],
      [50, {}],
      [200, {}],
      [3, { verdict: 'ask' }],
      [13, { session: 's1' }],
      [60, { tool: 'read_*' }],
    ] as [number, HistorySearch][]) {
      const found: string[] = []
      let cursor: string | undefined
      let looked = 0
      for (let turn = 0; turn < 200; turn++) {
        const page = await search({ ...query, limit, ...defined({ cursor }) })
        expect(page.items.length).toBeLessThanOrEqual(limit)
        found.push(...page.items.map(nameOf))
        looked += page.looked
        cursor = page.cursor
        if (turn === 0 && limit === 7) {
          await askedRequest(setup, { callId: 'meanwhile', session: 'other' })
          all.unshift('meanwhile')
        }
        if (cursor === undefined) break
      }
      expect(looked).toBe(limit === 7 ? 130 : all.length)
      const wanted = limit === 7 ? all.slice(1) : all
      expect(found).toEqual(wanted.filter((callId) => isWanted(callId, query)))
    }
  })

  it('looks at 2,000 calls at most, and says where to go on although it found nothing', async () => {
    await open()
    await record(2100, (index) => ({ createdAt: index }))
    const first = await search({ text: 'nowhere' })
    expect(first).toMatchObject({ items: [], looked: 2000, back: 100 })
    const second = await search({ text: 'nowhere', cursor: first.cursor! })
    expect(second).toEqual({ items: [], looked: 100, back: 0 })
    // Long before the end: nothing that follows can be new enough.
    expect(await search({ since: 2050 })).toMatchObject({ items: { length: 50 }, looked: 50 })
    const recent = await search({ since: 2050, limit: 200 })
    expect([recent.items.length, recent.cursor, recent.looked < 200]).toEqual([50, undefined, true])
  })

  it('looks at no more than so many characters, since a call may hold a megabyte', async () => {
    await open()
    const bytes = `{"arguments":{"big":"${'x'.repeat(700_000)}"},"tool":"read_file","v":1}`
    await record(60, () => ({ bytes }))
    const first = await search({ text: 'nowhere' })
    expect(first.looked).toBe(48)
    expect((await search({ text: 'nowhere', cursor: first.cursor! })).looked).toBe(12)
  })
})

describe('filters', () => {
  async function fill(): Promise<void> {
    await open()
    await settle('read_file', { callId: 'read', arguments: { path: 'src/Main.ts' } })
    await settle('drop', { callId: 'drop', session: 'session-2' })
    const approved = await askedRequest(setup, { callId: 'approved', tool: 'pay', arguments: { to: 'Zoë' } })
    await approve(setup, approved, ben)
    await setup.clock.advance(1000)
    const rejected = await askedRequest(setup, { callId: 'rejected' })
    await setup.gateway.decide(rejected.id, { decision: 'reject', digest: rejected.digest }, ana)
    await askedRequest(setup, { callId: 'pending', session: 'session-2' })
  }

  it.each<[HistorySearch, string[]]>([
    [{ verdict: 'allow' }, ['read']],
    [{ verdict: 'deny' }, ['drop']],
    [{ verdict: 'ask' }, ['pending', 'rejected', 'approved']],
    [{ state: 'pending' }, ['pending']],
    [{ state: 'rejected', verdict: 'ask' }, ['rejected']],
    [{ state: 'rejected', verdict: 'allow' }, []],
    [{ tool: 'pay' }, ['approved']],
    [{ tool: 'PAY' }, []],
    [{ tool: 'r*d*' }, ['read']],
    [{ tool: '*p*' }, ['pending', 'rejected', 'approved', 'drop']],
    [{ tool: '.*' }, []],
    [{ session: 'session-2' }, ['pending', 'drop']],
    [{ by: 'ana' }, ['rejected']],
    [{ by: 'ben' }, ['approved']],
    [{ by: 'agent-1' }, []],
    [{ rule: 'money' }, ['approved']],
    [{ rule: 'reads' }, ['read']],
    [{ rule: 'default', session: 'session-2' }, ['pending']],
    [{ text: 'SRC/main' }, ['read']],
    [{ text: 'zoË' }, ['approved']],
    [{ text: 'NEVER' }, ['drop']],
    [{ text: 'money ASKS' }, ['approved']],
    [{ text: 'Read_' }, ['read']],
    [{ text: 'path: nowhere' }, []],
  ])('%j', async (query, wanted) => {
    await fill()
    expect(await names(query)).toEqual(wanted)
  })

  it('by time: from a moment on, and before another', async () => {
    await fill()
    const now = setup.clock.now()
    expect(await names({ since: now })).toEqual(['pending', 'rejected'])
    expect(await names({ until: now })).toEqual(['approved', 'drop', 'read'])
    expect(await names({ since: now - 1000, until: now })).toEqual(['approved', 'drop', 'read'])
    expect(await names({ since: now + 1 })).toEqual([])
  })

  it('by who voted, before and after it is decided', async () => {
    const two = policyFrom(() => ask('two', { approvers: ['ana', 'ben'], quorum: 2 }))
    await open({ policy: two })
    const request = await askedRequest(setup, { callId: 'both' })
    await approve(setup, request, ben)
    expect([await names({ by: 'ben' }), await names({ by: 'ana' })]).toEqual([['both'], []])
    await approve(setup, request, ana)
    expect([await names({ by: 'ben' }), await names({ by: 'ana' })]).toEqual([['both'], ['both']])
  })

  it('by what an edit made of it: what is shown is what is searched', async () => {
    await open()
    const { id, digest } = await askedRequest(setup, { callId: 'edited', arguments: { to: 'before' } })
    await setup.gateway.decide(id, { decision: 'edit', digest, arguments: { to: 'after' } }, ana)
    expect(await names({ text: 'after' })).toEqual(['edited'])
    expect(await names({ text: 'before' })).toEqual([])
  })

  it('P9: nothing is found under a mask, of calls that were settled or asked', async () => {
    await open()
    await settle('read_file', { callId: 'settled', arguments: { token: SECRET } })
    await askedRequest(setup, { callId: 'asked', arguments: { token: SECRET } })
    const { items } = await search({ text: 'token' })
    expect(items.map(nameOf)).toEqual(['asked', 'settled'])
    expect(items[1]).toMatchObject({ summary: expect.stringContaining('token') })
    expect((items[1] as { summary: string }).summary).not.toContain(SECRET.slice(4, 12))
    for (const text of [SECRET, SECRET.slice(0, 8), SECRET.slice(-8), 'ghp_']) {
      expect(await names({ text })).toEqual([])
    }
  })

  it('P9: a hidden character is found by what is shown of it', async () => {
    await open()
    await settle('read_file', { callId: 'hidden', arguments: { path: 'a\u202eb' } })
    expect(await names({ text: 'u+202e' })).toEqual(['hidden'])
    expect(await names({ text: '\u202e' })).toEqual([])
  })

  it('find an erased call by its tool and reason, and by nothing else', async () => {
    await open()
    await settle('read_file', { callId: 'old', arguments: { path: 'gone.txt' } })
    setup.clock.jump(10)
    await setup.gateway.history.eraseOlderThan(5)
    expect(await names({ text: 'gone' })).toEqual([])
    expect(await names({ text: 'reading is fine' })).toEqual(['old'])
  })

  it.each<[string, object]>([
    ['verdict', { verdict: 'maybe' }],
    ['state', { state: 'asleep' }],
    ['limit', { limit: 0 }],
    ['limit', { limit: 201 }],
    ['tool', { tool: '' }],
    ['text', { text: 'x'.repeat(257) }],
    ['by', { by: 7 }],
    ['since', { since: Number.NaN }],
    ['since', { since: 2, until: 1 }],
  ])('that make no sense are refused by name: %s', async (field, query) => {
    await open()
    await expect(search(query as HistorySearch)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(field),
      details: { pointer: `/${field}` },
    })
  })

  it('P5: what is no cursor is refused, not read from the start', async () => {
    await open()
    await expect(search({ cursor: 'nonsense' })).rejects.toMatchObject({ code: 'invalid' })
  })
})

function isWanted(callId: string, { verdict, session, tool }: HistorySearch): boolean {
  if (callId === 'meanwhile') return session === undefined && tool === undefined
  const index = Number(callId.slice(1))
  if (verdict === 'ask') return index % 3 === 0
  if (session !== undefined) return session === `s${index % 2}`
  return tool === undefined || index % 3 !== 0
}
