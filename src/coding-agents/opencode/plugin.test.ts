/** The plugin as it is written, loaded as a module, with whoever may be at the other end. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { opencodePlugin } from './plugin.ts'

interface Plugin {
  'tool.execute.before'(input: object, output: { args: object }): Promise<void>
  'tool.execute.after'(input: object, output: { output: string }): Promise<void>
  event(input: object): Promise<void>
}

let folder: string
let server: Server | undefined
let events: JsonObject[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'banksman-plugin-'))
  writeFileSync(join(folder, 'token'), 'Authorization: Bearer secret\n')
  events = []
})
afterEach(async () => {
  server?.closeAllConnections()
  await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())))
  server = undefined
  rmSync(folder, { recursive: true })
})

/** What the server does with each event, in turn; the last of them from then on. */
async function openPlugin(...answers: (object | RequestListener)[]): Promise<Plugin> {
  server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text) => {
      body += text
    })
    request.once('end', () => {
      events.push({ ...JSON.parse(body), authorization: request.headers.authorization })
      const answer = answers.length > 1 ? answers.shift()! : answers[0]!
      if (typeof answer === 'function') (answer as RequestListener)(request, response)
      else response.end(JSON.stringify(answer))
    })
  })
  const socket = join(folder, 's')
  if (answers.length > 0) await new Promise<void>((resolve) => server!.listen(socket, resolve))
  const file = join(folder, `banksman.mjs`)
  writeFileSync(
    file,
    opencodePlugin({ server: { kind: 'socket', path: socket }, tokenFile: join(folder, 'token') }),
  )
  const { Banksman } = (await import(`${pathToFileURL(file).href}?${Math.random()}`)) as {
    Banksman(input: object): Promise<Plugin>
  }
  return Banksman({ directory: '/srv/shop' })
}

const call = { tool: 'bash', sessionID: 'ses_1', callID: 'call_1' }
const output = () => ({ args: { command: 'touch x', description: 'y' } as object })

it('sends the call with its token, and leaves it as it is where nobody objects', async () => {
  const plugin = await openPlugin({ decision: 'none' })
  const given = output()
  await plugin['tool.execute.before'](call, given)
  expect(given).toEqual(output())
  expect(events).toEqual([
    {
      version: 1,
      phase: 'before',
      ...call,
      ...output(),
      directory: '/srv/shop',
      authorization: 'Bearer secret',
    },
  ])
})

it('P3: gives the call exactly the arguments that were approved', async () => {
  const plugin = await openPlugin({ decision: 'allow', args: { command: 'touch z' } })
  const given = output()
  await plugin['tool.execute.before'](call, given)
  expect(given.args).toEqual({ command: 'touch z' })
})

it('goes on waiting for as long as nobody has decided', async () => {
  const waiting = { decision: 'deny', reason: 'waiting', waiting: true }
  const plugin = await openPlugin(waiting, waiting, { decision: 'deny', reason: 'ana said no' })
  await expect(plugin['tool.execute.before'](call, output())).rejects.toThrow('ana said no')
  expect(events).toHaveLength(3)
})

const cut = (response: ServerResponse) =>
  response.writeHead(200, { 'content-length': 99 }).write('{"decision":"none"}', () => response.destroy())

it.each<[string, object | RequestListener]>([
  ['a no without words', { decision: 'deny' }],
  ['another word', { decision: 'yes' }],
  ['an allow without arguments', { decision: 'allow' }],
  ['an allow with a list', { decision: 'allow', args: [] }],
  ['a list', []],
  ['null', (_, response) => response.end('null')],
  ['nothing', (_, response) => response.end()],
  ['a status of 500', (_, response) => response.writeHead(500).end('{"decision":"none"}')],
  ['a token that is not valid', (_, response) => response.writeHead(401).end('{"decision":"none"}')],
  ['an answer that is cut off', (_, response) => void cut(response)],
  ['a line that is hung up', (request) => request.socket.destroy()],
])('P5: %s is a no', async (_, answer) => {
  const plugin = await openPlugin(answer)
  await expect(plugin['tool.execute.before'](call, output())).rejects.toThrow(/not allowed/)
})

it('P5: no server and no token are a no', async () => {
  const plugin = await openPlugin()
  await expect(plugin['tool.execute.before'](call, output())).rejects.toThrow(/banksman start/)
  rmSync(join(folder, 'token'))
  await expect(plugin['tool.execute.before'](call, output())).rejects.toThrow()
  writeFileSync(join(folder, 'token'), '')
})

it('a session that stops waits no longer, and the server hears that it is over', async () => {
  let hungUp = false
  const plugin = await openPlugin(
    (request) => {
      request.socket.once('close', () => {
        hungUp = true
      })
    },
    { noted: true },
  )
  const refused = expect(plugin['tool.execute.before'](call, output())).rejects.toThrow(/not allowed/)
  await until(() => events.length === 1)
  await plugin.event({ event: { type: 'session.updated', properties: { info: { id: 'ses_1' } } } })
  await plugin.event({ event: { type: 'session.idle', properties: { sessionID: 'ses_1' } } })
  await refused
  await until(() => hungUp)
  expect(events.slice(1)).toMatchObject([{ phase: 'over', sessionID: 'ses_1' }])
})

it('reports what was made, and tells the model what was changed', async () => {
  const plugin = await openPlugin({ noted: true, note: 'ana changed it' })
  const made = { output: 'done' }
  await plugin['tool.execute.after']({ ...call, args: { command: 'touch z' } }, made)
  expect(made.output).toBe('done\n\nana changed it')
  expect(events).toMatchObject([{ phase: 'after', callID: 'call_1', args: { command: 'touch z' }, ok: true }])
})

it('a report that can’t be sent is in nobody’s way', async () => {
  const plugin = await openPlugin()
  await plugin['tool.execute.after'](call, { output: 'done' })
  await plugin.event({ event: { type: 'session.idle', properties: { sessionID: 'ses_1' } } })
})
