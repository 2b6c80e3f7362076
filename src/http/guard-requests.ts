/**
 * What is checked before anything else, for every method and for the upgrade to a WebSocket too.
 *
 * A web page anywhere can make a browser send requests to a loopback address. Two things give it away: `Host` names
 * the page's own host when a DNS name was pointed at us, and `Origin` names the page. We answer neither, and we never
 * send a CORS header, so no other origin can read an answer. Programs send no `Origin`; they need a credential.
 */
import type { MiddlewareHandler } from 'hono'
import { BanksmanError } from '../core/errors.ts'
import type { HttpEnv, HttpParts } from './parts.ts'

/** Longer than any query of ours; what is larger belongs in a body. */
const MAX_URL = 8192

export function guardRequests({ allowedHosts }: Pick<HttpParts, 'allowedHosts'>): MiddlewareHandler<HttpEnv> {
  const hosts = () => (typeof allowedHosts === 'function' ? allowedHosts() : allowedHosts)
  return async (c, next) => {
    c.header('cache-control', 'no-store')
    c.header('x-content-type-options', 'nosniff')
    c.header('referrer-policy', 'no-referrer')
    c.header('cross-origin-resource-policy', 'same-origin')
    const { url } = c.req
    if (url.length > MAX_URL) {
      throw new BanksmanError(
        'too_large',
        `the URL is ${url.length} characters long; the limit is ${MAX_URL}`,
      )
    }
    checkHost(c.req.header('host'), hosts())
    checkOrigin(c.req.header('origin'), hosts())
    await next()
  }
}

function checkHost(host: string | undefined, allowed: readonly string[]): void {
  if (host !== undefined && allowed.includes(host.toLowerCase())) return
  throw new BanksmanError(
    'wrong_host',
    `this server is not ${host === undefined ? 'a server without a name' : shown(host)}; call it as ${allowed.join(' or ')}`,
  )
}

/** Behind a proxy with TLS the page's origin is https. */
function checkOrigin(origin: string | undefined, allowed: readonly string[]): void {
  if (origin === undefined) return
  const ours = allowed.some((host) => origin === `http://${host}` || origin === `https://${host}`)
  if (ours) return
  throw new BanksmanError(
    'foreign_origin',
    `a page of ${shown(origin)} may not call this server; only its own pages may`,
  )
}

function shown(value: string): string {
  return JSON.stringify(value.length > 200 ? `${value.slice(0, 200)}…` : value)
}
