/**
 * The server side of the pet benchmark, in a process of its own: `banksman` or `bare`. It is told `{clients, each}` and then
 * has `each` approvals asked of each client, one after another.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Conversations } from '../../src/core/conversation.ts'
import type { Actor } from '../../src/core/session.ts'

const ARGUMENTS = { command: 'git push origin main', cwd: 'web', timeoutSeconds: 60 }

/** Nobody talks in this benchmark. */
const SILENT = {
  running: async () => undefined,
} as Partial<Conversations> as Conversations

/** Asks one client once, and resolves when it has answered. */
type Ask = (client: number) => Promise<void>

const [kind] = process.argv.slice(2)
const { url, token, ask } = kind === 'bare' ? await startBare() : await startBanksman()
process.on('message', ({ clients, each }: { clients: number; each: number }) => {
  for (let client = 0; client < clients; client++) {
    repeat(client, each).catch((error) => {
      console.error(error)
      process.exit(1)
    })
  }
})
process.on('disconnect', () => process.exit(0))
process.send!({ url, token })

async function repeat(client: number, each: number): Promise<void> {
  for (let count = 0; count < each; count++) await ask(client)
}

async function startBanksman(): Promise<{ url: string; token: string; ask: Ask }> {
  const { composeEmbedded } = await import('../../src/server/composition/compose-embedded.ts')
  const { createPet } = await import('../../src/people/pet/create-pet.ts')
  const { createHttpApp } = await import('../../src/http/app.ts')
  const { startHttpServer } = await import('../../src/http/connection/start-http-server.ts')
  const { hostClock } = await import('../../src/server/host/host.ts')
  const report = ({ doing, error }: { doing: string; error: unknown }) => console.error(doing, error)
  const { createChannelPorts } = await import('../../src/server/channels/channel-ports.ts')
  const pet = createPet()
  const gateway = await composeEmbedded({
    store: 'memory:',
    policy: {},
    owner: 'ana',
    channels: [pet.channel],
    report,
  })
  const { doors = [] } = pet.connect(
    createChannelPorts({ gateway, conversations: SILENT, clock: hostClock, randomId: randomUUID, report }),
  )
  const hosts: string[] = []
  const app = createHttpApp({
    gateway,
    allowedHosts: hosts,
    version: 'bench',
    clock: hostClock,
    doors,
    report,
    settings: { connectionsPerToken: 2000, unnamedSockets: 2000 },
  })
  const { address } = await startHttpServer(app, { host: '127.0.0.1', port: 0 })
  hosts.push(`127.0.0.1:${address.port}`)
  const self: Actor = { subject: 'ana', role: 'admin', via: 'bench' }
  const { secret } = await gateway.tokens.create({ role: 'approver', subject: 'ana' }, self)
  let calls = 0
  return {
    url: `ws://127.0.0.1:${address.port}/pet/ws`,
    token: secret,
    async ask(client) {
      const conversation = `pet/ana/c${client}`
      const origin = { channel: 'pet', conversation }
      const callId = `call-${calls++}`
      const call = { tool: 'exec', arguments: ARGUMENTS, callId, session: conversation, origin }
      const { request } = await gateway.review(call, self)
      await gateway.wait(request!.id)
    },
  }
}

/** The same exchange and the same texts, with nothing behind it. */
async function startBare(): Promise<{ url: string; token: string; ask: Ask }> {
  const clients = new Map<string, WebSocket>()
  const waiting = new Map<string, () => void>()
  const server = createServer()
  new WebSocketServer({ server }).on('connection', (socket, request) => {
    const name = new URL(request.url!, 'http://x').searchParams.get('sessionId')!
    clients.set(name, socket)
    socket.send(JSON.stringify({ type: 'push', push_type: 'init_status', data: {} }))
    socket.on('message', (data) => {
      const { action, data: answer, request_id: echoed } = JSON.parse(String(data))
      if (action === 'health_check') {
        const health = { status: 'ok', timestamp: Math.floor(Date.now() / 1000) }
        socket.send(JSON.stringify({ status: 'ok', action, data: health, request_id: echoed }))
        return
      }
      const { request_id: id, approved } = answer
      const state = approved === true ? 'approved' : 'rejected'
      const told = { request_id: id, state, decided: true, repeated: false }
      socket.send(JSON.stringify({ status: 'ok', action, data: told }))
      waiting.get(id)!()
      waiting.delete(id)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  let calls = 0
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/pet/ws`,
    token: 'x',
    ask(client) {
      const id = `req_${randomBytes(12).toString('hex')}`
      const timestamp = Math.floor(Date.now() / 1000)
      const data = {
        request_id: id,
        tool: 'exec',
        arguments: ARGUMENTS,
        tool_call_id: `call-${calls++}`,
        expires_at: timestamp + 60,
        because: 'no list names exec, so a person is asked (mode: default)',
        severity: 'high',
      }
      clients
        .get(`c${client}`)!
        .send(JSON.stringify({ type: 'push', push_type: 'tool_approval', data, timestamp }))
      return new Promise((resolve) => waiting.set(id, resolve))
    },
  }
}
