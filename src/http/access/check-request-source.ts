/**
 * What is checked before anything else, for every method and for the upgrade to a WebSocket too.
 *
 * A web page anywhere can make a browser send requests to a loopback address. Two things give it away: `Host` names
 * the page's own host when a DNS name was pointed at us, and `Origin` names the page. We answer neither, and we never
 * send a CORS header, so no other origin can read an answer. Programs send no `Origin`; they need a credential.
 */

import type { MiddlewareHandler } from 'hono'
import { BanksmanError } from '../../core/errors.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { HttpContext, HttpEnv } from '../connection/http-context.ts'
import { addressOf, isForwarded, isLoopback } from './is-remote.ts'

/** Longer than any query of ours; what is larger belongs in a body. */
const MAX_URL = 8192

export interface RequestSourceParts {
  /**
   * The `host:port` values by which the server may be called. A page of another name that was pointed at our address
   * (DNS rebinding) sends its own name, and is refused. A function where the names can change.
   */
  allowedHosts: readonly string[] | (() => readonly string[])
  /** Those of them by which a proxy is called: who uses one came through it, and counts as remote. */
  publicHosts?: () => readonly string[]
  /** Whether a proxy has this address, so that every request from it must say whom it is for. */
  isProxyAddress?: (address: string) => boolean
}

/** As who the server is called by its own socket, and nowhere else. */
const OWN_SOCKET_HOST = 'banksman'

export function checkRequestSource(parts: RequestSourceParts): MiddlewareHandler<HttpEnv> {
  const { allowedHosts, publicHosts, isProxyAddress } = parts
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
    // No page can be opened by our own socket, so no page calls from there.
    const isOwnSocket = c.env?.isOwnSocket === true
    checkHost(c.req.header('host'), isOwnSocket ? [OWN_SOCKET_HOST] : hosts())
    checkOrigin(c.req.header('origin'), isOwnSocket ? [] : hosts())
    c.set('isPublicName', publicHosts?.().includes((c.req.header('host') ?? '').toLowerCase()) === true)
    if (isProxyAddress !== undefined) checkProxy(c, isProxyAddress)
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
  throw reasonedError('foreign_origin', reasonOf('access.page-of-others', { origin: shown(origin) }))
}

/** Balancers ask for the health by themselves, for nobody. */
const HEALTH = '/healthz'

/** Whom it is for decides whether they are on this machine; a proxy that doesn't say it would have everyone pass as local. */
function checkProxy(c: HttpContext, isProxyAddress: (address: string) => boolean): void {
  const address = addressOf(c)
  if (address === undefined || c.env.isProxy === true || c.req.path === HEALTH) return
  if (!isProxyAddress(address) || isForwarded(c)) return
  // Whoever sits at this machine, at the command line too, can't have a proxy send anything.
  const local = isLoopback(address)
    ? `. If no proxy is in between: take ${address} out of proxy.from, and give the proxy on this machine a listener of its own with proxy.listen`
    : ''
  throw new BanksmanError(
    'forbidden',
    `requests from ${address} come through a proxy (proxy.from), and this one does not say whom it is for: have the proxy send X-Forwarded-For${local}`,
  )
}

function shown(value: string): string {
  return JSON.stringify(value.length > 200 ? `${value.slice(0, 200)}…` : value)
}
