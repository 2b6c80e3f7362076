import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../../../test/fixtures/http-gateway.ts'
import { createMemoryMediaStore } from '../../../agents/media/memory-media-store.ts'
import { ana, ben } from '../../../gateway/fixtures/test-gateway.ts'

let http: HttpGateway
const media = createMemoryMediaStore()
beforeAll(async () => {
  http = await openHttpGateway({ http: { media } })
  const begin = (session: string, actor: typeof ana) =>
    http.setup.gateway.turns.append({ session, at: 0, turn: { kind: 'begun' }, unfinished: false }, actor)
  await begin('react-plus/ana/x', ana)
  await begin('of-ben', ben)
})
afterAll(() => http.close())

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255])
const get = (id: string, session: string, as: 'ana' | 'ben' | 'agent-1' = 'ana') =>
  http.send('GET', `/v1/media/${id}?session=${encodeURIComponent(session)}`, { as })

describe('media', () => {
  it('go out to the owner of the session, as something that can’t run', async () => {
    const { id } = await media.put('react-plus/ana/x', {
      type: 'image/png',
      data: PNG,
      name: 'wetter é.png',
    })
    const { status, headers } = await get(id, 'react-plus/ana/x')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/png')
    expect(headers.get('content-disposition')).toBe("inline; filename*=UTF-8''wetter%20%C3%A9.png")
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    const response = await fetch(`http://${http.host}/v1/media/${id}?session=react-plus%2Fana%2Fx`, {
      headers: { authorization: `Bearer ${http.tokens.ana}` },
    })
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(PNG)
  })

  it.each([
    ['text/html', 'text/html'],
    ['image/svg+xml', 'image/svg+xml'],
    ['text/plain\r\nx-evil: 1', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('of the type %j are only given to be kept', async (type, told) => {
    const shelf = {
      get: async () => ({ item: { id: 'm', type, name: "a'b\r\n.html\ud800" }, data: PNG }),
    }
    const other = await openHttpGateway({ around: http.setup, http: { media: shelf } })
    const { status, headers } = await other.send('GET', '/v1/media/m?session=of-ben', { as: 'ben' })
    expect([status, headers.get('content-type')]).toEqual([200, told])
    expect(headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''a%27b%0D%0A.html%EF%BF%BD")
    expect(headers.get('x-evil')).toBeNull()
    await other.close()
  })

  it('P6: are nobody else’s, and of no other session', async () => {
    const { id } = await media.put('of-ben', { type: 'image/png', data: PNG })
    expect((await get(id, 'of-ben', 'ben')).status).toBe(200)
    expect((await get(id, 'of-ben', 'ana')).json).toMatchObject({ status: 404, code: 'unknown_id' })
    expect((await get(id, 'react-plus/ana/x', 'ana')).status).toBe(404)
    expect((await get(id, 'nowhere', 'ana')).status).toBe(404)
    expect((await get('none', 'of-ben', 'ben')).status).toBe(404)
    expect((await get(id, 'of-ben', 'agent-1')).status).toBe(403)
    expect((await http.send('GET', `/v1/media/${id}`, { as: 'ben' })).status).toBe(400)
    expect((await http.send('GET', `/v1/media/${id}?session=of-ben`)).status).toBe(401)
  })
})
