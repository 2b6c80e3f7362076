/**
 * One run of a hook's program, from its start to the end of all that it has started. What it writes to stderr is logged by
 * lines.
 */

import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { defined } from '../../../core/defined.ts'
import { endProcessGroup, signalGroup } from '../../processes/process-group.ts'
import { createRpcClient, type RpcClient } from './json-rpc.ts'
import { createLineReader } from './line-reader.ts'
import { createLineWriter } from './line-writer.ts'
import { createOutputThrottle } from './output-throttle.ts'

export interface HookProgram {
  command: readonly string[]
  dir: string | undefined
  environment: Readonly<Record<string, string>>
  /** Gets lines that may be long, many, and anything. */
  log(from: LogSource, line: string): void
}

/** Its two outputs, and what happens to it. */
export type LogSource = 'stdout' | 'stderr' | 'process'

export interface HookProcess {
  readonly rpc: RpcClient
  /** Resolves when it has ended, with how. All calls have failed by then. */
  readonly gone: Promise<string>
  /** Closes stdin, gives it so long to end by itself, then ends the whole group. */
  end(graceMs: number): Promise<void>
}

/** Throws what the system says to a command that can't be one, such as one that is too long. */
export function startHookProcess(program: HookProgram): HookProcess {
  const { command, dir, environment, log } = program
  const child = spawn(command[0]!, command.slice(1), {
    ...defined({ cwd: dir }),
    env: { ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  })
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve(cantStart(error, program))
    })
    child.once('exit', (code, signal) => {
      resolve(signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`)
    })
  })
  const { stdin, stdout, stderr } = child
  // So it is where no more files can be opened.
  if (stdin === undefined) throw new Error('it has no stdin and stdout')
  // It need not read, and may be gone: the calls hear of it by the end of the process.
  stdin.on('error', () => {})
  const brake = createOutputThrottle(stdout)
  const rpc = createRpcClient(createLineWriter(stdin, MAX_WAITING), (about, bytes) => {
    log('stdout', about)
    brake.count(bytes)
  })
  stdout.on('data', (chunk: Buffer) => rpc.receive(chunk))
  const errors = createLineReader(MAX_STDERR_LINE_BYTES, {
    line: (text) => log('stderr', text),
    tooLong: ({ head }) => log('stderr', head),
  })
  stderr.on('data', (chunk: Buffer) => errors.push(chunk))

  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const gone = exited.then(async (how) => {
    brake.release()
    // What it said last may still be on its way. What it has left running is not waited for.
    await within(DRAIN_MS, closed)
    rpc.end(how)
    if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL')
    for (const stream of child.stdio) stream?.destroy()
    return how
  })

  return {
    rpc,
    gone,
    async end(graceMs) {
      rpc.end('it is being closed')
      stdin.end()
      await within(graceMs, gone)
      if (child.pid !== undefined) await endProcessGroup(child.pid, TERM_MS)
      await within(DRAIN_MS * 2, gone)
    },
  }
}

/** In characters: a whole conversation with room to spare. More means that the hook does not read. */
const MAX_WAITING = 8 * 1024 * 1024
const MAX_STDERR_LINE_BYTES = 16 * 1024
const DRAIN_MS = 250
const TERM_MS = 500

function cantStart(error: Error, { command, dir }: HookProgram): string {
  const { code } = error as NodeJS.ErrnoException
  const program = JSON.stringify(command[0])
  // The system says the same of a missing folder as of a missing program.
  if (dir !== undefined && (code === 'ENOENT' || code === 'ENOTDIR') && !isFolder(dir)) {
    return `it can't be started: there is no folder ${JSON.stringify(dir)}`
  }
  if (code === 'ENOENT') return `it can't be started: there is no program ${program}`
  if (code === 'EACCES') return `it can't be started: ${program} is not executable`
  return `it can't be started: ${error.message}`
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

async function within(ms: number, happens: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([happens, enough])
  clearTimeout(timer)
}
