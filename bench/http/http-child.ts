/** The server side of the HTTP benchmarks, in a process of its own: `banksman <folder>`, `allowing <folder>` or `bare`. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const [kind, folder = ''] = process.argv.slice(2)
console.log(JSON.stringify(kind === 'bare' ? await startBare() : await startBanksman()))
process.stdin.on('end', () => process.exit(0)).resume()

async function startBanksman(): Promise<object> {
  const { startServer } = await import('../../src/server/start-server.ts')
  const environment = { ...process.env, BANKSMAN_HOME: join(folder, 'home') }
  const configuration = join(folder, 'banksman.yaml')
  if (kind === 'allowing') {
    const { trustFolder, writeTrusted } = await import('../../src/server/configuration/trust.ts')
    const text = 'policy: { allow: ["read_*"] }\n'
    writeFileSync(configuration, text)
    writeTrusted(trustFolder(environment), configuration, text, 'bench', Date.now())
  }
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    data: join(folder, 'data'),
    configuration,
    environment,
    report: ({ doing, error }) => console.error(doing, error),
    say: () => {},
  })
  const agent = await server.gateway.tokens.create({ role: 'agent', subject: 'bench' }, server.self)
  const person = await server.gateway.tokens.create({ role: 'approver', subject: 'ana' }, server.self)
  return { url: server.url, agent: agent.secret, person: person.secret }
}

/** The same exchange without anything behind it: a call waits, an event goes out, a decision lets the call go on. */
async function startBare(): Promise<object> {
  const waiting = new Map<string, ServerResponse>()
  let events: ServerResponse | undefined
  const server = createServer(async (request, response) => {
    if (request.url === '/v1/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      events = response
      return
    }
    const body = await readJson(request)
    if (request.url?.startsWith('/v1/calls')) {
      const id = randomBytes(8).toString('hex')
      waiting.set(id, response)
      events?.write(
        `event: request\ndata: ${JSON.stringify({ type: 'request', request: { ...body, id, digest: id, state: 'pending' } })}\n\n`,
      )
      return
    }
    const id = request.url?.split('/')[3] ?? ''
    waiting
      .get(id)
      ?.writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ id, ...body }))
    waiting.delete(id)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, agent: 'x', person: 'x' }
}

async function readJson(request: IncomingMessage): Promise<object> {
  let text = ''
  for await (const part of request) text += part
  return JSON.parse(text) as object
}
