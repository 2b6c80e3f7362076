/**
 * Waits until the process is told to stop. The first signal asks for an orderly end, in which what was decided is
 * written down and waiting calls are answered; whoever can't wait for that sends another.
 */
import { EXIT } from '../output/failures.ts'
import type { Log } from '../output/log.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export function untilStopped(log: Log): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (isStopping) process.exit(EXIT.failed)
        isStopping = true
        log('stopping; once more to stop at once')
        resolve()
      })
    }
  })
}
