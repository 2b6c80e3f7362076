/** An MCP server as a program of its own, on pipes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { splitLines } from '../lines/split-lines.ts'
import { createSender } from './sender.ts'
import type { Upstream, UpstreamEnd } from './upstream.ts'

export interface ProcessUpstreamOptions {
  command: readonly string[]
  environment: Readonly<Record<string, string | undefined>>
  maxLineBytes: number
  /** How long it may go on after its input has ended. */
  graceMs?: number
}

const GRACE_MS = 2_000

/** Like a shell: a program that can't be started. */
const NOT_STARTED = 127

export function startProcess({
  command: [program = '', ...args],
  environment,
  maxLineBytes,
  graceMs = GRACE_MS,
}: ProcessUpstreamOptions): Upstream {
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: withoutOurs(environment),
    // A group of its own, so that what it has started ends with it.
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  const ended = new Promise<UpstreamEnd>((resolve) => {
    child.once('error', (error) =>
      resolve({ code: NOT_STARTED, because: `${program} could not be started: ${error.message}` }),
    )
    // Only when its output is closed too: nothing of it is lost.
    child.once('close', (code, signal) => resolve(endOf(program, code, signal)))
  })
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  void ended.then(() => {
    isOver = true
    clearTimeout(timer)
  })
  // Also where the program itself has gone: what it has started may still hold its pipes, and keeps its group.
  const kill = (name: NodeJS.Signals) => {
    if (!isOver) signalGroup(child, name)
  }

  return {
    send: createSender(child.stdin!, 'the MCP server no longer reads'),
    lines: splitLines(child.stdout!, maxLineBytes),
    end() {
      if (timer !== undefined) return
      child.stdin!.end()
      timer = setTimeout(() => {
        kill('SIGTERM')
        timer = setTimeout(() => kill('SIGKILL'), graceMs)
      }, graceMs)
    },
    signal: kill,
    ended,
  }
}

/** What says who we are is not the server's business. */
function withoutOurs(environment: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('BANKSMAN_')))
}

function endOf(program: string, code: number | null, signal: NodeJS.Signals | null): UpstreamEnd {
  if (signal === null) return { code: code ?? 0 }
  return { code: 128 + (constants.signals[signal] ?? 0), because: `${program} was ended by ${signal}` }
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child
  if (pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}
