/** The two guards of the packed package: a gateway in this process on SQLite, and a server that its own program started. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Actor, type Gateway, openGateway } from 'banksman'
import { type Client, createClient } from 'banksman/client'
import type { GuardUnderTest } from 'banksman/testing'
import { afterAll } from 'vitest'
import { makeCliFolder } from '../../../src/cli/fixtures/program.ts'
import { SUITE_POLICY } from '../../guard/suite-policy.ts'
import { FOLDER } from './packed-modules.ts'

const ana: Actor = { subject: 'ana', role: 'admin', via: 'test' }

export async function openNear(): Promise<GuardUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'banksman-packed-'))
  const options = { store: `sqlite:${join(folder, 'banksman.db')}`, policy: SUITE_POLICY, owner: 'ana' }
  const gateway = await openGateway(options)
  const other = await openGateway(options)
  return {
    guard: asAgent(gateway, 'agent-1'),
    another: asAgent(other, 'agent-1'),
    stranger: asAgent(gateway, 'agent-2'),
    decide: (id, input) => gateway.decide(id, input, ana),
    async request(id) {
      const { state, digest, allowedDecisions } = await gateway.get(id, ana)
      return { state, digest, allowedDecisions }
    },
    pending: async () => (await gateway.list({ state: 'pending', limit: 200 }, ana)).items,
    async close() {
      await other.close()
      await gateway.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** One server serves all tests of a file: they have sessions of their own. */
export async function openFar(): Promise<GuardUnderTest> {
  server ??= startPackedServer()
  const { url, person, agents } = await server
  return {
    guard: createClient({ url, token: agents[0] }),
    another: createClient({ url, token: agents[0] }),
    stranger: createClient({ url, token: agents[1] }),
    decide: (id, input) => person.decide(id, input as never),
    request: (id) => person.get(id),
    pending: async () => (await person.list({ state: 'pending', limit: 200 })).items,
    close: async () => {},
  }
}

interface PackedServer {
  url: string
  person: Client
  agents: [string, string]
  close(): Promise<void>
}

let server: Promise<PackedServer> | undefined
afterAll(async () => (await server)?.close())

async function startPackedServer(): Promise<PackedServer> {
  const place = makeCliFolder([join(FOLDER, 'node_modules/banksman/bin/banksman.js')])
  writeFileSync(join(place.folder, 'banksman.yaml'), `policy: ${JSON.stringify(SUITE_POLICY)}\n`)
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await place.run(args)
    if (code !== 0) throw new Error(`banksman ${args.join(' ')} ended with ${code}: ${stderr}`)
    return stdout.trim()
  }
  await run('trust', '--yes')
  const { url, agentTokenFile } = await place.start()
  const another = await run('tokens', 'create', '--role', 'agent', '--subject', 'agent-2')
  const token = await run('tokens', 'create', '--role', 'approver', '--subject', 'ana')
  return {
    url,
    person: createClient({ url, token }),
    agents: [readFileSync(agentTokenFile, 'utf8').trim(), another],
    close: () => place.remove(),
  }
}

function asAgent(gateway: Gateway, subject: string): GuardUnderTest['guard'] {
  const as: Actor = { subject, role: 'agent', via: 'test' }
  return {
    judge: (call, options) => gateway.judge(call, { ...options, as }),
    hold: (call, options) => gateway.hold(call, { ...options, as }),
    guard: (call, run, options) => gateway.guard(call, run, { ...options, as }),
  }
}
