import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../../test/fixtures/http-gateway.ts'
import { BanksmanError } from '../../core/errors.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
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
      "the server's disk or database is full, so nothing can be written (the disk is full)",
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

  it('is told in the language of the reader, with values as they are shown', async () => {
    fault = undefined
    const zh = { 'accept-language': 'zh-CN' }
    const detail = async (method: string, path: string, options: object = {}) =>
      (await http.send(method, path, { as: 'ben', headers: zh, ...options })).json.detail
    expect(await detail('GET', '/v1/requests/req_1\u202e')).toBe('没有编号为 `req_1⟨U+202E RLO⟩` 的请求')
    expect(await detail('DELETE', '/v1/grants/grt_1')).toBe('没有编号为 `grt_1` 的授权')
    expect(await detail('GET', '/v1/sessions/s1')).toBe('没有编号为 `s1` 的会话')
    expect(await detail('GET', '/v1/me', { as: undefined })).toContain('需要凭据')
    const { id, digest } = await http.ask()
    const decide = (as: string, decision: string, more = {}) =>
      detail('POST', `/v1/requests/${id}/decisions`, { as, body: { decision, digest, ...more } })
    expect(await decide('eve', 'approve')).toContain('您可以查看此请求，但无权审批')
    expect(await decide('ben', 'approve', { digest: 'f'.repeat(64) })).toContain('请重新加载')
    await http.send('POST', `/v1/requests/${id}/decisions`, {
      as: 'ben',
      body: { decision: 'reject', digest },
    })
    expect(await decide('ana', 'approve')).toBe('ben 已作出决定：拒绝')
    fault = new BanksmanError('store_full', 'the disk is full')
    const { json } = await http.send('POST', '/v1/calls', {
      as: 'agent-1',
      headers: zh,
      body: { tool: 'x', arguments: {}, callId: 'c', session: 's' },
    })
    expect(json).toMatchObject({
      detail: '服务器的磁盘或数据库已满，无法写入（the disk is full）',
      reason: { code: 'problem.store-full', values: { why: 'the disk is full' } },
    })
  })

  it('tells each fault of an edit in the language of the reader', () => {
    const issues = [
      { pointer: '/amount', message: 'as it was', reason: reasonOf('schema.minimum', { limit: 1 }) },
    ]
    const reason = reasonOf('problem.schema-misfit', {
      issues: [reasonOf('issue.at', { pointer: '/amount', why: issues[0]!.reason })],
    })
    const error = reasonedError('arguments_invalid', reason, { issues })
    expect(toProblem(error, 'zh')).toMatchObject({
      detail: '修改后的参数不符合该工具的参数格式：/amount：不能小于 1',
      issues: [{ pointer: '/amount', message: '不能小于 1' }],
    })
    expect(toProblem(error).detail).toContain('/amount: must be at least 1')
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
