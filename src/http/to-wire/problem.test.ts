import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../../test/fixtures/http-gateway.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import { toProblem } from './problem.ts'

let http: HttpGateway
let fault: unknown
beforeAll(async () => {
  http = await openHttpGateway({
    wrap: (gateway): Gateway => ({
      ...gateway,
      review: (...input) => (fault === undefined ? gateway.review(...input) : Promise.reject(fault)),
      arrive: (...input) => (fault === undefined ? gateway.arrive(...input) : Promise.reject(fault)),
    }),
  })
})
afterAll(() => http.close())

const submit = () => {
  const body = { tool: 'x', arguments: {}, callId: 'c', session: 's' }
  return http.send('POST', '/v1/calls', { as: 'agent-1', body })
}

describe('a problem', () => {
  it('P5: of ours is told without its words, and reported', async () => {
    fault = new TypeError('reading secret of undefined')
    const { status, headers, json, text } = await submit()
    expect([status, headers.get('content-type'), json.code]).toEqual([
      500,
      'application/problem+json',
      'internal',
    ])
    expect(text).not.toContain('secret')
    expect(text).not.toContain('problem.test')
    expect(http.setup.faults).toEqual([{ doing: 'POST /v1/calls', error: fault }])
  })

  it('P5: of the store says that it may pass, and never that the call may run', async () => {
    fault = new BanksmanError('store_full', 'the disk is full')
    const { status, headers, json } = await submit()
    expect([status, json.code, json.detail, headers.get('retry-after')]).toEqual([
      503,
      'store_full',
      'the disk is full',
      '1',
    ])
    expect(json).not.toHaveProperty('verdict')
  })

  it('of noting who is connected keeps nobody from listening', async () => {
    fault = new BanksmanError('store_full', 'the disk is full')
    const stream = await http.events('ben')
    expect(await stream.nextEvent()).toMatchObject({ type: 'reset' })
    await stream.close()
    const socket = http.socket()
    await socket.opened
    socket.send({ type: 'hello', token: http.tokens.ben })
    expect(await socket.next()).toMatchObject({ type: 'reset' })
    socket.socket.terminate()
  })

  it('has members of its own that no detail can stand in for', () => {
    const details = { type: 'x', title: 'x', status: 200, code: 'x', detail: 'x', limit: 3 }
    expect(toProblem(new BanksmanError('too_large', 'it is', details))).toEqual({
      type: 'urn:banksman:problem:too_large',
      title: 'too large',
      status: 413,
      code: 'too_large',
      detail: 'it is',
      limit: 3,
    })
  })
})
