import { afterEach, describe, expect, it } from 'vitest'
import type { ApprovalCondition, Verdict } from '../../core/verdict.ts'
import { compilePolicy } from '../../policy/index.ts'
import {
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
  type TestGatewayOptions,
} from '../fixtures/test-gateway.ts'

let setup: TestGateway
afterEach(() => setup.close())

const HOUR = 3_600_000

const claim = ({ id, digest }: { id: string; digest: string }) =>
  setup.gateway.claim(id, { digest, key: 'runner' }, agent)
const stateOf = async (id: string) => (await setup.store.get(id))?.state

describe('how long an approval may wait to be run', () => {
  const opened = async (parts: Partial<TestGatewayOptions>) => {
    setup = await openTestGateway(parts)
    const request = await askedRequest(setup)
    await approve(setup, request)
    return request
  }

  it('is ten minutes', async () => {
    const request = await opened({})
    await setup.clock.advance(10 * 60_000 + 1)
    await setup.gateway.expire()
    expect(await stateOf(request.id)).toBe('lapsed')
    await expect(claim(request)).rejects.toMatchObject({ code: 'not_approved' })
  })

  it('is what the settings say, and what the strictest rule says', async () => {
    const rules = (...times: string[]) => ({
      rules: times.map((claimWithin, at) => ({
        name: `r${at}`,
        when: { tool: 'deploy' },
        then: 'ask',
        claimWithin,
      })),
    })
    for (const [parts, hours] of [
      [{ settings: { claimWithinMs: 3 * HOUR } }, 3],
      [{ settings: { claimWithinMs: 3650 * 24 * HOUR } }, 7 * 24],
      [{ policy: rules('2h') }, 2],
      [{ policy: rules('5h', '1h', '7d'), settings: { claimWithinMs: 9 * HOUR } }, 1],
    ] as [Partial<TestGatewayOptions>, number][]) {
      const [early, late] = [await opened(parts), await askedRequest(setup)]
      await approve(setup, late)
      await setup.clock.advance(hours * HOUR - 1)
      await setup.gateway.expire()
      expect(await claim(early)).toMatchObject({ request: { state: 'running' } })
      await setup.clock.advance(2)
      await setup.gateway.expire()
      expect(await stateOf(late.id)).toBe('lapsed')
      await setup.close()
    }
    setup = await openTestGateway()
  })

  it('is a week at most, in words that say so', async () => {
    setup = await openTestGateway()
    const rule = { name: 'r', when: { tool: 'x' }, then: 'ask', claimWithin: '8d' }
    expect(() => compilePolicy({ rules: [rule] })).toThrow(/claimWithin must be .* at most 7d; found "8d"/)
    expect(() => compilePolicy({ rules: [{ ...rule, then: 'allow', claimWithin: '1d' }] })).toThrow(
      /claimWithin/,
    )
  })
})

describe('P6: at the claim the approval is counted again', () => {
  const opened = async (condition: Partial<ApprovalCondition> = {}) => {
    let verdict: Verdict = ask('deploys', condition)
    const people = new Map([
      ['ben', { groups: ['approvers', 'sre'] }],
      ['eve', { groups: ['sre'] }],
    ])
    setup = await openTestGateway({ policy: policyFrom(() => verdict), people })
    const request = await askedRequest(setup)
    return { request, people, now: (next: Verdict) => (verdict = next) }
  }
  const cancelled = (rule: string) => ({
    state: 'cancelled',
    progress: { cancelled: { cause: 'terms_changed', by: 'policy', reason: expect.stringContaining(rule) } },
  })

  it('and those whom the policy asks by then must have approved', async () => {
    const { request, now } = await opened()
    await approve(setup, request, ben)
    now(ask('deploys', { approvers: ['ana'] }))
    await expect(claim(request)).rejects.toMatchObject({ code: 'cancelled' })
    expect(await setup.store.get(request.id)).toMatchObject(
      cancelled('deploys now needs the approval of ana'),
    )
  })

  it('as many of them as it asks for by then', async () => {
    const { request, now } = await opened({ approvers: ['group:sre'] })
    await approve(setup, request, ben)
    now(ask('deploys', { approvers: ['group:sre'], quorum: 2 }))
    await expect(claim(request)).rejects.toMatchObject({ code: 'cancelled' })
    expect(await setup.store.get(request.id)).toMatchObject(cancelled('2 of group:sre'))
  })

  it('and for each rule that asks, also for one that is new', async () => {
    const { request, now } = await opened()
    await approve(setup, request, ben)
    const both = ask('deploys')
    both.terms.conditions.push({ rule: 'freeze', quorum: 1, approvers: ['eve'] })
    now(both)
    await expect(claim(request)).rejects.toMatchObject({ code: 'cancelled' })
    expect(await setup.store.get(request.id)).toMatchObject(cancelled('freeze'))
  })

  it('and one who approved must still be somebody who may', async () => {
    const { request, people } = await opened({ approvers: ['group:sre'], quorum: 2 })
    await approve(setup, request, ben)
    await approve(setup, request, eve)
    expect(await stateOf(request.id)).toBe('approved')
    people.delete('eve')
    await expect(claim(request)).rejects.toMatchObject({ code: 'cancelled' })
    expect(await setup.store.get(request.id)).toMatchObject(cancelled('deploys'))
  })

  it('and it runs where the policy asks no more, or asks the same, or fewer', async () => {
    for (const next of [
      ask('deploys', { approvers: ['group:sre'], quorum: 2 }),
      ask('deploys', { approvers: ['ana', 'ben'] }),
      { kind: 'allow', because: 'it is allowed' } satisfies Verdict,
    ]) {
      const { request, now } = await opened({ approvers: ['group:sre'], quorum: 2 })
      await approve(setup, request, ben)
      await approve(setup, request, eve)
      now(next)
      expect(await claim(request)).toMatchObject({ request: { state: 'running' } })
      await setup.close()
    }
    setup = await openTestGateway()
  })

  it('also of what a person edited', async () => {
    const { request, now } = await opened()
    const edit = { decision: 'edit', digest: request.digest, arguments: { environment: 'test' } } as const
    const { request: edited } = await setup.gateway.decide(request.id, edit, ana)
    const { digest } = edited.progress.approved!
    now(ask('deploys', { approvers: ['eve'] }))
    await expect(claim({ id: request.id, digest })).rejects.toMatchObject({ code: 'cancelled' })
    now(ask('deploys', { approvers: ['owner'] }))
    expect(await setup.store.get(request.id)).toMatchObject(cancelled('eve'))
  })
})
