import { afterEach, beforeEach, expect, it } from 'vitest'
import { countVerbs, type VerbCounts } from '../../../test/fixtures/counting-store.ts'
import type { Request } from '../../core/request.ts'
import { openMemoryStore } from '../../stores/memory/store.ts'
import type { Store } from '../../stores/store.ts'
import {
  ana,
  ask,
  askedRequest,
  openTestGateway,
  policyFrom,
  type TestGateway,
} from '../fixtures/test-gateway.ts'
import { createRecentRequests } from '../requests/recent-requests.ts'
import { createSharedReads, type SharedReads } from './shared-reads.ts'

const policies = ['one', 'other', 'third'].map((rule) => policyFrom(() => ask(rule)))

let setup: TestGateway
let counts: VerbCounts
let reads: SharedReads
let policy = policies[0]!
let fail: () => void = () => {}

beforeEach(async () => {
  setup = await openTestGateway({ open: (now) => openMemoryStore({ now }) })
  const counted = countVerbs()
  counts = counted.counts
  const store: Store = {
    ...setup.store,
    async get(id) {
      fail()
      return setup.store.get(id)
    },
  }
  reads = createSharedReads({
    store: counted.wrap(store),
    recent: createRecentRequests(),
    directory: () => ({ owner: 'ana', people: new Map() }),
    policy: () => policy,
  })
})
afterEach(() => setup.close())

const readOf = ({ id, version }: Request) => reads.read({ request: id, version }, ana)
async function someRequests(count: number): Promise<Request[]> {
  const found: Request[] = []
  for (let n = 0; n < count; n++) found.push(await askedRequest(setup, { session: `s${n}` }))
  return found
}

async function readsFor(request: Request): Promise<number> {
  counts.clear()
  await readOf(request)
  return counts.of('get')
}

it('keeps so many requests, and forgets the oldest first', async () => {
  const requests = await someRequests(257)
  for (const request of requests) await readOf(request)
  expect(await readsFor(requests[1]!)).toBe(0)
  expect(await readsFor(requests[256]!)).toBe(0)
  expect(await readsFor(requests[0]!)).toBe(1)
})

it('keeps so many bytes of what was made', async () => {
  const requests = await someRequests(3)
  const large = { text: 'x'.repeat(3 * 1024 * 1024) }
  for (const request of requests) await (await readOf(request))!.once('key', async () => large)
  expect(await readsFor(requests[2]!)).toBe(0)
  expect(await readsFor(requests[0]!)).toBe(1)
})

it('one failed read breaks off one listener: the others try once more, all together', async () => {
  const [request] = await someRequests(1)
  let failures = 0
  fail = () => {
    if (++failures === 1) throw new Error('the line was cut')
  }
  counts.clear()
  const answers = await Promise.allSettled(Array.from({ length: 10 }, () => readOf(request!)))
  fail = () => {}
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill('fulfilled'), 'rejected'])
  expect(counts.of('get')).toBe(2)
})

it('a read that is older than the entry is done again, once for all', async () => {
  const [request] = await someRequests(1)
  await readOf(request!)
  await setup.gateway.decide(request!.id, { decision: 'reject', digest: request!.digest }, ana)
  counts.clear()
  const entry = { request: request!.id, version: 2 }
  const answers = await Promise.all(Array.from({ length: 10 }, () => reads.read(entry, ana)))
  expect(answers.map((read) => read?.request.state)).toEqual(Array(10).fill('rejected'))
  expect(counts.of('get')).toBe(1)
  // Who is behind is not told of what has changed since.
  expect(await readOf(request!)).toBe(undefined)
})

it('P9: what was begun under one policy is not given out under the next, and a failure is not kept', async () => {
  const [request] = await someRequests(1)
  const read = (await readOf(request!))!
  const made = await read.once('key', async () => {
    const before = policies.indexOf(policy)
    policy = policies[1]!
    return { text: `under ${before}` }
  })
  expect(made.text).toBe('under 1')
  await expect(read.once('other', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await read.once('other', async () => ({ text: 'yes' }))).toEqual({ text: 'yes' })
})

it('P9: nor is what was begun under the next one, where that is replaced as well', async () => {
  const [request] = await someRequests(1)
  policy = policies[0]!
  const read = (await readOf(request!))!
  const made = await read.once('key', async () => {
    const before = policies.indexOf(policy)
    policy = policies[before + 1] ?? policy
    return { text: `under ${before}` }
  })
  expect(made.text).toBe('under 2')
})

it('P5: under a policy that is another one each time nothing is given out, and nobody waits for ever', async () => {
  const [request] = await someRequests(1)
  const read = (await readOf(request!))!
  const made = read.once('key', async () => {
    policy = policyFrom(() => ask('again'))
    return { text: 'stale' }
  })
  await expect(made).rejects.toMatchObject({ code: 'internal' })
  policy = policies[0]!
})
