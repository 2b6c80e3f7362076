/**
 * Whether a caller may be on another machine. Facts of this machine are gathered only for callers that are known to be on
 * it; so whatever is not known counts as remote.
 *
 * A proxy on this machine connects from a loopback address, whoever is behind it. It has a listener of its own, or it is
 * told apart by what it sends. One that sends our own `Host` and no header of its own can't be told apart: such a proxy
 * needs the listener, or its address in `proxy.from` (`guard-requests.ts`).
 */
import type { HttpContext } from '../connection/http-context.ts'

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
/** What proxies, balancers and tunnels add. No program that calls by itself sends any of them. */
const PROXIED = new Set([
  'via',
  'x-host',
  'x-scheme',
  'x-url-scheme',
  'front-end-https',
  'proxy-connection',
  'x-nginx-proxy',
  'x-azure-fdid',
  'x-amzn-trace-id',
  'x-amz-cf-id',
  'cdn-loop',
])
const PROXIED_PREFIXES = ['x-original-', 'x-envoy-', 'x-arr-', 'x-sendfile-', 'cf-', 'tailscale-', 'ngrok-']
/** Whose names for the caller's address are many: `Fly-Client-IP`, `X-ProxyUser-Ip`, `X-Vercel-Forwarded-For`. */
const PROXIED_WORDS = /forwarded|(?:client|real|connecting|originating|user|remote)-?(?:ip|addr|address)$/
/** What says whom a request is for. */
const FORWARDED_FOR = ['x-forwarded-for', 'forwarded']

/** Also where it was called by a name that is a proxy’s. */
export function isRemote(c: HttpContext): boolean {
  if (c.env?.isProxy === true) return true
  // Who comes in by our own socket has no address, and is the server's own user.
  if (c.env?.isOwnSocket !== true && !isLoopback(addressOf(c) ?? '')) return true
  // Programs of today speak 1.1. nginx speaks 1.0 to what is behind it, unless it is told otherwise.
  if (c.env?.incoming?.httpVersion === '1.0') return true
  if (c.get('isPublicName') === true) return true
  // A whole address, `http://…`, is what proxies are asked for.
  if (c.env?.incoming?.url?.startsWith('/') === false) return true
  return Object.keys(c.req.header()).some(isOfProxy)
}

/** Some write `_` for `-`. */
function isOfProxy(header: string): boolean {
  const name = header.replaceAll('_', '-')
  return (
    PROXIED.has(name) ||
    PROXIED_PREFIXES.some((prefix) => name.startsWith(prefix)) ||
    PROXIED_WORDS.test(name)
  )
}

export function addressOf(c: HttpContext): string | undefined {
  return c.env?.incoming?.socket.remoteAddress
}

export function isLoopback(address: string): boolean {
  return LOOPBACK.test(address)
}

export function isForwarded(c: HttpContext): boolean {
  return FORWARDED_FOR.some((name) => (c.req.header(name) ?? '').trim() !== '')
}
