/** Coding sessions over HTTP: a real server, our loop as the engine, a model that follows a script. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { progress as progressSchema } from '../../wire/progress.ts'
import * as schemas from '../../wire/session.ts'
import type { WireStartedSession } from '../../wire/types/session.ts'
import { makePolicyServer, type PolicyServer } from '../policy/fixtures/policy-server.ts'

const SECRET = `ghp_${'a1B2'.repeat(9)}`
const write = (path: string, content: string) => ({ tool: 'write_file', arguments: { path, content } })
const SCRIPT = {
  name: 'tests',
  scenes: [
    {
      when: 'write',
      steps: [{ say: 'I write a file.', calls: [write('note.txt', 'hello')] }, { say: 'Done.' }],
    },
    { when: 'secret', steps: [{ calls: [write('secret.txt', SECRET)] }, { say: 'Done.' }] },
    { steps: [{ say: 'You said: {message}' }] },
  ],
}
const CONFIGURATION = `
modes: [acceptEdits]
policy: {}
secretary:
  engine: loop
  model: { provider: scripted, script: script.json }
  folders: [shop]
  budget: { turns: 9 }
`

let setup: PolicyServer
beforeEach(() => {
  setup = makePolicyServer()
  mkdirSync(join(setup.folder, 'shop'))
  writeFileSync(join(setup.folder, 'script.json'), JSON.stringify(SCRIPT))
})
afterEach(() => setup.close())

async function open(): Promise<void> {
  setup.trust(CONFIGURATION)
  await setup.start()
}

const idle = (id: string) =>
  until(async () => (await setup.as('ben').progress(id)).state === 'idle', `${id} is idle`)

async function send(who: 'ana' | 'ben' | 'bot', method: string, path: string, body?: object) {
  const response = await fetch(`${setup.server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${setup.tokens[who]}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return {
    status: response.status,
    json: (await response.json()) as { code: string; detail: string; folders: [string] } & WireStartedSession,
  }
}

describe('a coding session over HTTP', () => {
  it('P11: can be what is told to people: folders, agents, and the modes that the configuration names', async () => {
    await open()
    const { status, json } = await send('ben', 'GET', '/v1/secretary')
    expect([status, schemas.sessionOffers.parse(json)]).toEqual([200, json])
    expect(json).toEqual({
      folders: [join(setup.folder, 'shop')],
      agents: ['coder'],
      modes: ['default', 'acceptEdits', 'plan', 'dontAsk'],
    })
    const { session } = await setup.as('ben').startSession({ folder: json.folders[0] })
    expect(session.coding?.folder).toBe(json.folders[0])
    expect((await send('bot', 'GET', '/v1/secretary')).status).toBe(403)
    expect(await setup.as('ben').secretary()).toEqual(json)
  })

  it('is started in a folder, and works there while a person is asked', async () => {
    await open()
    const { status, json } = await send('ben', 'POST', '/v1/sessions', { folder: 'shop', text: 'write it' })
    expect(status).toBe(201)
    expect(schemas.startedSession.parse(json)).toEqual(json)
    expect(schemas.coding.parse(json.session.coding)).toEqual(json.session.coding)
    const { id } = json.session
    const folder = join(setup.folder, 'shop')
    expect(json).toMatchObject({
      session: { owner: 'ben', coding: { folder, agent: 'coder', title: 'write it' } },
      said: { kind: 'begun' },
    })
    const ben = setup.as('ben')
    await until(async () => (await ben.progress(id)).state === 'waiting')
    expect((await ben.session(id)).coding).toMatchObject({ state: 'waiting' })
    const found = await ben.progress(id)
    expect(progressSchema.parse(found)).toEqual(found)
    expect(found).toMatchObject({
      folder,
      mode: 'default',
      used: { turns: expect.any(Number) },
      limits: { turns: 9 },
    })
    expect(found.elapsedMs).toBeGreaterThanOrEqual(0)
    const { request } = found.turn!.waiting[0]!
    await ben.decide(request, { decision: 'approve', digest: (await ben.get(request)).digest })
    await idle(id)
    expect(readFileSync(join(folder, 'note.txt'), 'utf8')).toBe('hello')
    expect((await ben.progress(id)).elapsedMs).toBe(0)
  })

  it('P9: what it says and does goes out masked', async () => {
    await open()
    const ben = setup.as('ben')
    const { session } = await ben.startSession({ folder: 'shop', text: 'secret' })
    await until(async () => (await ben.progress(session.id)).state === 'waiting')
    expect(JSON.stringify(await ben.progress(session.id))).not.toContain(SECRET)
  })

  it('P9: what would turn a line around is written out, in a title too', async () => {
    await open()
    const { session } = await setup
      .as('ben')
      .startSession({ folder: 'shop', text: 'look \u202egpj.\u001b[2J' })
    expect(session.coding?.title).toContain('⟨')
    expect(JSON.stringify(session)).not.toMatch(/\u202e|\\u001b/)
  })

  it('is listed with the others and by itself, is closed, and opened again by a message', async () => {
    await open()
    const ben = setup.as('ben')
    const { session } = await ben.startSession({ folder: 'shop' })
    const { id } = session
    await setup.as('bot').submit({ tool: 'x', arguments: {}, callId: 'c', session: 'of-bot' })
    const listed = async (query: object, who: 'ana' | 'ben' = 'ben') =>
      (await setup.as(who).sessions(query)).items.map((row) => `${row.id} ${row.coding?.state ?? '-'}`)
    expect((await listed({})).sort()).toEqual([`${id} asleep`, 'of-bot -'].sort())
    expect(await listed({ coding: true })).toEqual([`${id} asleep`])
    expect(await listed({ coding: true }, 'ana')).toEqual([`${id} asleep`])
    expect(await listed({ coding: true, mine: true }, 'ana')).toEqual([])
    expect((await ben.closeSession(id)).coding).toMatchObject({ state: 'closed' })
    expect(await listed({ coding: true })).toEqual([])
    expect(await listed({ coding: true, closed: true })).toEqual([`${id} closed`])
    await ben.say(id, 'hello again')
    await idle(id)
    expect(await listed({ coding: true })).toHaveLength(1)
    expect((await ben.progress(id)).turn?.ended).toMatchObject({ text: 'You said: hello again' })
  })

  it('is listed page by page', async () => {
    await open()
    const ben = setup.as('ben')
    const started: string[] = []
    for (let n = 0; n < 3; n++) started.push((await ben.startSession({ folder: 'shop' })).session.id)
    const first = await ben.sessions({ coding: true, limit: 2 })
    const rest = await ben.sessions({ coding: true, limit: 2, cursor: first.cursor! })
    expect([...first.items, ...rest.items].map(({ id }) => id).sort()).toEqual(started.sort())
    expect(rest).not.toHaveProperty('cursor')
    await expect(ben.sessions({ coding: true, cursor: 'x' })).rejects.toMatchObject({ code: 'invalid' })
  })

  it('P5: begins in a mode that its owner may set, by either name, and in no other', async () => {
    await open()
    const ben = setup.as('ben')
    expect((await ben.startSession({ folder: 'shop', mode: 'acceptEdits' })).session.mode).toBe('acceptEdits')
    for (const mode of ['bypassPermissions', 'bypass'] as const)
      await expect(ben.startSession({ folder: 'shop', mode, text: 'write it' })).rejects.toMatchObject({
        code: 'disallowed',
      })
    expect((await ben.sessions({ coding: true })).items).toHaveLength(1)
    expect(existsSync(join(setup.folder, 'shop', 'note.txt'))).toBe(false)
  })

  it('P6: is not there for others, and admins may do what its owner may', async () => {
    await open()
    const { session } = await setup.as('ana').startSession({ folder: 'shop' })
    const { id } = session
    const ben = setup.as('ben')
    expect((await ben.sessions({ coding: true })).items).toEqual([])
    expect(await ben.session(id)).not.toHaveProperty('coding')
    await expect(ben.closeSession(id)).rejects.toMatchObject({ code: 'unknown_id' })
    await expect(ben.progress(id)).rejects.toMatchObject({ code: 'unknown_id' })
    await expect(ben.say(id, 'hello')).rejects.toMatchObject({ code: 'unknown_id' })
    await expect(ben.setMode(id, 'plan')).rejects.toMatchObject({ code: 'not_yours' })
    const own = (await ben.startSession({ folder: 'shop' })).session.id
    expect((await setup.as('ana').closeSession(own)).coding).toMatchObject({ state: 'closed' })
  })

  it("P11: an agent's token is refused everywhere", async () => {
    await open()
    const { session } = await setup.as('ben').startSession({ folder: 'shop' })
    for (const [method, path, body] of [
      ['POST', '', { folder: 'shop', text: 'write it' }],
      ['GET', '', undefined],
      ['GET', '?coding=true', undefined],
      ['GET', `/${session.id}/progress`, undefined],
      ['GET', `/${session.id}/turns`, undefined],
      ['GET', `/${session.id}/conversation`, undefined],
      ['POST', `/${session.id}/messages`, { text: 'write it' }],
      ['PUT', `/${session.id}/mode`, { mode: 'plan' }],
      ['POST', `/${session.id}/stop`, {}],
      ['POST', `/${session.id}/close`, {}],
      ['POST', `/${session.id}/end`, {}],
    ] as const) {
      const { status, json } = await send('bot', method, `/v1/sessions${path}`, body)
      expect([method, path, status, json.code]).toEqual([method, path, 403, 'forbidden'])
    }
    expect((await send('bot', 'GET', `/v1/sessions/${session.id}`)).json.code).toBe('unknown_id')
    expect((await setup.as('ben').sessions({ coding: true })).items).toHaveLength(1)
  })

  it('bad input is named, and without secretary: in the configuration it is said what is missing', async () => {
    await open()
    for (const [body, code, says] of [
      [{}, 'invalid', /folder/],
      [{ folder: 'shop', mode: 'yolo' }, 'invalid', /bypassPermissions/],
      [{ folder: 'elsewhere' }, 'invalid', /folder/],
      [{ folder: 'shop', agent: 'nobody' }, 'invalid', /coder/],
    ] as const) {
      const { json } = await send('ben', 'POST', '/v1/sessions', body)
      expect([json.code, json.detail]).toEqual([code, expect.stringMatching(says)])
    }
    setup.trust('policy: {}\n')
    await setup.start()
    const { status, json } = await send('ben', 'POST', '/v1/sessions', { folder: 'shop' })
    expect([status, json.code]).toEqual([404, 'unknown_route'])
    expect(json.detail).toContain('`secretary:`')
    expect((await setup.as('ben').sessions({ coding: true })).items).toEqual([])
  })
})
