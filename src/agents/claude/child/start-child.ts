/**
 * One process of Claude Code, from its start to its end. It is told of messages by its input and gives what the SDK says of it; it ends
 * when its input ends, or by force with everything that it has started.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { endProcessTree } from '../../processes/process-group.ts'
import { type ClaudeMessage, readClaudeMessage } from '../claude-messages.ts'
import type { ClaudeChildMode, ClaudeQueryOptions, ClaudeSdk, ClaudeSpawn } from '../claude-sdk.ts'
import type { ChildRecords } from './child-records.ts'

export interface ClaudeChild {
  /** Resolves when it has ended, with what went wrong if something did. */
  readonly ended: Promise<Error | undefined>
  /** Gives the message to the model, and the id by which its result names it. */
  send(text: string): string
  interrupt(): Promise<void>
  setMode(mode: ClaudeChildMode): Promise<void>
  /** `at_once`: whatever it is doing. Otherwise it may end by itself first. */
  close(how: 'at_once' | 'gently'): Promise<void>
}

export interface ChildStart {
  sdk: ClaudeSdk
  options: Omit<ClaudeQueryOptions, 'spawnClaudeCodeProcess'>
  records: ChildRecords
  /** Called with one message after the other. It must not throw. */
  listen(message: ClaudeMessage): Promise<void>
}

const GRACE_MS = 2000
/** What it says on standard error is told with its end. */
const MAX_ERRORS = 2000

export function startChild({ sdk, options, records, listen }: ChildStart): ClaudeChild {
  const input = createChildInput()
  let child: ChildProcess | undefined
  let errors = ''

  function spawnChild({ command, args, cwd, env }: ClaudeSpawn): ChildProcess {
    const started = spawn(command, args, {
      cwd,
      env,
      stdio: 'pipe',
      // A group of its own, so that it can be ended with what it has started.
      detached: process.platform !== 'win32',
    })
    child = started
    const { pid } = started
    started.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-MAX_ERRORS)
    })
    if (pid === undefined) return started
    try {
      records.add(pid)
    } catch (error) {
      // One that nobody would find again is not left alive.
      started.kill('SIGKILL')
      throw error
    }
    started.once('exit', () => records.remove(pid))
    return started
  }

  const query = sdk.query({ prompt: input, options: { ...options, spawnClaudeCodeProcess: spawnChild } })

  async function read(): Promise<Error | undefined> {
    try {
      for await (const each of query) {
        const message = readClaudeMessage(each)
        if (message !== undefined) await listen(message)
      }
      return undefined
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error)
      const told = errors.trim()
      return new Error(told === '' || said.includes(told) ? said : `${said}: ${told.toWellFormed()}`, {
        cause: error,
      })
    }
  }

  const ended = read()

  return {
    ended,
    send(text) {
      const uuid = randomUUID()
      const message = { role: 'user', content: text }
      input.push({ type: 'user', message, parent_tool_use_id: null, session_id: '', uuid })
      return uuid
    },
    async interrupt() {
      await query.interrupt()
    },
    setMode: (mode) => query.setPermissionMode(mode),
    async close(how) {
      input.end()
      if (how === 'gently') await within(ended, GRACE_MS)
      const pid = child?.pid
      const isOver = child === undefined || child.exitCode !== null || child.signalCode !== null
      if (!isOver && pid !== undefined) await endProcessTree(pid, GRACE_MS)
      query.close()
      await within(ended, GRACE_MS)
    },
  }
}

function within(promise: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    void promise.finally(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

interface ChildInput extends AsyncIterable<unknown> {
  push(message: object): void
  end(): void
}

function createChildInput(): ChildInput {
  const waiting: object[] = []
  let wake = () => {}
  let isOver = false
  return {
    push(message) {
      waiting.push(message)
      wake()
    },
    end() {
      isOver = true
      wake()
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const next = waiting.shift()
        if (next !== undefined) yield next
        else if (isOver) return
        else
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    },
  }
}
