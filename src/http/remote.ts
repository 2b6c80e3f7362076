/**
 * Whether a caller may be on another machine. Facts of this machine are gathered only for callers that are known to be on
 * it; so whatever is not known counts as remote.
 *
 * A proxy on this machine connects from a loopback address, whoever is behind it. It has a listener of its own, or it is
 * told apart by what it sends. One that sends our own `Host` and no header of its own can't be told apart: such a proxy
 * needs the listener, or its address in `proxy.from` (`guard-requests.ts`).
 */
import type { HttpContext } from './parts.ts'

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
/** What proxies, balancers and tunnels add. No program that calls by itself sends any of them. */
const PROXIED = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-host',
  'x-original-url',
  'x-original-forwarded-for',
  'x-proxyuser-ip',
  'x-nginx-proxy',
  'x-appengine-user-ip',
  'x-azure-clientip',
  'x-azure-fdid',
  'x-amzn-trace-id',
  'x-amz-cf-id',
  'true-client-ip',
  'client-ip',
  'cdn-loop',
  'fastly-client-ip',
  'fly-client-ip',
  'do-connecting-ip',
  'proxy-client-ip',
  'wl-proxy-client-ip',
])
const PROXIED_PREFIXES = ['x-forwarded', 'x-envoy-', 'x-arr-', 'x-sendfile-', 'cf-', 'tailscale-', 'ngrok-']
/** What says whom a request is for. */
const FORWARDED_FOR = ['x-forwarded-for', 'forwarded']

/** Also where it was called by a name that is a proxy’s. */
export function isRemote(c: HttpContext): boolean {
  if (c.env?.isProxy === true) return true
  if (!LOOPBACK.test(addressOf(c) ?? '')) return true
  // Programs of today speak 1.1. nginx speaks 1.0 to what is behind it, unless it is told otherwise.
  if (c.env?.incoming?.httpVersion === '1.0') return true
  if (c.get('isPublicName') === true) return true
  return Object.keys(c.req.header()).some(
    (name) => PROXIED.has(name) || PROXIED_PREFIXES.some((prefix) => name.startsWith(prefix)),
  )
}

export function addressOf(c: HttpContext): string | undefined {
  return c.env?.incoming?.socket.remoteAddress
}

export function isForwarded(c: HttpContext): boolean {
  return FORWARDED_FOR.some((name) => (c.req.header(name) ?? '').trim() !== '')
}
