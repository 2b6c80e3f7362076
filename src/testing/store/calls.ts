/** `calls`: the history of calls, and its erasure. */

import { defined } from '../../core/defined.ts'
import type { Request } from '../../core/request.ts'
import { readAllPages } from '../../core/support/read-pages.ts'
import type { PastCall } from '../../stores/store.ts'
import { callRecord, MINUTE, requestDraft, START } from './drafts.ts'
import type { StoreTest, Suite, TestEntry } from './store-test.ts'

export function describeCalls({ describe, it }: Suite): void {
  describe('calls', () => {
    it('lists calls that nobody was asked about, newest first, page by page', async (t) => {
      for (let index = 0; index < 5; index++) {
        await t.record(`c${index}`, { call: { session: `s${index % 2}` } })
        await t.opened(`r${index}`, { request: { session: `s${index % 2}` } })
      }
      t.expect(await ids(t, { limit: 2 })).toEqual(['c4', 'c3', 'c2', 'c1', 'c0'])
      t.expect(await ids(t, { session: 's0', limit: 2 })).toEqual(['c4', 'c2', 'c0'])
      t.expect(await ids(t, { session: 's9' })).toEqual([])
    })

    it('lists what is newer than a cursor only from the start', async (t) => {
      for (const id of ['c0', 'c1', 'c2']) await t.record(id)
      const first = await t.store.calls.list({ limit: 1 })
      await t.record('c3')
      const second = await t.store.calls.list({ cursor: first.cursor! })
      t.expect(second.items.map((call) => call.callId)).toEqual(['c1', 'c0'])
    })
  })

  describe('history', () => {
    it('gives all calls, asked about or not, with what became of them, newest first and page by page', async (t) => {
      const judged = { verdict: 'deny', rule: '*_delete' } as const
      await t.record('c1', { call: judged })
      const request = await t.opened('r1', { request: { session: 's2' } })
      await t.record('c2')
      await t.opened('r2')
      await t.moved(request, 'rejected')
      const [r2, c2, r1, c1, ...rest] = await past(t, 1)
      const { commitmentKey: _, ...denied } = callRecord('c1', judged)
      t.expect([rest.length, c1, c2?.callId]).toEqual([0, denied, 'c2'])
      const { session, callId, tool, digest, bytes, because, policyVersion, submittedBy } = request
      t.expect(r1).toEqual({
        session,
        callId,
        tool,
        digest,
        bytes,
        because,
        policyVersion,
        submittedBy,
        verdict: 'ask',
        createdAt: START,
        request: { id: 'r1', state: 'rejected' },
      })
      t.expect(r2?.request).toEqual({ id: 'r2', state: 'pending' })
      t.expect((await past(t, 3)).length).toBe(4)
    })

    it('gives what was erased without its bytes', async (t) => {
      await t.record('c1')
      await t.moved(await t.opened('r1'), 'rejected')
      await erase(t, START + 1)
      t.expect((await past(t)).map((call) => call.bytes)).toEqual(['', ''])
    })
  })

  describe('erase', () => {
    it('empties old calls and tells how many on the record', async (t) => {
      await t.record('c1', { call: { createdAt: START - 2 } })
      await t.record('c2', { call: { createdAt: START - 1 } })
      await t.record('c3', { call: { createdAt: START } })
      const { count, entry } = await erase(t, START)
      t.expect([count, entry?.body, entry?.numbers.length]).toEqual([2, '{"erased":2}', 1])
      t.expect((await t.store.calls.list({})).items).toEqual([
        callRecord('c3'),
        callRecord('c2', { createdAt: START - 1, bytes: '', commitmentKey: '' }),
        callRecord('c1', { createdAt: START - 2, bytes: '', commitmentKey: '' }),
      ])
      t.expect((await t.store.lookup('s1', 'c1', 'deploy')).known?.digest).toBe('digest-c1')
    })

    it('empties final requests: bytes, key, context and preview, and the copies of an edit', async (t) => {
      const { terms } = requestDraft('r1')
      const edit = { digest: 'd2', bytes: 'secret', by: 'ana', terms }
      const approved = { digest: 'd2', bytes: 'secret' }
      const request = await t.opened('r1', { request: { context: 'secret', preview: 'secret' } })
      const done = await t.moved(request, 'done', { progress: { edit, approved } })
      t.expect((await erase(t, START + 1)).count).toBe(1)
      const { context: _context, preview: _preview, ...kept } = done
      t.expect(await t.store.get('r1')).toEqual({
        ...kept,
        bytes: '',
        commitmentKey: '',
        progress: { edit: { digest: 'd2', by: 'ana', terms }, approved: { digest: 'd2' } },
      })
      t.expect((await t.store.list({ state: 'done' })).items.map((item) => item.id)).toEqual(['r1'])
    })

    it('P4: never empties what can still run or be settled', async (t) => {
      const kept: Request[] = [await t.opened('r0', { request: { context: 'why' } })]
      for (const [index, state] of (['approved', 'running', 'unknown'] as const).entries()) {
        kept.push(await t.moved(await t.opened(`r${index + 1}`), state, { deadline: { inMs: MINUTE } }))
      }
      t.expect((await erase(t, START + 1000)).count).toBe(0)
      for (const request of kept) t.expect(await t.store.get(request.id)).toEqual(request)
      await t.moved(kept[0]!, 'expired')
      t.expect((await erase(t, START + 1000)).count).toBe(1)
    })

    it('takes at most as many as it is told, the rest next time, and each once', async (t) => {
      for (let index = 0; index < 5; index++) await t.record(`c${index}`)
      const counts: number[] = []
      for (let round = 0; round < 4; round++) counts.push((await erase(t, START + 1, 2)).count)
      t.expect(counts).toEqual([2, 2, 1, 0])
    })

    it('P10: with nothing to erase it writes no entry', async (t) => {
      await t.record('c1')
      const { count, entry } = await erase(t, START)
      t.expect(count).toBe(0)
      t.expect(entry?.numbers ?? []).toEqual([])
    })
  })
}

async function erase(
  t: StoreTest,
  before: number,
  limit = 100,
): Promise<{ count: number; entry: TestEntry | undefined }> {
  let entry: TestEntry | undefined
  const count = await t.store.calls.erase(before, limit, (erased) => {
    entry = t.entry({ type: 'arguments.erased', body: `{"erased":${erased}}` })
    return entry
  })
  return { count, entry }
}

async function ids(t: StoreTest, query: { session?: string; limit?: number }): Promise<string[]> {
  const found = await readAllPages((next) => t.store.calls.list({ ...query, ...next }))
  return found.map((call) => call.callId)
}

function past(t: StoreTest, limit?: number): Promise<PastCall[]> {
  return readAllPages((next) => t.store.calls.history({ ...defined({ limit }), ...next }))
}
