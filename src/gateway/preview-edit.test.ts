import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import type { Request } from '../core/request.ts'
import {
  agent,
  ana,
  ask,
  asked,
  ben,
  eve,
  type House,
  judge,
  openHouse,
  otherAgent,
} from './fixtures/house.ts'

let house: House
afterEach(() => house.close())

describe('previewEdit', () => {
  const policy = {
    deny: ['Bash(rm *)'],
    rules: [
      { name: 'all', when: { tool: ['deploy', 'Bash'] }, then: 'ask' },
      {
        name: 'production',
        when: { tool: 'deploy', arguments: { '/environment': { equals: 'production' } } },
        then: 'ask',
        approvers: ['group:sre'],
      },
    ],
  }
  const preview = (request: Request, args: JsonObject, by = ben, digest = request.digest) =>
    house.gateway.previewEdit(request.id, { digest, arguments: args }, by)

  it('says what the policy would say, and which rules ask anew', async () => {
    house = await openHouse({ policy })
    const request = await asked(house)
    expect(await preview(request, { environment: 'production' })).toMatchObject({
      verdict: { kind: 'ask' },
      newRules: ['production'],
      content: { tool: 'deploy', arguments: { environment: 'production' } },
    })
    expect(await preview(request, { environment: 'qa' })).toMatchObject({ newRules: [] })
    const shell = await asked(house, { tool: 'Bash', arguments: { command: 'ls' } })
    expect(await preview(shell, { command: 'rm -rf /' })).toMatchObject({
      verdict: { kind: 'deny' },
      newRules: [],
    })
  })

  it('P10: changes and records nothing, whatever it says', async () => {
    house = await openHouse({ policy })
    const request = await asked(house, { tool: 'Bash', arguments: { command: 'ls' } })
    const before = await house.store.journal.cursor()
    await preview(request, { command: 'rm x' })
    await preview(request, { command: 'ls -a' })
    expect(await house.store.journal.cursor()).toBe(before)
    expect(await house.gateway.get(request.id, ana)).toEqual(request)
  })

  it('P6: is for who may decide, on what was shown, while it is pending', async () => {
    house = await openHouse({ policy })
    const request = await asked(house)
    const args = { environment: 'qa' }
    await expect(preview(request, args, eve)).rejects.toMatchObject({ code: 'not_yours' })
    await expect(preview(request, args, agent)).rejects.toMatchObject({ code: 'not_yours' })
    await expect(preview(request, args, otherAgent)).rejects.toMatchObject({ code: 'unknown_id' })
    await expect(preview(request, args, ben, 'another')).rejects.toMatchObject({ code: 'digest_mismatch' })
    await house.gateway.decide(request.id, { decision: 'reject', digest: request.digest }, ana)
    await expect(preview(request, args)).rejects.toMatchObject({ code: 'not_pending' })
  })

  it('tells beforehand what the edit itself would be told', async () => {
    house = await openHouse({ policy })
    const schema = { type: 'object', properties: { environment: { type: 'string' } } }
    const request = await asked(house, { definition: { schema } })
    for (const [args, by] of [
      [{ environment: 5 }, ben],
      [{ environment: 'production' }, ana],
      [{ environment: '⟨masked: GitHub token, 40 characters⟩' }, ben],
    ] as const) {
      const edit = { decision: 'edit', digest: request.digest, arguments: args } as const
      const told = await house.gateway.decide(request.id, edit, by).catch((error) => error.code)
      await expect(preview(request, args, by)).rejects.toMatchObject({ code: told })
    }
  })

  it('what was not changed would be taken as an approval', async () => {
    let isLate = false
    house = await openHouse({
      policy: judge(() => (isLate ? { kind: 'deny', because: 'no longer' } : ask('deploys'))),
    })
    const request = await asked(house)
    isLate = true
    expect(await preview(request, { environment: 'staging' })).toMatchObject({ verdict: { kind: 'ask' } })
    const unchanged = {
      decision: 'edit',
      digest: request.digest,
      arguments: { environment: 'staging' },
    } as const
    expect(await house.gateway.decide(request.id, unchanged, ana)).toMatchObject({ decided: true })
  })
})
