/** The script itself, with sh and curl, against whoever may be at the other end. */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hookScript } from './hook-script.ts'
import { shellWord } from './shell-word.ts'

const curl = spawnSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).stdout.trim()

let folder: string
let socket: string
let server: Server | undefined

beforeEach(() => {
  // Names that a careless script would trip over.
  folder = mkdtempSync(join(tmpdir(), "hook it's $(x) "))
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

interface Ended {
  code: number | null
  out: string
  said: string
}

function runScript(words: string[] = [], event = '{"a":1}', timeoutMs = 600_000): Promise<Ended> {
  const script = join(folder, 'script')
  const text = hookScript({
    agent: 'codex',
    title: 'Codex',
    server: { kind: 'socket', path: socket },
    tokenFile: join(folder, 'token'),
    sender: { kind: 'curl', program: curl },
    timeoutMs,
  })
  writeFileSync(script, text)
  chmodSync(script, 0o700)
  return new Promise((resolve) => {
    // A file of options for curl, and a proxy, such as a call could have left for it.
    writeFileSync(join(folder, '.curlrc'), 'url = "file:///etc/passwd"\n')
    const env = { PATH: process.env.PATH, HOME: folder, CURL_HOME: folder, http_proxy: 'http://127.0.0.1:9' }
    const child = spawn(script, words, { env })
    let [out, said] = ['', '']
    child.stdout.on('data', (text) => {
      out += text
    })
    child.stderr.on('data', (text) => {
      said += text
    })
    child.stdin.on('error', () => {}).end(event)
    child.once('close', (code) => resolve({ code, out, said }))
  })
}

describe.skipIf(curl === '')('the script of a hook', () => {
  it('sends the event as it is with its token, and prints the answer', async () => {
    const got: unknown[] = []
    await listen((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (text) => {
        body += text
      })
      request.once('end', () => {
        got.push(request.url, request.headers.authorization, request.headers.expect, body)
        response.end('{"say":"a\\\\nb %s \\u0041"}')
      })
    })
    const event = JSON.stringify({ text: `${'é'.repeat(600_000)}\u0000$(touch x) \`y\`` })
    const { code, out, said } = await runScript([], event)
    expect([code, said]).toEqual([0, ''])
    expect(out).toBe('{"say":"a\\\\nb %s \\u0041"}\n')
    expect(got).toEqual(['/v1/hooks/codex', 'Bearer secret', undefined, event])
  })

  it.each<[string, RequestListener, RegExp]>([
    ['500', answering(500, '{}'), /status 500/],
    ['a token that is not valid', answering(401, '{"detail":"x"}'), /token .* not valid/],
    ['a page', answering(200, '<html></html>'), /not answer in a form/],
    ['nothing', answering(200, ''), /not answer in a form/],
    ['half of it', answering(200, '{"a":'), /not answer in a form/],
    ['a list', answering(200, '[{}]'), /not answer in a form/],
    ['an answer with a status of its own', answering(500, '{}\n200'), /status 500/],
    ['a redirection', (_, response) => response.writeHead(302, { location: '/' }).end('{}'), /status 302/],
    [
      'an answer that is cut off',
      (_, response) => response.writeHead(200, { 'content-length': 9 }).write('{}', () => response.destroy()),
      /did not answer/,
    ],
    ['a line that is hung up', (request) => request.destroy(), /did not answer/],
    ['silence', () => {}, /in time/],
  ])('P5: %s is a no, with exit code 2 and a reason', async (_, answer, reason) => {
    await listen(answer)
    const { code, out, said } = await runScript([], '{}', 6000)
    expect([code, out]).toEqual([2, ''])
    expect(said).toMatch(reason)
    expect(said).toMatch(/^Banksman: not allowed: /)
  })

  it('P5: no server is a no', async () => {
    expect(await runScript()).toMatchObject({
      code: 2,
      out: '',
      said: expect.stringContaining('banksman start'),
    })
  })

  it('P5: no token is a no', async () => {
    await listen(answering(200, '{}'))
    rmSync(join(folder, 'token'))
    expect(await runScript()).toMatchObject({ code: 2, out: '' })
  })

  it.each<[string, RequestListener | undefined]>([
    ['down', undefined],
    ['broken', answering(500, 'x')],
  ])('where it only reports, a server that is %s is in nobody’s way', async (_, answer) => {
    if (answer !== undefined) await listen(answer)
    expect(await runScript(['after'])).toEqual({ code: 0, out: '', said: '' })
  })

  it('P5: a word that it doesn’t know is no report', async () => {
    expect(await runScript(['afterwards'])).toMatchObject({ code: 2 })
  })

  it('has no path that a shell would read otherwise', () => {
    expect(() => shellWord('a\nb')).toThrow(/can't be in a script/)
  })
})
