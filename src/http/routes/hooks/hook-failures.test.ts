/** Whatever goes wrong with a hook ends in a no, and leaves no claim behind. */
import { EventEmitter } from 'node:events'
import { afterEach, expect, it } from 'vitest'
import { until } from '../../../../test/fixtures/until.ts'
import * as claude from '../../../coding-agents/claude-code/fixtures/events.ts'
import * as codex from '../../../coding-agents/codex/fixtures/events.ts'
import { BanksmanError } from '../../../core/errors.ts'
import { ana, newestRequest } from '../../../gateway/fixtures/test-gateway.ts'
import type { Gateway } from '../../../gateway/gateway-verbs.ts'
import { createHttpApp } from '../../app.ts'
import { type HookGateway, openHookGateway, wanted } from './fixtures/hook-gateway.ts'

let http: HookGateway
afterEach(() => http.close())

const reasonIn = (json: { hookSpecificOutput: { permissionDecisionReason: string } }) =>
  json.hookSpecificOutput.permissionDecisionReason
const isDeny = (json: { hookSpecificOutput?: { permissionDecision?: string } }) =>
  json.hookSpecificOutput?.permissionDecision === 'deny'
const pending = async () => (await http.setup.store.list({ state: 'pending' })).items
const running = async () => (await http.setup.store.list({ state: 'running' })).items

it.each([
  ['half a JSON', '{"tool_name":', "can't read this call"],
  ['nothing', '', "can't read this call"],
  [
    'a key that is there twice',
    JSON.stringify(claude.preToolUse).replace('{', '{"tool_name":"Read",'),
    'tool_name',
  ],
  ['a lone surrogate', '{"tool_name":"\\ud800"}', 'surrogate'],
  [
    'more than the limit',
    JSON.stringify(wanted({ tool_input: { command: 'x'.repeat(2 ** 21) } })),
    'larger than',
  ],
  [
    'a call over its own limit',
    JSON.stringify(wanted({ tool_name: 'Read', tool_input: { file_path: 'x'.repeat(2 ** 20) } })),
    'longer than 1048576 characters, which is the limit',
  ],
  ['arguments that are none', JSON.stringify(wanted({ tool_input: 'rm' })), 'tool_input must be an object'],
  ['an id that no call can have', JSON.stringify(wanted({ tool_use_id: 'a b' })), 'must not contain spaces'],
])('P5: %s is denied with the reason', async (_, text, because) => {
  http = await openHookGateway()
  const { status, json } = await http.hook(text)
  expect([status, isDeny(json)]).toEqual([200, true])
  expect(reasonIn(json)).toContain(because)
  expect(await pending()).toEqual([])
})

it.each([
  [
    'an event that nobody knows',
    { ...claude.preToolUse, hook_event_name: 'PreToolUse2' },
    {},
    400,
    'invalid',
  ],
  ['a list', [claude.preToolUse], {}, 400, 'invalid'],
  ['another agent', claude.preToolUse, { agent: 'gemini' }, 403, 'forbidden'],
  ['the token of another agent', claude.preToolUse, { tokenOf: 'codex' }, 403, 'forbidden'],
  ['no token', claude.preToolUse, { headers: { authorization: '' } }, 401, 'unauthenticated'],
  ['a form', claude.preToolUse, { headers: { 'content-type': 'text/plain' } }, 415, 'wrong_media_type'],
  ['a hold that is none', claude.preToolUse, { hold: 'ever' }, 400, 'invalid'],
])('P5: %s is answered by a status that is a no', async (_, event, options, status, code) => {
  http = await openHookGateway()
  const { tokenOf, agent, ...rest } = { agent: 'claude-code', tokenOf: 'claude-code', ...options }
  const answer = await http.hook(event, { agent, token: http.hookTokens[tokenOf]!, ...rest })
  expect([answer.status, answer.json.code]).toEqual([status, code])
  expect(await pending()).toEqual([])
})

it('an agent that nobody knows is named, with those that there are', async () => {
  http = await openHookGateway()
  const { status, json } = await http.hook(claude.preToolUse, {
    agent: 'gemini',
    token: http.tokens['agent-1'],
  })
  expect([status, json.detail]).toEqual([404, expect.stringContaining('claude-code, codex, opencode')])
})

it('P5: a store that is away is a deny', async () => {
  let away = false
  http = await openHookGateway({
    setup: {
      wrap: (store) => ({
        ...store,
        lookup: (...args) =>
          away
            ? Promise.reject(new BanksmanError('store_unavailable', 'the disk is gone'))
            : store.lookup(...args),
      }),
    },
  })
  away = true
  const { status, json } = await http.hook(wanted({ tool_name: 'Read', tool_input: { file_path: '/a' } }))
  expect([status, isDeny(json), reasonIn(json)]).toEqual([
    200,
    true,
    expect.stringContaining('the disk is gone'),
  ])
})

