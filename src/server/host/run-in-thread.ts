/**
 * Work that may take long, in a thread of its own and within a time: nobody else is served while the server's thread works.
 * The module that defines the work is what the thread runs.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** The thread was ended before it had an answer. */
export class ThreadTooSlow extends Error {}

/** Given and returned values are copied, so they must be plain data. The time begins when the thread has loaded the module. */
export function inThread<Input, Output>(
  module: string,
  task: string,
  work: (input: Input) => Output,
): (input: Input, withinMs: number) => Promise<Output> {
  const given = workerData as { task?: unknown; input: Input } | null
  if (!isMainThread && given?.task === task) {
    parentPort!.postMessage({ isLoaded: true })
    parentPort!.postMessage({ output: work(given.input) })
  }
  return async (input, withinMs) => {
    const thread = new Worker(module, { workerData: { task, input }, resourceLimits: LIMITS })
    thread.unref()
    let late = setTimeout(() => void thread.terminate(), STARTED_WITHIN_MS)
    try {
      return await new Promise<Output>((resolve, reject) => {
        thread.on('message', (said: { isLoaded: true } | { output: Output }) => {
          if ('output' in said) return resolve(said.output)
          clearTimeout(late)
          late = setTimeout(() => void thread.terminate(), withinMs)
        })
        thread.once('error', reject)
        thread.once('exit', () => reject(new ThreadTooSlow(`${task}: took too long`)))
      })
    } finally {
      clearTimeout(late)
      void thread.terminate()
    }
  }
}

const STARTED_WITHIN_MS = 30_000
const LIMITS = { maxOldGenerationSizeMb: 512 }
