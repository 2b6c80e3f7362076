import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../test/fixtures/http-gateway.ts'

let http: HttpGateway
// biome-ignore lint/suspicious/noExplicitAny: a document of every shape.
let api: any
beforeAll(async () => {
  http = await openHttpGateway()
  api = (await http.send('GET', '/openapi.json', { as: 'agent-1' })).json
})
afterAll(() => http.close())

describe('the description', () => {
  it('is OpenAPI 3.1 and names every public route', () => {
    expect(api).toMatchObject({ openapi: '3.1.0', info: { title: 'Banksman', version: '1.2.3' } })
    expect(Object.keys(api.paths)).toEqual(
      expect.arrayContaining([
        '/v1/calls',
        '/v1/requests',
        '/v1/requests/{id}',
        '/v1/requests/{id}/decisions',
        '/v1/requests/{id}/claim',
        '/v1/requests/{id}/claim/renew',
        '/v1/requests/{id}/outcome',
        '/v1/requests/{id}/cancel',
        '/v1/events',
        '/v1/socket',
        '/v1/streams',
        '/v1/sessions/{id}',
        '/v1/sessions/{id}/mode',
        '/v1/sessions/{id}/stop',
        '/v1/sessions/{id}/interrupt',
        '/v1/sessions/{id}/resume',
        '/v1/grants',
        '/v1/grants/{id}',
        '/v1/policy/explain',
        '/v1/login',
        '/v1/tokens',
        '/v1/journal',
        '/healthz',
      ]),
    )
  })

  it('refers only to what is in it', () => {
    const references = [...JSON.stringify(api).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, reference]) => reference!,
    )
    expect(references.length).toBeGreaterThan(20)
    for (const reference of references) {
      expect(reference).toMatch(/^#\/components\/schemas\/\w+$/)
      expect(api.components.schemas).toHaveProperty(reference.split('/').at(-1)!)
    }
    expect(JSON.stringify(api)).not.toContain('$defs')
  })

  it('says of a call what is needed, and that nothing else is taken', () => {
    const { requestBody, parameters, responses } = api.paths['/v1/calls'].post
    expect(requestBody.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Call' })
    expect(api.components.schemas.Call).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['tool', 'arguments', 'callId', 'session'],
    })
    expect(parameters).toMatchObject([
      { name: 'hold', in: 'query', required: false, schema: { description: expect.any(String) } },
    ])
    expect(responses['200'].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/Review',
    })
    expect(responses.default.content).toHaveProperty(['application/problem+json'])
  })

  it('has the path’s steps as parameters, and says which routes take no credential', () => {
    expect(api.paths['/v1/requests/{id}'].get.parameters).toMatchObject([
      { name: 'id', in: 'path', required: true },
      { name: 'hold' },
    ])
    expect(api.security).toEqual([{ token: [] }])
    expect(api.paths['/healthz'].get.security).toEqual([])
    expect(api.paths['/v1/tokens'].post).toMatchObject({ 'x-access': 'admin' })
  })
})