it('P5: a fault of ours is a deny that tells nothing of it', async () => {
  http = await openHookGateway({
    wrap: (gateway) => ({
      ...gateway,
      handOver: () => Promise.reject(new TypeError('secret of ours')),
    }),
  })
  const { status, json } = await http.hook(wanted())
  expect([status, isDeny(json)]).toEqual([200, true])
  expect(reasonIn(json)).toContain('something went wrong inside')
  expect(reasonIn(json)).not.toContain('secret')
  expect(http.setup.faults).toHaveLength(1)
})

it('nobody in time: the model is told to come again, joins what waits, and is told to stop at last', async () => {
  http = await openHookGateway()
  const { hook } = http
  const first = await hook(wanted(), { hold: '0' })
  const [request] = await pending()
  expect(isDeny(first.json)).toBe(true)
  expect(reasonIn(first.json)).toBe(
    `Not refused: waiting for ana (${request!.id}). Call the same tool with the same arguments again to go on waiting; do not try another way.`,
  )
  for (let round = 2; round < 6; round++)
    expect(reasonIn((await hook(wanted(), { hold: '0' })).json)).toContain('Not refused: waiting for ana')
  const last = reasonIn((await hook(wanted(), { hold: '0' })).json)
  expect(last).toContain('Stop, and tell the user that ana must approve this call')
  expect(await pending()).toHaveLength(1)
  await http.decide({ decision: 'approve' })
  const event = wanted()
  expect((await hook(event)).json.hookSpecificOutput).toMatchObject({ permissionDecision: 'allow' })
  // One approval is one run: the next is asked about again.
  expect(isDeny((await hook(wanted(), { hold: '0' })).json)).toBe(true)
  expect(await running()).toHaveLength(1)
})

it('waits on by itself until the time is over, and no longer than the agent lets it', async () => {
  http = await openHookGateway()
  const answer = http.hook(wanted(), { hold: '999999s' })
  await newestRequest(http.setup)
  await http.setup.clock.advance(589_000)
  let isAnswered = false
  void answer.then(() => {
    isAnswered = true
  })
  await http.send('GET', '/v1/me', { as: 'ana' })
  expect(isAnswered).toBe(false)
  await http.setup.clock.advance(1000)
  expect(reasonIn((await answer).json)).toContain('Not refused: waiting for ana')
})

it('beyond so many hooks that wait, the next is answered at once', async () => {
  http = await openHookGateway({ http: { settings: { waitingHooks: 1 } } })
  const waiting = http.hook(wanted({ tool_input: { command: 'touch 1' } }))
  const request = await newestRequest(http.setup)
  const next = await http.hook(wanted({ tool_input: { command: 'touch 2' } }))
  expect(reasonIn(next.json)).toContain('Not refused: waiting for ana')
  expect(await pending()).toHaveLength(2)
  await http.setup.gateway.decide(request.id, { decision: 'reject', digest: request.digest }, ana)
  await waiting
  const later = http.hook(wanted({ tool_input: { command: 'touch 3' } }))
  await until(async () => (await pending()).length === 2)
  await http.decide({ decision: 'reject' })
  expect(isDeny((await later).json)).toBe(true)
})

it('one token that waits everywhere leaves places to others', async () => {
  http = await openHookGateway({ http: { settings: { waitingHooks: 4 } } })
  const gone = new AbortController()
  const { signal } = gone
  const flood = [1, 2, 3, 4].map((count) =>
    http.hook(wanted({ tool_input: { command: `touch ${count}` } }), { signal }).catch(() => undefined),
  )
  await until(async () => (await pending()).length === 4)
  let isAnswered = false
  const other = http.hook({ ...codex.preToolUse, tool_input: { command: 'touch x' } }, { agent: 'codex' })
  other.then(() => {
    isAnswered = true
  })
  await until(async () => (await pending()).length === 5)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(isAnswered).toBe(false)
  const request = (await pending()).find(({ session }) => session.startsWith('codex-'))!
  await http.setup.gateway.decide(request.id, { decision: 'approve', digest: request.digest }, ana)
  expect(isDeny((await other).json)).toBe(false)
  gone.abort()
  await Promise.all(flood)
})

it('P4: the same call id a second time is denied, whether the policy or a person let it through', async () => {
  http = await openHookGateway()
  const read = wanted({ tool_name: 'Read', tool_input: { file_path: '/srv/shop/a' } })
  expect((await http.hook(read)).json).toEqual({})
  expect(isDeny((await http.hook(read)).json)).toBe(true)
  const event = wanted()
  const answer = http.hook(event)
  await http.decide({ decision: 'approve' })
  expect(isDeny((await answer).json)).toBe(false)
  expect(reasonIn((await http.hook(event)).json)).toContain('it is already running')
})

