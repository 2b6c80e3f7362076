/**
 * Claude Code as a person runs it, connected by `banksman connect`: a home, a project, a model that follows a script, and a packed server. Its
 * user has allowed every command, so whatever isn't stopped by the hook runs.
 */
import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { dirname, join } from 'node:path'
import { type Client, createClient } from 'banksman/client'
import { type ModelServer, startModelServer } from 'banksman/testing'
import {
  type CliFolder,
  makeCliFolder,
  type Ran,
  type StartedServer,
} from '../../src/cli/fixtures/program.ts'
import { FOLDER } from './packed-modules.ts'

const BIN = join(FOLDER, 'node_modules/banksman/bin/banksman.js')
const [PROGRAM = ''] = globSync('node_modules/@anthropic-ai/claude-agent-sdk-*/claude', { cwd: FOLDER })

/** As people write it by hand. */
export const USERS_SETTINGS = `{
  "permissions": { "allow": ["Bash"] },
  "hooks": {
    "PreToolUse": [{ "matcher": "Read", "hooks": [{ "type": "command", "command": "true" }] }]
  },

  "cleanupPeriodDays": 30
}
`

export interface ConnectedClaudeCode {
  readonly place: CliFolder
  readonly model: ModelServer
  readonly project: string
  /** The user's settings. */
  readonly settings: string
  client(): Client
  startServer(): Promise<StartedServer>
  server(): StartedServer
  banksman(...args: string[]): Promise<Ran>
  /** Lets it work, and waits for its end. */
  say(words: string, more?: string[]): Promise<Ran>
  exists(name: string): boolean
  /** What the model was told last in the conversation that began with these words. */
  told(words: string): string
  readSettings(): string
  changeSettings(change: (text: string) => string): void
  close(): Promise<void>
}

export async function openClaudeCode(
  scenes: Parameters<typeof startModelServer>[0],
  policy: object,
): Promise<ConnectedClaudeCode> {
  const place = makeCliFolder([BIN])
  const [home, project] = [join(place.folder, 'home'), join(place.folder, 'shop')]
  mkdirSync(project)
  const settings = join(home, '.claude', 'settings.json')
  mkdirSync(dirname(settings))
  writeFileSync(settings, USERS_SETTINGS)
  const model = await startModelServer(scenes)
  writeFileSync(join(place.folder, 'banksman.yaml'), JSON.stringify({ policy }))
  const environment = {
    ANTHROPIC_BASE_URL: model.baseUrl.replace(/\/v1$/, ''),
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
  }
  await place.run(['trust', '--yes'])
  let server: StartedServer | undefined
  let client: Client | undefined
  let port = '0'

  return {
    place,
    model,
    project,
    settings,
    client: () => client!,
    server: () => server!,
    async startServer() {
      server = await place.start(['--port', port])
      port = new URL(server.url).port
      const { stdout } = await place.run(['tokens', 'create', '--role', 'admin', '--subject', 'ana'])
      client = createClient({ url: server.url, token: stdout.trim() })
      return server
    },
    banksman(...args) {
      const program =
        args[0] === 'connect' && args[1] !== undefined ? ['--program', join(FOLDER, PROGRAM)] : []
      return place.run([...args, ...program])
    },
    say(words, more = []) {
      const format = ['--output-format', 'stream-json', '--verbose', '--permission-mode', 'default']
      return runProgram(join(FOLDER, PROGRAM), ['-p', words, ...format, ...more], project, {
        ...place.environment,
        ...environment,
      })
    },
    exists: (name) => existsSync(join(project, name)),
    told(words) {
      const bodies = model.requests.map(({ body }) => JSON.stringify(body))
      return bodies.findLast((body) => body.includes(words)) ?? ''
    },
    readSettings: () => readFileSync(settings, 'utf8'),
    changeSettings(change) {
      writeFileSync(settings, change(readFileSync(settings, 'utf8')))
    },
    async close() {
      await place.remove()
      await model.close()
    },
  }
}

/** Longer than anything here takes. */
const GIVE_UP_MS = 80_000

function runProgram(program: string, args: string[], cwd: string, env: Record<string, string>): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, timeout: GIVE_UP_MS, stdio: ['ignore', 'pipe', 'pipe'] })
    const ran: Ran = { code: null, stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text) => {
      ran.stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
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
