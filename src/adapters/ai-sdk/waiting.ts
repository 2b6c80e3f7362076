/** Waiting is not working (P12), and results may come before the last one. */

export interface PatientSignal {
  /** Follows the SDK's, but a timeout doesn't end the waiting. */
  signal: AbortSignal
  /** The tool runs from now on. What it took to ask a person doesn't count, so the SDK's timeout is not heard after that either. */
  runs(wasAsked: boolean): void
  /** The SDK's signal may outlive many calls. */
  leave(): void
}

/** The SDK counts a tool's timeout from the call, and tells of it by the same signal as of a stop. */
export function patientSignal(from: AbortSignal | undefined): PatientSignal {
  const controller = new AbortController()
  let hearsTimeout = false
  const follow = () => {
    if (hearsTimeout || from?.reason?.name !== 'TimeoutError') controller.abort(from?.reason)
  }
  if (from?.aborted === true) follow()
  else from?.addEventListener('abort', follow, { once: true })
  return {
    signal: controller.signal,
    runs(wasAsked) {
      hearsTimeout = !wasAsked
      if (from?.aborted === true) follow()
    },
    leave: () => from?.removeEventListener('abort', follow),
  }
}

/** Gives what `work` emits while it goes on, and its result last. Throws where it throws. */
export async function* streamResults(
  work: (emit: (part: unknown) => void) => Promise<unknown>,
): AsyncGenerator<unknown> {
  const parts: unknown[] = []
  let wake = () => {}
  let last: { part: unknown } | undefined
  let isOver = false
  const working = work((part) => {
    parts.push(part)
    last = { part }
    wake()
  })
  working
    .catch(() => {})
    .finally(() => {
      isOver = true
      wake()
    })
  for (;;) {
    while (parts.length > 0) yield parts.shift()
    if (isOver) break
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
  const result = await working
  // A result that was kept, or a person's words, was never emitted.
  if (last === undefined || last.part !== result) yield result
}