it('P4: another call under a known id is denied', async () => {
  http = await openHookGateway()
  const event = wanted({ tool_name: 'Read', tool_input: { file_path: '/srv/shop/a' } })
  expect((await http.hook(event)).json).toEqual({})
  const other = await http.hook({ ...event, tool_input: { file_path: '/etc/shadow' } })
  expect(isDeny(other.json)).toBe(true)
})

it('P4: a client that is gone when a person approves leaves no claim', async () => {
  let handedOver: ReturnType<Gateway['handOver']> | undefined
  http = await openHookGateway({
    wrap: (gateway) => ({
      ...gateway,
      handOver(...args) {
        handedOver = gateway.handOver(...args)
        return handedOver
      },
    }),
  })
  const gone = new AbortController()
  const answer = http.hook(wanted(), { signal: gone.signal }).catch(() => 'gone')
  const request = await newestRequest(http.setup)
  gone.abort()
  expect(await answer).toBe('gone')
  expect(await handedOver).toMatchObject({ kind: 'pending', because: 'aborted' })
  await http.setup.gateway.decide(request.id, { decision: 'approve', digest: request.digest }, ana)
  expect(await http.stateOf(request.id)).toBe('approved')
})

it('P4: a client that goes while its call is being claimed leaves no claim', async () => {
  const gone = new AbortController()
  http = await openHookGateway({
    wrap: (gateway) => ({
      ...gateway,
      async handOver(...args) {
        const result = await gateway.handOver(...args)
        const { signal } = args[1]
        gone.abort()
        await until(() => signal?.aborted === true)
        return result
      },
    }),
  })
  const answer = http.hook(wanted(), { signal: gone.signal }).catch(() => 'gone')
  const { id } = await http.decide({ decision: 'approve' })
  expect(await answer).toBe('gone')
  await until(async () => (await http.stateOf(id)) === 'approved')
})

it.each([
  [true, 'running'],
  [false, 'approved'],
])(
  'P4: an answer of which it is %s that it was written leaves the call %s',
  async (writableFinished, state) => {
    http = await openHookGateway()
    const { gateway, clock } = http.setup
    const app = createHttpApp({ gateway, clock, allowedHosts: ['x'], version: '1' })
    const outgoing = Object.assign(new EventEmitter(), { writableFinished })
    const answer = app.fetch(
      new Request('http://x/v1/hooks/claude-code', {
        method: 'POST',
        headers: {
          host: 'x',
          authorization: `Bearer ${http.hookTokens['claude-code']}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(wanted()),
      }),
      { outgoing },
    )
    const { id } = await http.decide({ decision: 'approve' })
    expect((await answer).status).toBe(200)
    expect(await http.stateOf(id)).toBe('running')
    outgoing.emit('close')
    await until(async () => (await http.stateOf(id)) === state)
  },
)

it('P6: a token that is revoked while its hook waits is let go with 401, and leaves no claim', async () => {
  http = await openHookGateway()
  const answer = http.hook(wanted())
  const request = await newestRequest(http.setup)
  const { tokens } = http.setup.gateway
  const token = (await tokens.list(ana)).find(({ scope }) => scope === 'hooks:claude-code')!
  await tokens.revoke(token.id, ana)
  expect((await answer).status).toBe(401)
  expect(await http.stateOf(request.id)).toBe('cancelled')
  expect((await http.hook(wanted())).status).toBe(401)
})

it('P5: a server that shuts down tells the hook to come again', async () => {
  http = await openHookGateway()
  const answer = http.hook(wanted())
  const request = await newestRequest(http.setup)
  await http.server.close()
  expect(reasonIn((await answer).json)).toContain('Not refused: waiting for')
  expect(await http.stateOf(request.id)).toBe('pending')
})

it('P4: no answer has the id of a claim or a key', async () => {
  http = await openHookGateway()
  const answer = http.hook(wanted())
  const { id } = await http.decide({ decision: 'approve' })
  const { text } = await answer
  const { claim } = (await http.setup.store.get(id))!.progress
  expect(text).not.toContain(claim!.id)
  expect(text).not.toContain(claim!.key)
})

it('P5: a request that expires is a deny', async () => {
  http = await openHookGateway({ setup: { settings: { expiresInMs: 60_000 } } })
  const answer = http.hook(wanted())
  await newestRequest(http.setup)
  await http.setup.clock.advance(61_000)
  await http.setup.gateway.expire()
  expect(reasonIn((await answer).json)).toContain('nobody answered in time')
})
