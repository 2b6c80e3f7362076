/**
 * `hold`: a request that waits for a person keeps its connection open for a while. The connection is only a way to hear
 * of the decision: when it drops, or the server restarts, nothing is withdrawn, and the caller asks again (P12).
 */
import { z } from 'zod'
import type { Request } from '../../core/request.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import { type Caller, credentialNotValid } from '../access/authentication.ts'
import type { HttpContext } from './http-context.ts'

/** Proxies in between give up after a minute; who wants to wait longer asks again. */
export const MAX_HOLD_MS = 60_000

const HOLD = /^(?:0|(\d{1,9})(ms|s))$/

export const holdQuery = z
  .string()
  .regex(HOLD, 'must be a time of at most 60s, like 25s or 500ms, or 0; to wait longer, ask again')
  .describe('How long to wait, as in 25s or 500ms; at most 60s.')
  .transform((text) => {
    const [, amount = '0', unit] = HOLD.exec(text) ?? []
    return Math.min(MAX_HOLD_MS, Number(amount) * (unit === 's' ? 1000 : 1))
  })

export async function waitForDecision(
  gateway: Gateway,
  c: HttpContext,
  request: Request,
  holdMs: number,
  caller: Pick<Caller, 'actor' | 'follow'>,
): Promise<Request> {
  if (holdMs === 0 || request.state !== 'pending') return request
  return whileHeld(c, caller, (signal) =>
    gateway.wait(request.id, { holdMs, signal }).catch((error) => {
      if (!signal.aborted) throw error
      return gateway.get(request.id, caller.actor)
    }),
  )
}

/** Waits as long as somebody is there whose credential is valid. Once the signal is aborted, `wait` gives what there is. */
export async function whileHeld<T>(
  c: HttpContext,
  caller: Pick<Caller, 'follow'>,
  wait: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const validity = caller.follow()
  const { signal, release } = anyOf([c.req.raw.signal, c.env?.closing, validity.over])
  try {
    const found = await wait(signal)
    if (validity.over.aborted) throw credentialNotValid()
    return found
  } finally {
    validity.release()
    release()
  }
}

/** `AbortSignal.any` keeps something on a signal that lives as long as the server; this lets go of it. */
export function anyOf(signals: readonly (AbortSignal | undefined)[]): {
  signal: AbortSignal
  release(): void
} {
  const controller = new AbortController()
  const abort = () => controller.abort()
  for (const signal of signals) {
    if (signal?.aborted) controller.abort()
    signal?.addEventListener('abort', abort, { once: true })
  }
  return {
    signal: controller.signal,
    release() {
      for (const signal of signals) signal?.removeEventListener('abort', abort)
    },
  }
}
