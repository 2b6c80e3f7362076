/**
 * A coding agent as a person runs it, connected by `banksman connect`: a home, a project, a model that follows a script, and a packed server. What
 * differs between agents is handed in.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { expect } from 'vitest'
import {
  type CliFolder,
  makeCliFolder,
  type Ran,
  type StartedServer,
} from '../../src/cli/fixtures/program.ts'
import { type Client, createClient, type WireRequest } from '../../src/client/index.ts'
import { type ModelServer, startModelServer } from '../../src/testing/model-server/model-server.ts'

export type Scenes = Parameters<typeof startModelServer>[0]

/** One with a tool, for each agent's settings. */
export const MCP_SERVER = { command: process.execPath, args: [join(import.meta.dirname, 'mcp-server.ts')] }
/** The same in the revision of the protocol that has tasks and states. */
export const NEWER_MCP_SERVER = { ...MCP_SERVER, args: [...MCP_SERVER.args, '2026-07-28'] }

/** Writes down what a program is sent. */
export const RECORDER = join(import.meta.dirname, 'record-input.ts')

export interface TestedAgent {
  /** As it is connected. */
  name: string
  program: string
  /** The packed package's own. */
  banksman: string
  /** Options for `connect`. */
  options?: readonly string[]
  /** Puts into the home what its user has there already. */
  prepare(home: string, model: ModelServer): void
  environment(model: ModelServer): Record<string, string>
  /** What it is started with to do this and end. */
  parameters(words: string): string[]
}

export interface ConnectedAgent {
  readonly place: CliFolder
  readonly model: ModelServer
  readonly home: string
  readonly project: string
  /** What its program is started with. */
  readonly environment: Record<string, string>
  /** Of an admin of the server that runs now. */
  client(): Client
  server(): StartedServer
  /** On the same port as before. */
  startServer(): Promise<void>
  banksman(...args: string[]): Promise<Ran>
  connect(): Promise<void>
  /** Lets the agent do this, and waits for its end. `stop`: as Ctrl-C does. */
  say(words: string, stop?: AbortSignal): Promise<Ran>
  /** Starts its program with these parameters; the test ends it. */
  start(...args: string[]): ChildProcess
  exists(name: string): boolean
  read(name: string): string
  /** What the model was told last in the conversation that began with these words. */
  told(words: string): string
  /** Waits until this many are pending. */
  pending(count?: number): Promise<WireRequest[]>
  /** A person's answer to one that is pending. */
  decide(answer: Record<string, unknown>): Promise<string>
  close(): Promise<void>
}

const POLL = { timeout: 60_000 }
/** Longer than anything here takes. */
const GIVE_UP_MS = 150_000

export async function openAgent(agent: TestedAgent, scenes: Scenes, policy: object): Promise<ConnectedAgent> {
  const place = makeCliFolder([agent.banksman])
  const [home, project] = [join(place.folder, 'home'), join(place.folder, 'shop')]
  mkdirSync(project)
  const model = await startModelServer(scenes)
  agent.prepare(home, model)
  const environment = { ...place.environment, ...agent.environment(model) }
  writeFileSync(join(place.folder, 'banksman.yaml'), JSON.stringify({ policy }))
  await place.run(['trust', '--yes'])
  let server: StartedServer | undefined
  let client: Client | undefined
  let port = '0'

  const waiting = async () => (await client!.list({ state: 'pending', limit: 50 })).items
  async function pending(count = 1): Promise<WireRequest[]> {
    await expect.poll(async () => (await waiting()).length, POLL).toBe(count)
    return waiting()
  }

  function start(...args: string[]): ChildProcess {
    return spawn(agent.program, args, {
      cwd: project,
      env: environment,
      timeout: GIVE_UP_MS,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  return {
    place,
    model,
    home,
    project,
    environment,
    client: () => client!,
    server: () => server!,
    async startServer() {
      server = await place.start(['--port', port])
      port = new URL(server.url).port
      const { stdout } = await place.run(['tokens', 'create', '--role', 'admin', '--subject', 'ana'])
      client = createClient({ url: server.url, token: stdout.trim() })
    },
    banksman: (...args) => place.run(args),
    async connect() {
      const options = ['--program', agent.program, ...(agent.options ?? [])]
      const { code, stderr } = await place.run(['connect', agent.name, '--yes', ...options])
      expect(code, stderr).toBe(0)
    },
    say: (words, stop) => ended(start(...agent.parameters(words)), stop),
    start,
    exists: (name) => existsSync(join(project, name)),
    read: (name) => readFileSync(join(project, name), 'utf8'),
    told(words) {
      const bodies = model.requests.map(({ body }) => JSON.stringify(body))
      return bodies.findLast((body) => body.includes(words)) ?? ''
    },
    pending,
    async decide(answer) {
      await expect.poll(async () => (await waiting()).length, POLL).toBeGreaterThan(0)
      const [request] = await waiting()
      const { id, digest } = request!
      await client!.decide(id, { digest, ...answer } as never)
      return id
    },
    async close() {
      await place.remove()
      await model.close()
    },
  }
}

function ended(child: ChildProcess, stop?: AbortSignal): Promise<Ran> {
  stop?.addEventListener('abort', () => child.kill('SIGINT'))
  return new Promise((resolve) => {
    const ran: Ran = { code: null, stdout: '', stderr: '' }
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      ran.stdout += text
    })
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      ran.stderr += text
    })
    child.once('close', (code) => resolve({ ...ran, code }))
  })
}

/** Somebody else at our address, who answers every request like this. Undefined: never. */
export async function standIn(
  at: { port: number } | { path: string },
  answer: { status: number; type: string; body: string } | undefined,
): Promise<{ url: string; close(): Promise<void> }> {
  // A server that was killed has left it there.
  if ('path' in at) rmSync(at.path, { force: true })
  const server: Server = createServer((request, response) => {
    request.resume()
    if (answer === undefined) return
    request.once('end', () =>
      response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen('port' in at ? { ...at, host: '127.0.0.1' } : at, resolve)
  })
  const address = server.address()
  return {
    url: typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : '',
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
