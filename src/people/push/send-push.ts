/**
 * Sends one push (RFC 8030) without payload: an empty POST that says nothing but that something waits. What the
 * service writes back is not read, and nobody is followed to another address.
 */

import { defined } from '../../core/defined.ts'
import type { Severity } from '../../core/verdict.ts'
import { isHighRisk } from '../../core/verdict.ts'
import { checkEndpoint } from './endpoint.ts'
import type { Vapid } from './vapid.ts'

export interface PushMessage {
  endpoint: string
  severity: Severity
  /** How long it is worth delivering. */
  ttlMs: number
}

export type PushSent =
  | { kind: 'sent' }
  /** The subscription is no more. */
  | { kind: 'gone' }
  /** It may work later. */
  | { kind: 'failed'; why: string; retryInMs?: number }
  /** It will not work by being tried again. */
  | { kind: 'refused'; why: string }

export interface PushSenderOptions {
  vapid: Vapid
  /** Push services besides the known ones. */
  services: readonly string[]
  now: () => number
  timeoutMs?: number
}

export interface PushSender {
  send(push: PushMessage): Promise<PushSent>
  /** Ends what is under way. */
  close(): void
}

const TIMEOUT_MS = 10_000
/** A newer push takes the place of an older one that was not delivered yet. */
const TOPIC = 'banksman-waits'
const MIN_TTL_S = 60
const MAX_TTL_S = 24 * 3600

export function createPushSender({
  vapid,
  services,
  now,
  timeoutMs = TIMEOUT_MS,
}: PushSenderOptions): PushSender {
  const closing = new AbortController()
  return {
    async send({ endpoint, severity, ttlMs }) {
      const ttl = Math.min(Math.max(Math.ceil(ttlMs / 1000), MIN_TTL_S), MAX_TTL_S)
      let url: URL
      try {
        // Again, since what the configuration names may have changed since it was subscribed.
        url = checkEndpoint(endpoint, services)
      } catch (error) {
        return { kind: 'refused', why: (error as Error).message }
      }
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            authorization: vapid.authorization(endpoint, now()),
            ttl: String(ttl),
            urgency: isHighRisk(severity) ? 'high' : 'normal',
            topic: TOPIC,
          },
          redirect: 'manual',
          signal: AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]),
        })
        await response.body?.cancel()
        return readAnswer(response, url.host, now())
      } catch (error) {
        const { cause, message } = error as Error
        return { kind: 'failed', why: `${url.host}: ${cause instanceof Error ? cause.message : message}` }
      }
    },
    close: () => closing.abort(),
  }
}

function readAnswer({ ok, status, headers }: Response, host: string, now: number): PushSent {
  if (ok) return { kind: 'sent' }
  if (status === 404 || status === 410) return { kind: 'gone' }
  const why = `${host} answered ${status}`
  if (status !== 429 && status < 500) return { kind: 'refused', why }
  const retryInMs = retryAfter(headers.get('retry-after'), now)
  return { kind: 'failed', why, ...defined({ retryInMs }) }
}

function retryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const waitMs = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isFinite(waitMs) && waitMs > 0 ? waitMs : undefined
}
