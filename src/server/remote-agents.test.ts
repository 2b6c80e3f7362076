import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Server, startServer } from './start-server.ts'

let folder: string
let server: Server
let agent: string

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-remote-')))
  writeFileSync(join(folder, 'notes.txt'), 'x')
  server = await startServer({
    host: '127.0.0.1',
    port: 0,
    data: join(folder, '.banksman'),
    configuration: join(folder, 'banksman.yaml'),
    environment: { BANKSMAN_TRUST: join(folder, 'trust'), HOME: folder },
    policy: { allow: ['Read(./**)', 'Bash(cat *)'], deny: ['Read(./secret/**)'] },
    report: ({ error }) => {
      throw error
    },
    say: () => {},
  })
  agent = readFileSync(server.folder.agentToken, 'utf8').trim()
})
afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

let calls = 0
async function call(tool: string, args: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/v1/calls`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ tool, arguments: args, callId: `c${calls++}`, session: 's', cwd: folder }),
  })
  return (await response.json()) as { verdict: { kind: string }; request?: { id: string; digest: string } }
}

it('P5: an agent on this machine is judged by its files, one behind a proxy only by what needs none', async () => {
  const path = { file_path: 'notes.txt' }
  expect((await call('Read', path)).verdict.kind).toBe('allow')
  for (const header of ['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'Via']) {
    expect((await call('Read', path, { [header]: '10.0.0.7' })).verdict.kind, header).toBe('ask')
  }
  const line = { command: 'cat notes.txt' }
  expect((await call('Bash', line)).verdict.kind).toBe('allow')
  // The allow needs no path, but whether the deny holds can't be told.
  expect((await call('Bash', line, { Via: 'x' })).verdict.kind).toBe('ask')
})

it('P3: a link that is moved between the approval and the claim refuses the claim', async () => {
  symlinkSync('/usr', join(folder, 'link'))
  const { verdict, request } = await call('Read', { file_path: 'link/x' })
  expect(verdict.kind).toBe('ask')
  const { id, digest } = request!
  await server.gateway.decide(id, { decision: 'approve', digest }, server.self)
  rmSync(join(folder, 'link'))
  symlinkSync('/etc', join(folder, 'link'))
  const claim = await fetch(`${server.url}/v1/requests/${id}/claim`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent}`, 'content-type': 'application/json' },
    body: JSON.stringify({ digest, key: 'k' }),
  })
  expect(await claim.json()).toMatchObject({ code: 'facts_changed' })
})
