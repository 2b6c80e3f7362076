/** A server program of somebody else's, started on a free loopback port for as long as a test needs it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

export interface ChildServer {
  start(): Promise<void>
  /** Sends the signal and waits until it has ended. */
  end(signal: NodeJS.Signals): Promise<void>
}

export interface ChildServerOptions {
  program: string
  parameters: string[]
  /** As which user. Absent: ours. */
  user?: { uid: number; gid: number }
  /** What it prints once it takes connections. */
  ready: RegExp
}

const READY_WITHIN_MS = 60_000
const END_WITHIN_MS = 30_000

/** Those that are still running when this process ends are ended with it. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export function createChildServer(options: ChildServerOptions): ChildServer {
  let child: ChildProcess | undefined
  return {
    async start() {
      const started = spawn(options.program, options.parameters, {
        ...options.user,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child = started
      running.add(started)
      started.once('exit', () => running.delete(started))
      let said = ''
      await new Promise<void>((resolve, reject) => {
        const fail = (why: string) =>
          reject(new Error(`${options.program} ${why}. It said:\n${said.slice(-2000)}`))
        const timer = setTimeout(() => fail('was not ready in time'), READY_WITHIN_MS)
        const hear = (text: string) => {
          said = `${said}${text}`.slice(-20_000)
          if (!options.ready.test(said)) return
          clearTimeout(timer)
          resolve()
        }
        started.stdout.setEncoding('utf8').on('data', hear)
        started.stderr.setEncoding('utf8').on('data', hear)
        started.once('error', (error) => fail(`could not be started (${error.message})`))
        started.once('exit', (code, signal) => fail(`ended with ${signal ?? code}`))
      })
    },
    async end(signal) {
      const ending = child
      child = undefined
      if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return
      const ended = once(ending, 'exit')
      ending.kill(signal)
      const harder = setTimeout(() => ending.kill('SIGKILL'), END_WITHIN_MS)
      await ended
      clearTimeout(harder)
    },
  }
}

/** The first of these folders, and of those in PATH, in which the program lies. */
export function folderOf(program: string, folders: readonly (string | undefined)[]): string | undefined {
  return [...folders, ...(process.env.PATH ?? '').split(delimiter)].find((folder) => {
    if (folder === undefined || folder === '') return false
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** With CI=true a missing server is a failure; elsewhere the suite says loudly that it was skipped. */
export function missing(name: string, variable: string, found: string | undefined): string | false {
  if (found !== undefined || process.env.CI === 'true') return false
  const text = `no ${name} was found (${variable} names one): the tests that need it are SKIPPED`
  console.warn(`\n!! ${text} !!\n`)
  return text
}
