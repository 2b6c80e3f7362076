/** Starts the server that is measured, asks it for figures, and kills it where it gives no answer. */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Figures {
  /** The longest time for which nobody else was served, in processor time of the thread. */
  holdMs: number
  /** The same by the clock. */
  wallMs: number
  /** By how much the memory rose, at its highest. */
  megabytes: number
}

export interface MeasuredServer {
  readonly url: string
  readonly agent: string
  readonly person: string
  /** What the work cost. Undefined where there was no answer in time, or no server any more: it is gone then. */
  measure(work: () => Promise<unknown>, withinMs: number): Promise<Figures | undefined>
  close(): void
}

type Message =
  | { kind: 'started'; url: string; agent: string; person: string }
  | { kind: 'begun' }
  | { kind: 'figures'; figures: Figures }

const CHILD = fileURLToPath(new URL('server-child.ts', import.meta.url))

export async function startMeasuredServer(): Promise<MeasuredServer> {
  const folder = mkdtempSync(join(tmpdir(), 'banksman-fuzz-'))
  const child = fork(CHILD, [folder], {
    execArgv: ['--expose-gc', '--max-old-space-size=2048'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const errors: string[] = []
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk.toString()))
  const started = await next(child, 60_000)
  if (started?.kind !== 'started')
    throw new Error(`the server did not start: ${errors.join('').slice(0, 2000)}`)
  const { url, agent, person } = started
  return {
    url,
    agent,
    person,
    async measure(work, withinMs) {
      const begun = await exchange(child, 'begin', withinMs)
      if (begun === undefined) return undefined
      const limit = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), withinMs).unref())
      const done = await Promise.race([work().then(() => 'done' as const), limit])
      if (done === 'late') return undefined
      const figures = await exchange(child, 'end', withinMs)
      return figures?.kind === 'figures' ? figures.figures : undefined
    },
    close() {
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function exchange(child: ChildProcess, message: string, withinMs: number): Promise<Message | undefined> {
  if (!child.connected) return Promise.resolve(undefined)
  const answer = next(child, withinMs)
  child.send(message)
  return answer
}

function next(child: ChildProcess, withinMs: number): Promise<Message | undefined> {
  return new Promise((resolve) => {
    const end = (message?: Message) => {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit)
      resolve(message)
    }
    const onMessage = (message: unknown) => end(message as Message)
    const onExit = () => end()
    const timer = setTimeout(() => end(), withinMs)
    child.once('message', onMessage).once('exit', onExit)
  })
}
