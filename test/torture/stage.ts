/** Runs the processes of one case of one contestant, and reads what they left behind. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Stage, TortureCase } from './cases.ts'
import type { Orders, Step } from './steps.ts'

const CHILD = join(import.meta.dirname, 'child.ts')
/** Nothing takes nearly as long; what hangs ends the run. */
const CHILD_WITHIN_MS = 120_000

export interface OpenStage extends Stage {
  /** What the processes said, for whoever looks for a reason. */
  log: string[]
  close(): void
}

export function openStage(framework: string, withBanksman: boolean, about: TortureCase): OpenStage {
  const folder = mkdtempSync(join(tmpdir(), 'banksman-torture-'))
  const log: string[] = []
  const children = new Set<ChildProcess>()

  function start(steps: Step[], more: Pick<Orders, 'inTool'> = {}): Promise<void> {
    const { turns, expiresIn } = about
    const given = expiresIn === undefined ? {} : { expiresIn }
    const orders: Orders = { framework, withBanksman, folder, turns, steps, ...given, ...more }
    const child = spawn(process.execPath, [CHILD, JSON.stringify(orders)], {
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        LANGSMITH_TRACING: 'false',
        MASTRA_TELEMETRY_DISABLED: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: CHILD_WITHIN_MS,
      killSignal: 'SIGTERM',
    })
    children.add(child)
    let [text, complaint] = ['', '']
    child.stdout.on('data', (data) => (text += data))
    child.stderr.on('data', (data) => (complaint += data))
    return new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code, signal) => {
        children.delete(child)
        log.push(signal === null ? text.trim() : `ended by ${signal}`, complaint.trim())
        // To be killed is part of some cases.
        if (code === 0 || signal === 'SIGKILL') resolve()
        else reject(new Error(`a process ended with ${code ?? signal}: ${complaint}`))
      })
    })
  }

  const lines = (name: string) => {
    const file = join(folder, name)
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  }

  return {
    log,
    run: start,
    async runTwo(steps) {
      const both = [start(steps, { inTool: 'hold' }), start(steps, { inTool: 'hold' })]
      // Until both are inside of the tool, or one has ended without it.
      const haveEntered = new AbortController()
      await Promise.race([...both, untilBothEntered(() => lines('entered').length, haveEntered.signal)])
      haveEntered.abort()
      writeFileSync(join(folder, 'released'), '')
      await Promise.all(both)
    },
    measure() {
      const sent: Record<string, number> = {}
      for (const to of lines('ran')) sent[to] = (sent[to] ?? 0) + 1
      return { sent, seen: lines('seen').map((line) => JSON.parse(line)) }
    },
    close() {
      for (const child of children) child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilBothEntered(entered: () => number, signal: AbortSignal): Promise<void> {
  // The tool itself gives up in the end, and with it the process.
  while (entered() < 2 && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, 20))
}
