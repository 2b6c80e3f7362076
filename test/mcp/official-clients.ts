/** The official MCP clients, each in a conversation that uses every method it has, and the bytes that reached it. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client as NewClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { until } from '../fixtures/until.ts'
import { CONVERSATIONS, type OfficialName, type OfficialServer } from './official-servers.ts'
import type { Any } from './proxy-driver.ts'

export const CLIENTS = ['client 2.x', 'client 2.x that asks for the newest revision', 'sdk 1.x'] as const
export type ClientName = (typeof CLIENTS)[number]

const RECORDER = fileURLToPath(new URL('./record-output.ts', import.meta.url))
const ABOUT = { name: 'official', version: '1' }
const CAPABILITIES = {
  roots: { listChanged: true },
  sampling: {},
  elicitation: { form: {}, url: {} },
}

/** By method: what a client's own function for it is given. */
const METHODS: Record<string, (client: Any, params: Any) => Promise<unknown>> = {
  ping: (client) => client.ping(),
  'tools/list': (client, params) => client.listTools(params),
  'tools/call': (client, params) => client.callTool(params),
  'prompts/list': (client, params) => client.listPrompts(params),
  'prompts/get': (client, params) => client.getPrompt(params),
  'resources/list': (client, params) => client.listResources(params),
  'resources/templates/list': (client, params) => client.listResourceTemplates(params),
  'resources/read': (client, params) => client.readResource(params),
  'resources/subscribe': (client, params) => client.subscribeResource(params),
  'resources/unsubscribe': (client, params) => client.unsubscribeResource(params),
  'completion/complete': (client, params) => client.complete(params),
  'logging/setLevel': (client, { level }) => client.setLoggingLevel(level),
}

/** Gives the lines that reached the client. `command` starts the server, or us in front of it. */
export async function converseAs(
  clientName: ClientName,
  serverName: OfficialName,
  { environment, folder: files }: OfficialServer,
  command: string[],
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'banksman-client-'))
  const record = join(folder, 'output')
  const parameters = {
    command: process.execPath,
    args: [RECORDER, record, ...command],
    env: { PATH: process.env.PATH ?? '', ...environment },
    stderr: 'ignore' as const,
  }
  const lines = () => (existsSync(record) ? readFileSync(record, 'utf8').split('\n').filter(Boolean) : [])
  const client = clientName === 'sdk 1.x' ? openOld() : openNew(clientName !== 'client 2.x')
  try {
    await client.connect(
      clientName === 'sdk 1.x' ? new OldTransport(parameters) : new NewTransport(parameters),
    )
    // It asks by a timer of its own; afterwards its questions are in order.
    if (serverName === 'everything')
      await until(() => lines().some((line) => line.includes('"method":"roots/list"')))
    for (const [method, params] of CONVERSATIONS[serverName]) {
      const filled = JSON.parse(JSON.stringify(params).replaceAll('{files}', files))
      // What a client says of an error is its own affair: the bytes are compared.
      await METHODS[method]?.(client, filled).catch(() => {})
    }
    if (serverName === 'everything') await useMore(client, clientName, lines)
    return lines().map((line) => line.replaceAll(files, '{files}'))
  } finally {
    await client.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Progress, a cancellation, roots that change, and a task, where the client has them. */
async function useMore(client: Any, clientName: ClientName, lines: () => string[]): Promise<void> {
  const long = { name: 'trigger-long-running-operation', arguments: { duration: 0.2, steps: 2 } }
  const withOptions = (params: Any, options: Any) =>
    clientName === 'sdk 1.x' ? client.callTool(params, undefined, options) : client.callTool(params, options)
  const steps: unknown[] = []
  await withOptions(long, { onprogress: (step: unknown) => steps.push(step) })
  if (steps.length === 0) throw new Error('the client heard of no progress')
  const leaving = new AbortController()
  const endless = { name: 'trigger-long-running-operation', arguments: { duration: 600, steps: 600 } }
  const left = withOptions(endless, { signal: leaving.signal, onprogress: () => leaving.abort() })
  await left.catch(() => {})
  if (!leaving.signal.aborted) throw new Error('the call ended before it was cancelled')
  const asked = () => lines().filter((line) => line.includes('"method":"roots/list"')).length
  const before = asked()
  await client.sendRootsListChanged()
  await until(() => asked() > before)
  await client.ping()
  if (clientName !== 'sdk 1.x') return
  const research = { name: 'simulate-research-query', arguments: { topic: 'bees', ambiguous: true } }
  let last: Any
  for await (const message of client.experimental.tasks.callToolStream(research, undefined, {
    task: { ttl: 60_000 },
  }))
    last = message
  if (last?.type !== 'result') throw new Error(`the task ended with ${JSON.stringify(last)}`)
}

const ROOTS = { roots: [] }
const SAMPLED = { role: 'assistant', model: 'm', content: { type: 'text', text: 'sampled' } } as const
const DECLINED = { action: 'decline' } as const

function openOld(): Any {
  const client = new OldClient(ABOUT, { capabilities: CAPABILITIES })
  client.setRequestHandler(ListRootsRequestSchema, () => ROOTS)
  client.setRequestHandler(CreateMessageRequestSchema, () => SAMPLED)
  client.setRequestHandler(ElicitRequestSchema, () => DECLINED)
  return client
}

function openNew(asksForNewest: boolean): Any {
  const client = new NewClient(ABOUT, {
    capabilities: CAPABILITIES,
    ...(asksForNewest ? { versionNegotiation: { mode: 'auto' } } : {}),
  })
  client.setRequestHandler('roots/list', () => ROOTS)
  client.setRequestHandler('sampling/createMessage', () => SAMPLED)
  client.setRequestHandler('elicitation/create', () => DECLINED)
  return client
}
