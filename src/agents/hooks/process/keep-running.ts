/**
 * Keeps a hook's program running. It is started, says hello within its time and is then up; when it ends, whyever, it is
 * started again after a pause that doubles from one time to the next, until it has held for a while.
 *
 * starting ─ hello ─▶ up ─ it ended ─▶ down ─ pause ─▶ starting …        any ─ close ─▶ closed
 *     └─ no hello, or not in time ─▶ down (and its processes are ended)
 *
 * Calls wait for a hello that is due, within their own time; while it is down they fail at once and say why.
 */
import { type HookProcess, type HookProgram, startHookProcess } from './hook-process.ts'
import type { RpcClient } from './json-rpc.ts'

export interface RunningHook {
  /** The way to a hook that is up. Throws, or rejects, with why it is not. */
  reach(signal: AbortSignal | undefined): RpcClient | Promise<RpcClient>
  status(): HookStatus
  /** Ends it with all that it has started. */
  close(): Promise<void>
}

export type HookStatus =
  | { state: 'starting' }
  | { state: 'up' }
  | { state: 'down'; because: string }
  | { state: 'closed' }

export interface Timing {
  helloMs: number
  /** From the end of stdin until it is ended. */
  graceMs: number
  firstPauseMs: number
  longestPauseMs: number
  /** So long up, and the next pause is the first again. */
  heldMs: number
}

export const TIMING: Timing = {
  helloMs: 5000,
  graceMs: 2000,
  firstPauseMs: 1000,
  longestPauseMs: 60_000,
  heldMs: 60_000,
}

type HookProcessState =
  | { state: 'starting'; ready: Promise<RpcClient> }
  | { state: 'up'; rpc: RpcClient }
  | { state: 'down'; because: string }
  | { state: 'closed' }

export function keepRunning(program: HookProgram, hello: object, timing: Timing): RunningHook {
  let state: HookProcessState = { state: 'down', because: 'it has not been started' }
  let current: HookProcess | undefined
  let wake = () => {}
  let closing: Promise<void> | undefined

  async function keep(): Promise<void> {
    let pauseMs = timing.firstPauseMs
    while (closing === undefined) {
      const startedAt = performance.now()
      const because = await runOnce()
      if (closing !== undefined) return
      if (performance.now() - startedAt >= timing.heldMs) pauseMs = timing.firstPauseMs
      state = { state: 'down', because: `${because}; it is started again after ${pauseMs} ms` }
      program.log('process', state.because)
      await pause(pauseMs)
      pauseMs = Math.min(2 * pauseMs, timing.longestPauseMs)
    }
  }

  async function runOnce(): Promise<string> {
    const { promise: ready, resolve, reject } = Promise.withResolvers<RpcClient>()
    ready.catch(() => {})
    state = { state: 'starting', ready }
    let run: HookProcess | undefined
    try {
      run = startHookProcess(program)
      current = run
      await run.rpc.call('hook.hello', hello, AbortSignal.timeout(timing.helloMs))
    } catch (error) {
      const because = `it did not say hello: ${(error as Error).message}`
      reject(new Error(because))
      if (closing === undefined) state = { state: 'down', because }
      await run?.end(0)
      return because
    }
    if (closing === undefined) state = { state: 'up', rpc: run.rpc }
    resolve(run.rpc)
    return run.gone
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      // Nobody is kept from ending by a hook that is down.
      timer.unref()
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  const kept = keep()

  return {
    reach(signal) {
      switch (state.state) {
        case 'up':
          return state.rpc
        case 'starting':
          return signal === undefined ? state.ready : unless(signal, state.ready)
        case 'down':
          throw new Error(`it is down: ${state.because}`)
        case 'closed':
          throw new Error('it is closed')
      }
    },
    status: () =>
      state.state === 'down' ? { state: 'down', because: state.because } : { state: state.state },
    close() {
      closing ??= (async () => {
        state = { state: 'closed' }
        wake()
        await current?.end(timing.graceMs)
        await kept
      })()
      return closing
    },
  }
}

function unless(signal: AbortSignal, ready: Promise<RpcClient>): Promise<RpcClient> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error('it has not said hello yet', { cause: signal.reason }))
    if (signal.aborted) return giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    ready.then(resolve, reject).then(() => signal.removeEventListener('abort', giveUp))
  })
}
