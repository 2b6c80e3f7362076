/** The script of a hook where there is no curl: it runs `banksman hook`. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { HookServer } from '../../coding-agents/setup/agent-setup.ts'
import { hookScript } from '../../coding-agents/setup/hook-script.ts'
import { PROGRAM_WORDS } from '../fixtures/program.ts'

let folder: string
let socket: string
let server: Server | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "node it's $(x) "))
  socket = join(folder, 's')
  writeFileSync(join(folder, 'token'), 'Authorization: Bearer secret\n', { mode: 0o600 })
})
afterEach(async () => {
  server?.closeAllConnections()
  await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())))
  server = undefined
  rmSync(folder, { recursive: true })
})

async function listen(answer: RequestListener): Promise<void> {
  server = createServer(answer)
  await new Promise<void>((resolve) => server!.listen(socket, resolve))
}
const answering =
  (status: number, body: string): RequestListener =>
  (request, response) => {
    request.resume().once('end', () => response.writeHead(status).end(body))
  }

function run(words: string[] = [], at: HookServer = { kind: 'socket', path: socket }, timeoutMs = 600_000) {
  const script = join(folder, 'script')
  const text = hookScript({
    agent: 'codex',
    title: 'Codex',
    server: at,
    tokenFile: join(folder, 'token'),
    sender: { kind: 'node', command: [process.execPath, ...PROGRAM_WORDS] },
    timeoutMs,
  })
  writeFileSync(script, text)
  chmodSync(script, 0o700)
  // What a project could set for its commands.
  writeFileSync(join(folder, 'evil.cjs'), "console.log('{}'); process.exit(0)\n")
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    NODE_OPTIONS: `--require ${JSON.stringify(join(folder, 'evil.cjs'))}`,
    BANKSMAN_URL: 'http://127.0.0.1:9',
    BANKSMAN_TOKEN: 'other',
  }
  return new Promise<{ code: number | null; out: string; said: string }>((resolve) => {
    const child = spawn(script, words, { env })
    let [out, said] = ['', '']
    child.stdout.on('data', (data) => {
      out += data
    })
    child.stderr.on('data', (data) => {
      said += data
    })
    child.stdin.on('error', () => {}).end('{"a":1}')
    child.once('close', (code) => resolve({ code, out, said }))
  })
}

it('sends the event with its token and prints the answer, whatever the environment says', async () => {
  const got: unknown[] = []
  await listen((request, response) => {
    got.push(request.url, request.headers.authorization)
    request.resume().once('end', () => response.end('{"a":"b"}'))
  })
  expect(await run()).toEqual({ code: 0, out: '{"a":"b"}\n', said: '' })
  expect(got).toEqual(['/v1/hooks/codex', 'Bearer secret'])
})

it.each<[string, RequestListener | undefined, RegExp]>([
  ['500', answering(500, '{}'), /status 500/],
  ['a page', answering(200, '<html></html>'), /nonsense/],
  ['nothing', answering(200, ''), /nonsense/],
  ['silence', () => {}, /in time/],
  ['nobody', undefined, /did not answer/],
])('P5: %s is a no, with exit code 2 and a reason', async (_, answer, reason) => {
  if (answer !== undefined) await listen(answer)
  const { code, out, said } = await run([], undefined, 8000)
  expect([code, out]).toEqual([2, ''])
  expect(said).toMatch(reason)
})

it('P5: no token is a no', async () => {
  await listen(answering(200, '{}'))
  rmSync(join(folder, 'token'))
  expect(await run()).toMatchObject({ code: 2, out: '' })
})

it('asks a server with TLS, and believes none that it can’t know', async () => {
  // One without TLS: the way there is tried, and fails.
  server = createServer(answering(200, '{}'))
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const { code, out, said } = await run([], { kind: 'url', url: `https://127.0.0.1:${port}` })
  expect([code, out]).toEqual([2, ''])
  expect(said).toMatch(/did not answer: .*(?:SSL|EPROTO|TLS|wrong version)/i)
})

it('where it only reports, a server that hangs or is down is in nobody’s way', async () => {
  expect(await run(['after'])).toEqual({ code: 0, out: '', said: '' })
  // Its own limit is ten minutes; for a report it is a few seconds.
  await listen(() => {})
  expect(await run(['after'])).toEqual({ code: 0, out: '', said: '' })
})
