/**
 * Runs one program to its end, and ends all that it has started. It is the leader of a process group of its own; when it is
 * over, when its time is up or when it is told to stop, the whole group gets SIGTERM, and SIGKILL after a grace. A process
 * that has left the group (a daemon) is out of reach, but what it holds open keeps nothing waiting.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { endProcessGroup } from '../../../processes/process-group.ts'
import { createOutputKeeper } from './output-keeper.ts'

export interface ProcessOptions {
  program: string
  words: readonly string[]
  cwd: string
  environment: Readonly<Record<string, string>>
  stdin: string | undefined
  timeoutMs: number
  graceMs: number
  /** Of each of the two outputs; all is read, and the middle is forgotten. */
  keptBytes: number
  signal: AbortSignal
}

export type ProcessEnd = { stdout: string; stderr: string } & (
  | { kind: 'ended'; code: number | null; signal: NodeJS.Signals | null }
  | { kind: 'timed-out' }
  | { kind: 'stopped' }
  | { kind: 'not-started'; because: string }
)

export async function runProcess(options: ProcessOptions): Promise<ProcessEnd> {
  const stdout = createOutputKeeper(options.keptBytes)
  const stderr = createOutputKeeper(options.keptBytes)
  const outputs = () => ({ stdout: stdout.text(), stderr: stderr.text() })

  let child: ChildProcess
  try {
    child = spawn(options.program, options.words, {
      cwd: options.cwd,
      env: { ...options.environment },
      stdio: [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: true,
    })
  } catch (error) {
    return { kind: 'not-started', because: wordsFor(error), ...outputs() }
  }
  child.stdout?.on('data', stdout.add)
  child.stderr?.on('data', stderr.add)
  // A program need not read what it is given.
  child.stdin?.on('error', () => {})
  child.stdin?.end(options.stdin)

  const exit = new Promise<ProcessEnd>((resolve) => {
    child.on('error', (error) => {
      if (child.pid === undefined) resolve({ kind: 'not-started', because: wordsFor(error), ...outputs() })
    })
    child.once('exit', (code, signal) => resolve({ kind: 'ended', code, signal, ...outputs() }))
  })
  // Without a number nothing was started, and its error is on its way.
  const leader = child.pid
  if (leader === undefined) return exit
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const cut = untilCut(options)
  try {
    const first = await Promise.race([exit, cut.happens])
    if (first === 'timed-out' || first === 'stopped') {
      await endProcessGroup(leader, options.graceMs)
      await settled(closed, DRAIN_MS)
      return { kind: first, ...outputs() }
    }
    // What it said last may still be on its way; what it has left running is not waited for.
    await settled(closed, DRAIN_MS)
    await endProcessGroup(leader, options.graceMs)
    await settled(closed, DRAIN_MS)
    return { ...first, ...outputs() }
  } finally {
    cut.clear()
    child.stdout?.destroy()
    child.stderr?.destroy()
    child.stdin?.destroy()
  }
}

/** Long enough for a full pipe to be read; a process that left the group and holds it open is not waited for longer. */
const DRAIN_MS = 250

function untilCut({ timeoutMs, signal }: ProcessOptions): {
  happens: Promise<'timed-out' | 'stopped'>
  clear: () => void
} {
  let clear = () => {}
  const happens = new Promise<'timed-out' | 'stopped'>((resolve) => {
    const timer = setTimeout(() => resolve('timed-out'), timeoutMs)
    const stop = () => resolve('stopped')
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    clear = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  })
  return { happens, clear: () => clear() }
}

async function settled(happens: Promise<void>, withinMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, withinMs)
  })
  await Promise.race([happens, enough])
  clearTimeout(timer)
}

function wordsFor(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'there is no such program'
  if (code === 'EACCES') return 'it is not executable, or there is no permission'
  if (code === 'E2BIG') return 'its arguments are too long; put them in a file or in stdin'
  return message
}
