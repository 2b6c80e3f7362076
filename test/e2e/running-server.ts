/** The server as a process of its own, on a free port and in a folder of its own, as `npm start` would run it. */

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROGRAM_WORDS } from '../../src/cli/fixtures/program.ts'
import { freePort } from '../servers/free-port.ts'

export interface ServerHome {
  folder: string
  port: number
  start(parameters?: string[]): Promise<RunningServer>
  remove(): void
}

export interface RunningServer {
  url: string
  loginLink: string
  agentToken: string
  output(): string
  /** kill -9, or a signal of your choice. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  /** Sends it, and waits for nothing: SIGSTOP and SIGCONT, say. */
  signal(signal: NodeJS.Signals): void
}

const READY_WITHIN_MS = 60_000

/** `env` comes on top of what every server of the tests is given. */
export async function createServerHome(env: Record<string, string> = {}): Promise<ServerHome> {
  const folder = mkdtempSync(join(tmpdir(), 'banksman-e2e-'))
  const port = await freePort()
  return {
    folder,
    port,
    start: (parameters = []) => startServer(folder, port, parameters, env),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function startServer(
  folder: string,
  port: number,
  parameters: string[],
  env: Record<string, string>,
): Promise<RunningServer> {
  const data = join(folder, 'data')
  const child = spawn(process.execPath, [...PROGRAM_WORDS, 'start', '--login-link', ...parameters], {
    cwd: folder,
    env: {
      ...process.env,
      BANKSMAN_PORT: String(port),
      BANKSMAN_DATA: data,
      BANKSMAN_HOME: join(folder, 'home'),
      TMPDIR: folder,
      USER: 'owner',
      // The demonstration follows its script, whatever the machine has keys for.
      ANTHROPIC_API_KEY: '',
      OPENAI_BASE_URL: '',
      OLLAMA_HOST: '',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail('was not ready in time'), READY_WITHIN_MS)
    const fail = (why: string) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      reject(new Error(`the server ${why}:\n${output}`))
    }
    const hear = (text: Buffer) => {
      output += text.toString()
      const loginLink = /https?:\/\/\S+#login=\S+/.exec(output)?.[0]
      if (loginLink === undefined || !output.includes('\n', output.indexOf(loginLink))) return
      clearTimeout(timer)
      const tokenFile = join(data, 'agent-token')
      resolve({
        url: `http://127.0.0.1:${port}`,
        loginLink,
        agentToken: existsSync(tokenFile) ? readFileSync(tokenFile, 'utf8').trim() : '',
        output: () => output,
        stop: (signal = 'SIGKILL') => stop(child, signal),
        signal: (signal) => void child.kill(signal),
      })
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', (code) => fail(`ended with ${code}`))
  })
}

function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code))
    child.kill(signal)
  })
}
