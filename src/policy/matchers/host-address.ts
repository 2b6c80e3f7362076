/**
 * The host of an address. The address is parsed as browsers and `fetch` do it (WHATWG), never compared by its beginning:
 * `https://github.com.evil.example` and `https://github.com@evil.example` are evil's. A host is given in the one form in which
 * hosts are compared: lower case, punycode, IPv4 with four decimal numbers.
 *
 * Where programs read a text differently (control characters, backslashes, no scheme, schemes of other programs), no
 * host can be named.
 */

/** The schemes whose hosts every program reads alike, with the port that they mean when they name none. */
const DEFAULT_PORTS: Readonly<Record<string, string>> = {
  http: '80',
  https: '443',
  ws: '80',
  wss: '443',
  ftp: '21',
}

/** A host, with what is known of how it is reached. */
export interface HostAddress {
  /** Undefined where it is not known. */
  readonly scheme: string | undefined
  /** In the form in which hosts are compared. */
  readonly host: string
  /** Undefined where the scheme means a port that is not known here. */
  readonly port: string | undefined
}

/** The host in the form in which it is compared; undefined where none can be named. */
export function hostOf(url: string): string | undefined {
  const address = readAddress(url)
  return address !== undefined && isKnownScheme(address.scheme) ? address.host : undefined
}

/**
 * The host of an address with a scheme, whatever the scheme; undefined where none can be named, or where the name has
 * characters that programs make something else of, such as wildcards and braces.
 */
export function addressOf(url: string): HostAddress | undefined {
  const address = readAddress(url)
  return address !== undefined && PLAIN_HOST.test(address.host) ? address : undefined
}

const PLAIN_HOST = /^(?:[\w.-]+|\[[0-9a-f:.]+\])$/

export function isKnownScheme(scheme: string | undefined): boolean {
  return scheme !== undefined && Object.hasOwn(DEFAULT_PORTS, scheme)
}

/** No server takes a longer one, and every rule about hosts reads it anew. */
const LONGEST_ADDRESS = 16_384

export function readAddress(text: string): HostAddress | undefined {
  if (text.length > LONGEST_ADDRESS) return undefined
  // The parser would drop or turn these; others stop at them, or take them for a part of the name.
  if (/[\x00-\x20\x7f-\x9f\\\u2028\u2029]/.test(text)) return undefined
  // It would also take `http:example.com` and `http:///example.com`, which to others are paths.
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#]/i.test(text)) return undefined
  const url = parsed(text)
  if (url === undefined) return undefined
  const scheme = url.protocol.slice(0, -1)
  const known = Object.hasOwn(DEFAULT_PORTS, scheme) ? DEFAULT_PORTS[scheme] : undefined
  // For schemes that it does not know, the parser leaves the host as it is written.
  const host = normalHost(known === undefined ? parsedHost(url.hostname) : url.hostname)
  if (host === undefined) return undefined
  return { scheme, host, port: url.port === '' ? known : url.port }
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

export function parsedHost(hostname: string): string {
  return parsed(`http://${hostname}/`)?.hostname ?? ''
}

/** As the parser writes it for http, without a dot at the end; an IPv4 address inside IPv6 as IPv4. */
export function normalHost(hostname: string): string | undefined {
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
  if (host === '' || host.startsWith('.') || host.endsWith('.') || host.includes('..')) return undefined
  if (!host.startsWith('[')) return host
  const [, high, low] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host) ?? []
  return high === undefined || low === undefined ? host : dotted(high, low)
}

export function dotted(high: string, low: string): string {
  const [left, right] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [left >>> 8, left & 255, right >>> 8, right & 255].join('.')
}
