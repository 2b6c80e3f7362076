import { afterAll, beforeAll, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../../test/fixtures/http-gateway.ts'
import { defined } from '../../core/defined.ts'

let http: HttpGateway
beforeAll(async () => {
  http = await openHttpGateway({ setup: { policy: { ask: ['send'], deny: ['drop'] } } })
})
afterAll(() => http.close())

const zh = { 'accept-language': 'zh-CN' }
const both = async (method: string, path: string, body?: unknown) => {
  const send = (headers: Record<string, string>) =>
    http.send(method, path, { as: 'ana', headers, ...defined({ body }) })
  return { english: (await send({})).json, chinese: (await send(zh)).json }
}

it('a request says why it is asked in the language of its reader, and is the same in all else', async () => {
  const { id } = await http.ask({ tool: 'deploy' })
  const { english, chinese } = await both('GET', `/v1/requests/${id}`)
  expect(english.because).toBe("Needs approval: `deploy` isn't on the allow list.")
  expect(chinese.because).toBe('需要审批：`deploy` 不在允许名单中。')
  const { because: _, rendering: __, ...rest } = chinese
  expect(english).toMatchObject(rest)
})

it('suggestions and the grants that they leave', async () => {
  const { id, digest } = await http.ask({ tool: 'WebSearch', arguments: { query: 'moon' } })
  const { english, chinese } = await both('GET', `/v1/requests/${id}/suggestions`)
  const words = (answer: { suggestions: { id: string; words: string }[] }) =>
    Object.fromEntries(answer.suggestions.map((one) => [one.id, one.words]))
  expect(words(english)).toEqual({
    call: 'exactly this call, with the same arguments in the same folder',
    'argument:/query': 'WebSearch with query: "moon" and anything else',
    tool: 'WebSearch with any arguments',
  })
  expect(words(chinese)).toEqual({
    call: '仅限此调用：参数和工作目录都相同',
    'argument:/query': 'WebSearch：query: "moon"，其余参数不限',
    tool: 'WebSearch，任何参数',
  })
  // Whoever decides in Chinese leaves the same on the record.
  const body = { decision: 'approve', digest, scope: 'session', grant: { suggestion: 'argument:/query' } }
  await http.send('POST', `/v1/requests/${id}/decisions`, { as: 'ana', headers: zh, body })
  const grants = await both('GET', '/v1/grants')
  expect(grants.english.items[0].words).toBe('WebSearch with query: "moon" and anything else')
  expect(grants.chinese.items[0].words).toBe('WebSearch：query: "moon"，其余参数不限')
})

it('a grant for exactly one call', async () => {
  const { id, digest } = await http.ask({ tool: 'send', arguments: { to: 'mars' } })
  const body = { decision: 'approve', digest, scope: 'always' }
  await http.send('POST', `/v1/requests/${id}/decisions`, { as: 'ana', body })
  const { english, chinese } = await both('GET', '/v1/grants')
  const found = (page: { items: { tool: string; words: string }[] }) =>
    page.items.find(({ tool }) => tool === 'send')?.words
  expect(found(english)).toBe('exactly this call: send: to=mars')
  expect(found(chinese)).toBe('仅限此调用：send: to=mars')
})

it('verdicts, explanations and calls that nobody was asked about', async () => {
  const call = { tool: 'drop', arguments: {}, callId: 'd1', session: 's1' }
  const said = await http.send('POST', '/v1/calls', { as: 'agent-1', headers: zh, body: call })
  expect(said.json.verdict).toMatchObject({ kind: 'deny', because: '已禁止：`drop` 在禁止名单中。' })
  await http.setup.gateway.flush()
  const calls = await both('GET', '/v1/calls')
  expect(calls.english.items[0].because).toBe('Denied: `drop` is on the deny list.')
  expect(calls.chinese.items[0].because).toBe('已禁止：`drop` 在禁止名单中。')
  const line = { tool: 'Bash', arguments: { command: 'python -c x' } }
  const { english, chinese } = await both('POST', '/v1/policy/explain', line)
  expect(english.doubts[0].because).toMatch(/[a-z] [a-z]/)
  expect(chinese.doubts[0].because).toBe('`-c` 会运行未经检查的代码')
  expect(chinese.verdict.kind).toBe(english.verdict.kind)
})

it('P10: the record is in English, whoever reads it', async () => {
  const { chinese } = await both('GET', '/v1/journal/chains')
  const chain = chinese.items[0].chain as string
  const { text } = await http.send('GET', `/v1/journal?chain=${chain}&limit=200`, { as: 'ana', headers: zh })
  expect(text).toContain("`deploy` isn't on the allow list")
  expect(text).not.toMatch(/\p{Script=Han}/u)
})

it('a problem that people can meet', async () => {
  const { id } = await http.ask({ tool: 'deploy' })
  const body = { decision: 'approve', digest: 'of something else' }
  const { english, chinese } = await both('POST', `/v1/requests/${id}/decisions`, body)
  expect(english).toMatchObject({
    code: 'digest_mismatch',
    detail: 'the request has changed since it was shown; reload it and decide again',
    reason: { code: 'problem.changed' },
  })
  expect(chinese.detail).toBe('请求在显示之后已有变化，请重新加载后再决定')
})
