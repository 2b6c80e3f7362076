/** A token with a scope is good for one route. Every other route, door, stream and socket refuses it, whichever are added later. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../../test/fixtures/http-gateway.ts'
import { ana } from '../../gateway/fixtures/test-gateway.ts'
import type { Door } from '../../people/door.ts'

const door: Door = {
  kind: 'credential',
  channel: 'chat',
  method: 'POST',
  path: '/chat',
  summary: 'A chat.',
  credential: 'bearer',
  maxBodyBytes: 100,
  async answer() {
    return { kind: 'json', status: 200, body: {} }
  },
}

let http: HttpGateway
let secret: string
beforeAll(async () => {
  http = await openHttpGateway({ http: { doors: [door], metrics: () => 'x 1\n' } })
  const made = { subject: 'codex@host', role: 'agent', scope: 'hooks:codex' } as const
  secret = (await http.setup.gateway.tokens.create(made, ana)).secret
})
afterAll(() => http.close())

it('P6: every route but its own answers 403, and says why', async () => {
  const api = (await http.send('GET', '/openapi.json', { as: 'ana' })).json
  let refused = 0
  for (const [path, methods] of Object.entries<Record<string, { security?: unknown[] }>>(api.paths)) {
    for (const [method, { security }] of Object.entries(methods)) {
      if (security?.length === 0 || path === '/v1/hooks/{agent}') continue
      const address = path.replaceAll(/\{\w+\}/g, 'x')
      const answer = await http.send(method.toUpperCase(), address, {
        headers: { authorization: `Bearer ${secret}` },
      })
      expect([path, answer.status, answer.json.code]).toEqual([path, 403, 'forbidden'])
      expect(answer.json.detail).toContain('this token is good for hooks:codex only')
      refused++
    }
  }
  expect(api.paths['/chat']).toBeDefined()
  expect(refused).toBeGreaterThan(40)
})

it('P6: a path that nobody serves answers 403, too', async () => {
  const answer = await http.send('GET', '/v1/nothing', { headers: { authorization: `Bearer ${secret}` } })
  expect(answer.status).toBe(403)
})

it.each(['/v1/socket', '/v1/streams'])('P6: the socket at %s is closed', async (path) => {
  const socket = http.socket({ path })
  await socket.opened
  socket.send({ type: 'hello', token: secret })
  expect(await socket.closed).toEqual({ code: 4403, reason: 'this token is good for something else only' })
  expect(http.setup.faults).toEqual([])
})
