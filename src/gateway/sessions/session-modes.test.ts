import { afterEach, describe, expect, it } from 'vitest'
import type { LaxMode } from '../../core/session.ts'
import { compilePolicy as policyOf } from '../../policy/index.ts'
import {
  aCall,
  agent,
  ana,
  approve,
  ben,
  eve,
  newestRequest,
  openTestGateway,
  otherAgent,
  type TestGateway,
} from '../fixtures/test-gateway.ts'

let setup: TestGateway
afterEach(() => setup.close())

const never = () => expect.unreachable('it must not run')
const edit = (parts = {}) => aCall({ tool: 'anything', session: 'of-ben', ...parts })

/** A session that belongs to ben, a person who is no admin. */
async function openBens(modes: readonly LaxMode[] | undefined = undefined, policy: object = {}) {
  let allowed = modes
  setup = await openTestGateway({ policy, ...(modes === undefined ? {} : { modes: () => allowed ?? [] }) })
  await setup.gateway.review(edit(), ben)
  await setup.gateway.flush()
  return {
    set: (mode: string, actor = ben) => setup.gateway.setMode('of-ben', mode, actor),
    mode: async () => (await setup.gateway.session('of-ben', ana)).mode,
    allow(now: readonly LaxMode[]) {
      allowed = now
    },
  }
}

describe('who sets a mode', () => {
  it('P6: the owner of the session and admins, and nobody else', async () => {
    const { set, mode } = await openBens()
    await set('plan')
    expect(await mode()).toBe('plan')
    await set('dontAsk', ana)
    for (const mode of ['default', 'plan', 'dontAsk', 'acceptEdits', 'bypass'])
      await expect(set(mode, eve)).rejects.toMatchObject({
        code: 'not_yours',
        message: expect.stringContaining('ben'),
      })
    expect(await mode()).toBe('dontAsk')
  })

  it('P11: no agent, not even in its own session', async () => {
    setup = await openTestGateway()
    await setup.gateway.review(aCall({ session: 'own' }), agent)
    for (const who of [agent, otherAgent])
      await expect(setup.gateway.setMode('own', 'plan', who)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(setup.gateway.setMode('own', 'plan', ben)).rejects.toMatchObject({ code: 'not_yours' })
    await setup.gateway.setMode('own', 'plan', ana)
  })

  it('tells an unknown session and an unknown mode', async () => {
    const { set } = await openBens()
    await expect(setup.gateway.setMode('none', 'plan', ana)).rejects.toMatchObject({ code: 'unknown_id' })
    await expect(set('yolo')).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('bypass'),
    })
  })
})

describe('a mode that asks less than default', () => {
  it('P5: is set only where the configuration names it; the refusal says what to write there', async () => {
    const { set, mode, allow } = await openBens([])
    for (const actor of [ben, ana]) {
      await expect(set('acceptEdits', actor)).rejects.toMatchObject({ code: 'disallowed' })
      await expect(set('bypass', actor)).rejects.toMatchObject({ code: 'disallowed' })
    }
    expect(await mode()).toBeUndefined()
    allow(['acceptEdits'])
    await set('acceptEdits')
    await expect(set('bypass')).rejects.toThrow('modes: [acceptEdits, bypass]')
    allow(['acceptEdits', 'bypass'])
    await set('bypass')
    expect(await mode()).toBe('bypass')
  })

  it('P5: without a word in the configuration acceptEdits may be set, and bypass may not', async () => {
    const { set } = await openBens()
    await set('acceptEdits')
    await expect(set('bypass')).rejects.toMatchObject({ code: 'disallowed' })
  })

  it('are those that a reader is offered, where they may set one', async () => {
    const { allow } = await openBens(['acceptEdits'])
    const offered = async (actor = ben) =>
      setup.gateway.settableModes(await setup.gateway.session('of-ben', actor), actor)
    expect(await offered()).toEqual(['default', 'acceptEdits', 'plan', 'dontAsk'])
    expect(await offered(ana)).toEqual(await offered())
    expect(await offered(eve)).toEqual([])
    allow(['bypass'])
    expect(await offered()).toEqual(['default', 'plan', 'dontAsk', 'bypass'])
  })

  it('P5: a session that has it when the configuration no longer names it is judged as default', async () => {
    const { set, mode, allow } = await openBens(['bypass'], { mode: 'bypass' })
    await set('bypass')
    expect((await setup.gateway.review(edit(), ben)).verdict.kind).toBe('allow')
    allow([])
    expect((await setup.gateway.review(edit(), ben)).verdict.kind).toBe('ask')
    expect(await setup.gateway.judge(edit(), { as: ben })).toMatchObject({ kind: 'ask' })
    expect(await mode()).toBe('default')
    expect((await setup.gateway.sessions({}, ana)).items).toMatchObject([{ session: { mode: 'default' } }])
    allow(['bypass'])
    expect((await setup.gateway.review(edit(), ben)).verdict.kind).toBe('allow')
  })

  it('P5: and so is what it has started, before and after', async () => {
    const { set, allow } = await openBens(['bypass'])
    await set('bypass')
    const child = (session: string) => edit({ session, parentSession: 'of-ben' })
    expect((await setup.gateway.review(child('early'), ben)).verdict.kind).toBe('allow')
    await setup.gateway.flush()
    allow([])
    for (const session of ['early', 'late'])
      expect((await setup.gateway.review(child(session), ben)).verdict.kind).toBe('ask')
  })

  it('P5: what such a mode would let through is asked about in an edit, too', async () => {
    const when = { tool: 'anything', arguments: { '/to': { equals: 'ask' } } }
    const { set, allow } = await openBens(['bypass'], { rules: [{ name: 'asked', when, then: 'ask' }] })
    await set('bypass')
    await setup.gateway.hold(edit({ arguments: { to: 'ask' } }), { as: ben, holdMs: 0 })
    const { id, digest } = await newestRequest(setup)
    const preview = async () =>
      (await setup.gateway.previewEdit(id, { digest, arguments: { to: 'elsewhere' } }, ana)).verdict.kind
    expect(await preview()).toBe('allow')
    allow([])
    expect(await preview()).toBe('ask')
  })

  it('P6: an approval is counted again at the claim in the mode that is in force then', async () => {
    let policy = policyOf({
      rules: [{ name: 'asked', when: { tool: 'anything' }, then: 'ask', approvers: ['eve'] }],
    })
    let allowed: LaxMode[] = ['bypass']
    setup = await openTestGateway({ policyInForce: () => policy, modes: () => allowed })
    const calls = [edit({ callId: 'one' }), edit({ callId: 'other' })]
    for (const call of calls) {
      await setup.gateway.hold(call, { as: ben, holdMs: 0 })
      await approve(setup, await newestRequest(setup), eve)
    }
    await setup.gateway.setMode('of-ben', 'bypass', ana)
    policy = policyOf({})
    expect(await setup.gateway.guard(calls[0]!, () => 1, { as: ben })).toMatchObject({ kind: 'ran' })
    allowed = []
    expect(await setup.gateway.guard(calls[1]!, never, { as: ben })).toMatchObject({
      kind: 'refused',
      state: 'cancelled',
    })
  })
})
