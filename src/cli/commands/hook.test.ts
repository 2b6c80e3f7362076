/** The hook as a process: what an agent sees of it, whatever its server does. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as claude from '../../coding-agents/claude-code/fixtures/events.ts'
import { makeCliFolder, type StartedServer } from '../fixtures/program.ts'

const place = makeCliFolder()
let server: StartedServer
let token: string
const event = JSON.stringify(claude.preToolUse)

beforeAll(async () => {
  server = await place.start()
  token = join(place.folder, 'token')
  const made = await place.run([
    'tokens',
    'create',
    '--role',
    'agent',
    '--subject',
    'claude-code@host',
    '--scope',
    'hooks:claude-code',
    '--output',
    token,
  ])
  expect(made.code).toBe(0)
})
afterAll(() => place.remove())

const hook = (args: string[], input = event) => place.run(['hook', ...args], { input })

describe('banksman hook', () => {
  it('sends the event by the socket of the server, and prints its answer and nothing else', async () => {
    const { code, stdout, stderr } = await hook(['claude-code', '--token-file', token, '--hold', '0'])
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('Not refused: waiting for'),
    })
  })

  it('sends it to a port where it is told to', async () => {
    const over = JSON.stringify(claude.sessionEnd)
    const { code, stdout } = await hook(['claude-code', '--token-file', token, '--url', server.url], over)
    expect([code, stdout]).toEqual([0, '{}\n'])
  })

  it('lists the token with all that it is good for', async () => {
    const { stdout } = await place.run(['tokens', 'list'])
    expect(stdout).toContain('claude-code@host')
    expect(stdout).toMatch(/only hooks:claude-code {2}last event 20\d\d-\d\d-\d\d \d\d:\d\d UTC/)
  })

  it.each([
    ['an agent that nobody knows', ['gemini'], event, 'good for hooks:claude-code only'],
    ['no agent', [], event, 'agent'],
    ['an option that nobody knows', ['claude-code', '--allow'], event, '--allow'],
    [
      'an event that nobody knows',
      ['claude-code'],
      '{"hook_event_name":"x"}',
      'hook_event_name must be one of',
    ],
    ['a socket that is not there', ['claude-code', '--socket', '/nowhere.sock'], event, 'did not answer'],
    ['another scheme', ['claude-code', '--url', 'ftp://127.0.0.1:1'], event, "isn't the address of a server"],
    ['TLS where nobody listens', ['claude-code', '--url', 'https://127.0.0.1:1'], event, 'did not answer'],
    [
      'a data folder without a server',
      ['claude-code', '--data', '/nowhere'],
      event,
      'no server with a socket',
    ],
  ])('P5: %s ends with exit code 2 and a reason', async (_, args, input, because) => {
    const { code, stdout, stderr } = await hook([...args, '--token-file', token], input)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(because)
  })

  it('P5: without a token it ends so, too', async () => {
    const { code, stdout, stderr } = await hook(['claude-code'])
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('it needs a token')])
  })
})

it.each([
  ['throws', "throw new Error('boom')"],
  ['rejects', "Promise.reject(new Error('boom'))"],
  ['ends early', 'process.exit()'],
  ['ends early with a code', 'process.exit(1)'],
])('P5: a program that %s while it waits ends with exit code 2 and a reason', async (_, does) => {
  const file = join(place.folder, 'breaks.cjs')
  // While a person is waited for.
  writeFileSync(file, `setTimeout(() => { ${does} }, 1000)`)
  const ran = await place.run(['hook', 'claude-code', '--token-file', token, '--hold', '590s'], {
    input: JSON.stringify({ ...claude.preToolUse, tool_use_id: `toolu_${does.length}` }),
    nodeOptions: ['--require', file],
  })
  expect([ran.code, ran.stdout]).toEqual([2, ''])
  expect(ran.stderr).toContain('not allowed: the hook ended without an answer')
})

describe('P5: whoever listens at the address of the server,', () => {
  let closing: (() => void) | undefined
  afterEach(() => closing?.())

  async function listening(answer: RequestListener): Promise<string> {
    const other = createServer(answer).listen(0, '127.0.0.1')
    closing = () => {
      other.closeAllConnections()
      other.close()
    }
    await once(other, 'listening')
    return `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  }

  it.each<[string, RequestListener]>([
    ['HTML', (_, answer) => answer.end('<html></html>')],
    ['nothing', (_, answer) => answer.end()],
    ['a list', (_, answer) => answer.end('[]')],
    ['null', (_, answer) => answer.end('null')],
    [
      'half an answer',
      (_, answer) => answer.writeHead(200, { 'content-length': '100' }).write('{}') && answer.destroy(),
    ],
    ['an answer with the status 500', (_, answer) => answer.writeHead(500).end('{}')],
    ['an answer with the status 201', (_, answer) => answer.writeHead(201).end('{}')],
    ['a redirection', (_, answer) => answer.writeHead(307, { location: '/' }).end('{}')],
    ['an end without a word', (request) => request.socket.destroy()],
  ])('%s is no answer', async (_, answer) => {
    const url = await listening(answer)
    const { code, stdout, stderr } = await hook(['claude-code', '--token-file', token, '--url', url])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('not allowed: ')
  })

  it('the token is not on the screen', async () => {
    const secret = `bma_${'x'.repeat(43)}`
    writeFileSync(join(place.folder, 'other'), secret, { mode: 0o600 })
    const url = await listening((_, answer) => answer.writeHead(400).end(JSON.stringify({ detail: secret })))
    const { stderr } = await hook(['claude-code', '--token-file', join(place.folder, 'other'), '--url', url])
    expect(stderr).not.toContain(secret)
  })
})
