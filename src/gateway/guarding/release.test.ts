import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import {
  agent,
  ana,
  approve,
  askedRequest,
  journalEntriesOf,
  openTestGateway,
  otherAgent,
  type TestGateway,
} from '../fixtures/test-gateway.ts'

let setup: TestGateway
afterEach(() => setup.close())

const cause = 'the tool paused itself'

async function claimed(key = 'k1') {
  const request = await askedRequest(setup)
  await approve(setup, request)
  const { deadline } = (await setup.store.get(request.id))!
  const { claimId } = await setup.gateway.claim(request.id, { digest: request.digest, key }, agent)
  return { ...request, claimId, lapsesAt: deadline! }
}

describe('giving a claim back', () => {
  it('P4: the request is approved again until the moment at which it would have lapsed anyway', async () => {
    setup = await openTestGateway()
    const { id, claimId, lapsesAt, digest } = await claimed()
    await setup.clock.advance(20_000)
    const released = await setup.gateway.release(id, { claimId, cause }, agent)
    expect(released).toMatchObject({ state: 'approved', deadline: lapsesAt })
    expect(released.progress.claim).toBeUndefined()
    await setup.clock.advance(lapsesAt - setup.clock.now())
    await expect(setup.gateway.claim(id, { digest, key: 'k2' }, agent)).rejects.toMatchObject({
      code: 'not_approved',
    })
    await until(async () => (await setup.store.get(id))?.state === 'lapsed')
  })

  it('P4: a claim that was delayed until after the release gets nothing, also under its own key', async () => {
    setup = await openTestGateway()
    const { id, digest } = await claimed()
    await setup.gateway.release(id, { key: 'k1', cause }, agent)
    await expect(setup.gateway.claim(id, { digest, key: 'k1' }, agent)).rejects.toMatchObject({
      code: 'already_claimed',
    })
    await setup.gateway.claim(id, { digest, key: 'k2' }, agent)
  })

  it('P4: a key that is barred before it claims comes too late, while others still can', async () => {
    setup = await openTestGateway()
    const request = await askedRequest(setup)
    await setup.gateway.release(request.id, { key: 'k1', cause: 'the caller no longer waits' }, agent)
    expect((await setup.store.get(request.id))?.state).toBe('pending')
    await approve(setup, request)
    const claim = (key: string) => setup.gateway.claim(request.id, { digest: request.digest, key }, agent)
    await expect(claim('k1')).rejects.toMatchObject({ code: 'already_claimed' })
    await claim('k2')
  })

  it('P4: after the lease it is too late, and the outcome stays unknown', async () => {
    setup = await openTestGateway()
    const { id, claimId } = await claimed()
    await setup.clock.advance(31_000)
    await expect(setup.gateway.release(id, { claimId, cause }, agent)).rejects.toMatchObject({
      code: 'lease_lapsed',
    })
    expect((await setup.store.get(id))?.state).toBe('unknown')
    await expect(setup.gateway.release(id, { key: 'k1', cause }, agent)).rejects.toMatchObject({
      code: 'lease_lapsed',
    })
  })

  it('P5: what was told to stop meanwhile is cancelled by it', async () => {
    setup = await openTestGateway()
    const { id, claimId, digest } = await claimed()
    await setup.gateway.cancel(id, { reason: 'not any more' }, ana)
    expect(await setup.gateway.release(id, { claimId, cause }, agent)).toMatchObject({
      state: 'cancelled',
      progress: { cancelled: { by: 'ana', reason: 'not any more' } },
    })
    await expect(setup.gateway.claim(id, { digest, key: 'k2' }, agent)).rejects.toMatchObject({
      code: 'cancelled',
    })
  })

  it('P6: another subject, another key and another claim give nothing back', async () => {
    setup = await openTestGateway()
    const { id, claimId } = await claimed()
    await expect(setup.gateway.release(id, { claimId, cause }, otherAgent)).rejects.toMatchObject({
      code: 'unknown_id',
    })
    for (const which of [{ key: 'k2' }, { claimId: 'clm_other' }])
      await expect(setup.gateway.release(id, { ...which, cause }, agent)).rejects.toMatchObject({
        code: 'not_running',
      })
    expect((await setup.store.get(id))?.state).toBe('running')
  })

  it('P6: the approval is counted again at the next claim', async () => {
    const people = new Map([['ben', { groups: ['approvers'] }]])
    setup = await openTestGateway({ people })
    const request = await askedRequest(setup)
    const ben = { subject: 'ben', role: 'approver', via: 'test' } as const
    await approve(setup, request, ben)
    const claim = (key: string) => setup.gateway.claim(request.id, { digest: request.digest, key }, agent)
    await claim('k1')
    await setup.gateway.release(request.id, { key: 'k1', cause }, agent)
    people.delete('ben')
    await expect(claim('k2')).rejects.toMatchObject({ code: 'cancelled' })
    expect((await setup.store.get(request.id))?.progress.cancelled?.cause).toBe('terms_changed')
  })

  it('P10: each is in the journal with its cause, and no key is', async () => {
    setup = await openTestGateway()
    const { id } = await claimed('a-secret-key')
    await setup.gateway.release(id, { key: 'a-secret-key', cause }, agent)
    const entries = await journalEntriesOf(setup)
    const found = entries.filter(({ type }) => type === 'request.released')
    expect(found.map(({ body }) => JSON.parse(body))).toMatchObject([
      { reason: cause, by: 'agent-1', state: 'approved' },
    ])
    expect(entries.map(({ body }) => body).join()).not.toContain('a-secret-key')
  })

  it('needs a cause and a key that is one', async () => {
    setup = await openTestGateway()
    const { id, claimId } = await claimed()
    for (const bad of ['', 'x'.repeat(257), 7 as never])
      await expect(setup.gateway.release(id, { claimId, cause: bad }, agent)).rejects.toMatchObject({
        code: 'invalid',
      })
    await expect(setup.gateway.release(id, { key: '', cause }, agent)).rejects.toMatchObject({
      code: 'invalid',
    })
  })
})
