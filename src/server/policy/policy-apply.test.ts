import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mountSmallDisk, NO_DISK } from '../../../test/fixtures/small-disk.ts'
import { digestOf } from '../../core/digest.ts'
import { makePolicyServer, type PolicyServer } from './fixtures/policy-server.ts'

let setup: PolicyServer
beforeEach(() => {
  setup = makePolicyServer()
})
afterEach(() => setup.close())

const FIRST = 'policy:\n  allow: [look]\n'
const NEXT = 'policy:\n  allow: [look, deploy]\n'

describe('having a changed file hold', () => {
  it('takes effect at once, is remembered as a trust, and is on the record with who did it', async () => {
    setup.trust(FIRST)
    await setup.start()
    setup.write(`people: { cleo: { groups: [sre] } }\n${NEXT}`)
    expect(await setup.verdictOf('deploy')).toBe('ask')
    const { changed } = await setup.as('ana').policy()
    const policy = await setup.as('ana').applyPolicy({ digest: changed!.digest })
    expect(policy).toMatchObject({ status: 'trusted', source: 'file', text: changed!.text })
    expect(policy).not.toHaveProperty('changed')
    expect(await setup.verdictOf('deploy')).toBe('allow')
    expect(setup.trusted()).toMatchObject({ text: changed!.text, by: 'ana' })
    const entries = await setup.applied()
    expect(entries).toHaveLength(2)
    expect(entries[1]).toMatchObject({
      by: 'ana',
      trust: 'trusted',
      configuration: changed!.digest,
      policy: policy.version,
    })
    // The same again is a success, and no second entry.
    await setup.as('ana').applyPolicy({ digest: changed!.digest })
    expect(await setup.applied()).toHaveLength(2)
  })

  it('goes on holding after a restart', async () => {
    await setup.start()
    setup.write(NEXT)
    await setup.as('ana').applyPolicy({ digest: digestOf(NEXT) })
    await setup.start()
    expect(await setup.as('ana').policy()).toMatchObject({ status: 'trusted', text: NEXT })
  })

  it('P11: no agent and no approver can, and nothing changes', async () => {
    setup.trust(FIRST)
    await setup.start()
    setup.write(NEXT)
    for (const who of ['bot', 'ben'] as const) {
      await expect(setup.as(who).applyPolicy({ digest: digestOf(NEXT) })).rejects.toMatchObject({
        code: 'forbidden',
        status: 403,
      })
    }
    expect(setup.trusted()?.text).toBe(FIRST)
    expect(await setup.verdictOf('deploy')).toBe('ask')
    expect(await setup.applied()).toHaveLength(1)
  })

  it('P11: no page of another origin can, not even with an administrator’s credential', async () => {
    setup.trust(FIRST)
    await setup.start()
    setup.write(NEXT)
    const send = (headers: Record<string, string>, method = 'POST') =>
      fetch(`${setup.server.url}/v1/policy/apply`, {
        method,
        headers,
        ...(method === 'POST' ? { body: JSON.stringify({ digest: digestOf(NEXT) }) } : {}),
      })
    const bearer = { authorization: `Bearer ${setup.tokens.ana}` }
    const json = { 'content-type': 'application/json' }
    const tried = [
      [await send({ ...bearer, ...json, origin: 'http://evil.example' }), 403],
      [await send({ ...bearer, ...json, origin: 'null' }), 403],
      // What a form can send without being asked first.
      [await send({ ...bearer, 'content-type': 'text/plain' }), 415],
      [await send({ ...json, cookie: `banksman_chat=${setup.tokens.ana}` }), 401],
      [await send({ ...json }), 401],
      [
        await send({ origin: 'http://evil.example', 'access-control-request-method': 'POST' }, 'OPTIONS'),
        403,
      ],
    ] as const
    for (const [response, status] of tried) {
      expect(response.status).toBe(status)
      expect(response.headers.has('access-control-allow-origin')).toBe(false)
    }
    const inAddress = await fetch(`${setup.server.url}/v1/policy/apply?token=${setup.tokens.ana}`, {
      method: 'POST',
      headers: json,
      body: '{}',
    })
    expect(inAddress.status).toBe(401)
    expect(setup.trusted()?.text).toBe(FIRST)
    expect(await setup.applied()).toHaveLength(1)
  })

  it('P3: only the text that was shown: one that was written since is told and not taken', async () => {
    setup.trust(FIRST)
    await setup.start()
    setup.write(NEXT)
    const { changed } = await setup.as('ana').policy()
    const worse = 'policy:\n  mode: bypass\n'
    setup.write(worse)
    const refused = await setup
      .as('ana')
      .applyPolicy({ digest: changed!.digest })
      .catch((error) => error)
    expect(refused).toMatchObject({ code: 'digest_mismatch', status: 409 })
    expect(refused.problem).toMatchObject({
      changed: { text: worse, digest: digestOf(worse) },
    })
    expect(setup.trusted()?.text).toBe(FIRST)
    rmSync(setup.file)
    await expect(setup.as('ana').applyPolicy({ digest: changed!.digest })).rejects.toMatchObject({
      code: 'digest_mismatch',
    })
    expect(await setup.applied()).toHaveLength(1)
  })

  it.each([
    ['not YAML', 'policy: [', /^line 1, column 10: /],
    ['an unknown key', 'policy:\n  denny: [x]\n', /^line 2, column 3: /],
    [
      'a rule that does not compile',
      'policy:\n  rules:\n    - { name: x, when: { tool: 7 }, then: ask }\n',
      /^line 3, /,
    ],
  ])('P5: refuses a text that can’t hold and says where: %s', async (_, text, message) => {
    setup.trust(FIRST)
    await setup.start()
    setup.write(text)
    const refused = await setup
      .as('ana')
      .applyPolicy({ digest: digestOf(text) })
      .catch((error) => error)
    expect(refused.status).toBe(422)
    expect(refused.message).toMatch(message)
    expect(setup.trusted()?.text).toBe(FIRST)
    expect(await setup.verdictOf('look')).toBe('allow')
    expect(await setup.applied()).toHaveLength(1)
  })

  it('P10: what could not be kept does not hold, and the record says so', async ({
    skip,
    onTestFinished,
  }) => {
    const disk = mountSmallDisk('64k') ?? skip(NO_DISK)
    onTestFinished(disk.unmount)
    mkdirSync(join(setup.folder, 'home'))
    symlinkSync(disk.folder, join(setup.folder, 'home', 'trusted'))
    setup.trust(FIRST)
    await setup.start({ report: () => {} })
    setup.write(NEXT)
    disk.makeReadOnly()
    await expect(setup.as('ana').applyPolicy({ digest: digestOf(NEXT) })).rejects.toMatchObject({
      status: 500,
    })
    const [, said, corrected] = await setup.applied()
    expect(said).toMatchObject({ configuration: digestOf(NEXT), by: 'ana' })
    expect(corrected).toMatchObject({ configuration: digestOf(FIRST), trust: 'untrusted', by: 'ana' })
    expect(await setup.as('ana').policy()).toMatchObject({ text: FIRST, status: 'untrusted' })
    expect(await setup.verdictOf('deploy')).toBe('ask')
  })

  it('takes nothing but a digest', async () => {
    await setup.start()
    for (const body of [
      {},
      { digest: 1 },
      { digest: 'x', by: 'ana' },
      { text: NEXT, digest: digestOf(NEXT) },
    ]) {
      const response = await fetch(`${setup.server.url}/v1/policy/apply`, {
        method: 'POST',
        headers: { authorization: `Bearer ${setup.tokens.ana}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect(response.status).toBe(400)
    }
  })
})

describe('trying a text out', () => {
  it('judges a call by it, by what it says of tools and of paths, and what holds stays', async () => {
    setup.trust(FIRST)
    await setup.start()
    const text = 'tools:\n  show: { kind: read, path: /what }\npolicy:\n  allow: ["show(./**)"]\n'
    const call = { tool: 'show', arguments: { what: 'notes.txt' }, cwd: setup.folder }
    expect((await setup.as('ben').explain(call)).verdict.kind).toBe('ask')
    const explained = await setup.as('ben').explain({ ...call, text })
    expect(explained.verdict.kind).toBe('allow')
    expect(explained.rules[0]?.place).toMatchObject({ line: 4, column: 11 })
    expect((await setup.as('ben').explain(call)).verdict.kind).toBe('ask')
  })

  it('P11: no text lifts what is built in', async () => {
    await setup.start()
    const text = 'policy:\n  mode: bypass\n  allow: ["*"]\n'
    const call = { tool: 'write_file', arguments: { path: setup.file }, cwd: setup.folder, text }
    expect((await setup.as('ana').explain(call)).verdict.kind).toBe('deny')
  })

  it('replays the calls on record by it', async () => {
    setup.trust(FIRST)
    await setup.start()
    await setup.as('bot').submit({ tool: 'look', arguments: {}, callId: 'c1', session: 's' })
    await setup.server.gateway.flush()
    expect(await setup.as('ben').replay({ text: 'policy:\n  deny: [look]\n' })).toMatchObject({
      calls: 1,
      groups: [{ change: 'denial added', tool: 'look' }],
    })
  })

  it.each([
    ['a mistake, with its place', { text: 'policy:\n  alow: []\n' }, 422, /line 2, column 3/],
    ['neither', {}, 400, /either policy/],
    ['both', { text: '', policy: {} }, 400, /either policy/],
    ['tools beside a text', { text: '', tools: {} }, 400, /tools/],
  ])('P5: refuses %s', async (_, body, status, message) => {
    await setup.start()
    const refused = await setup
      .as('ben')
      .replay(body)
      .catch((error) => error)
    expect(refused.status).toBe(status)
    expect(refused.message).toMatch(message)
  })

  it('P11: an agent can’t', async () => {
    await setup.start()
    await expect(setup.as('bot').replay({ text: '' })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(setup.as('bot').explain({ tool: 'x', arguments: {}, text: '' })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})
