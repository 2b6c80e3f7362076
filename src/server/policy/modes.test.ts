import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makePolicyServer, type PolicyServer } from './fixtures/policy-server.ts'

let setup: PolicyServer
beforeEach(() => {
  setup = makePolicyServer()
})
afterEach(() => setup.close())

describe('modes: in the configuration', () => {
  it('P5: is followed while the server runs, and a mode that it no longer names counts as default', async () => {
    setup.trust('policy: {}\n')
    await setup.start()
    const ana = setup.as('ana')
    const judge = async (callId: string) =>
      (await setup.as('bot').submit({ tool: 'x', arguments: {}, callId, session: 's' })).verdict
    expect(await judge('first')).toMatchObject({ kind: 'ask' })
    await expect(ana.setMode('s', 'bypass')).rejects.toMatchObject({
      code: 'disallowed',
      message: expect.stringContaining('modes: [acceptEdits, bypass] in banksman.yaml'),
    })
    const named = 'modes: [bypass]\npolicy: {}\n'
    setup.write(named)
    await apply(named)
    expect(await ana.setMode('s', 'bypass')).toMatchObject({ mode: 'bypass' })
    expect(await judge('second')).toMatchObject({ kind: 'allow' })
    setup.write('policy: {}\n')
    await apply('policy: {}\n')
    expect(await judge('third')).toMatchObject({ kind: 'ask' })
    expect(await ana.session('s')).toMatchObject({ mode: 'default' })
    expect((await ana.session('s')).modes).not.toContain('bypass')
  })

  async function apply(text: string): Promise<void> {
    const { changed } = await setup.as('ana').policy()
    expect(changed?.text).toBe(text)
    await setup.as('ana').applyPolicy({ digest: changed!.digest })
  }
})
