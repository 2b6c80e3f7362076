/**
 * Whether an address leads to a host. The address is parsed as browsers and `fetch` do it (WHATWG), never compared
 * by its beginning: `https://github.com.evil.example` and `https://github.com@evil.example` are evil's. Hosts are
 * compared in the one form that the parser gives them: lower case, punycode, IPv4 with four decimal numbers.
 *
 * Where programs read a text differently (control characters, backslashes, no scheme, schemes of other programs), no
 * host can be named, and the answer is `unknown`.
 */
import { checkText, throwInvalidPolicy } from '../language/block-checks.ts'
import { isLoopback } from './loopback.ts'
import { bothMatch, eitherMatches, type MatchResult } from './match-result.ts'

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

export interface HostMatcher {
  /** Whether an address that is a text leads there. */
  url(text: string): MatchResult
  /** Whether this is such a host, by whatever scheme it is reached. */
  address(address: HostAddress): MatchResult
  /** Whether it may be about a host of the domain. */
  mayBeIn(domain: string): boolean
  /** It is about every host. */
  readonly isAny: boolean
}

/**
 * `example.com` is that host alone, `*.example.com` every host below it, `*` every host. A scheme before it and a port
 * behind it must fit as well: `https://example.com:8443`.
 */
export function compileHost(pattern: string, at: string): HostMatcher {
  const { scheme, host, port } = readPattern(pattern, at)
  const fitsHost =
    host === '*' ? () => 'yes' as const : host.startsWith('*.') ? below(host.slice(2)) : exactly(host)
  const fits = (found: HostAddress): MatchResult => {
    const holds = fitsHost(found.host)
    if (holds === 'no') return 'no'
    return bothMatch(holds, bothMatch(same(scheme, found.scheme), same(port, found.port)))
  }
  return {
    isAny: host === '*' && scheme === undefined && port === undefined,
    address: fits,
    mayBeIn: (domain) =>
      host === '*' || isWithin(host.replace(/^\*\./, ''), domain) || fitsHost(domain) !== 'no',
    url: (text) => {
      const found = readAddress(text)
      if (found === undefined) return 'unknown'
      if (scheme === undefined && !isKnownScheme(found.scheme)) return 'unknown'
      return fits(found)
    },
  }
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}

function same(wanted: string | undefined, found: string | undefined): MatchResult {
  if (wanted === undefined || wanted === found) return 'yes'
  return found === undefined ? 'unknown' : 'no'
}

/** The same for addresses that are texts. */
export function compileHostPattern(pattern: string, at: string): HostMatcher['url'] {
  return compileHost(pattern, at).url
}

/** Claude Code's `domain:example.com`, for addresses that are texts. */
export function compileDomain(domain: string, at: string): HostMatcher['url'] {
  return compileDomainHost(domain, at).url
}

/** Claude Code's `domain:example.com`: the host itself and every host below it. */
export function compileDomainHost(domain: string, at: string): HostMatcher {
  const { scheme, host, port } = readPattern(domain, at)
  if (scheme !== undefined || port !== undefined) {
    throwInvalidPolicy(`a domain has neither scheme nor port; write domain:${host}`, at, {
      suggestion: `domain:${host}`,
    })
  }
  const itself = compileHost(domain, at)
  if (host === '*' || host.startsWith('*.') || isAddress(host)) return itself
  const inner = compileHost(`*.${host}`, at)
  return {
    isAny: false,
    mayBeIn: (domain) => itself.mayBeIn(domain) || inner.mayBeIn(domain),
    address: (found) => eitherMatches(itself.address(found), inner.address(found)),
    url: (text) => eitherMatches(itself.url(text), inner.url(text)),
  }
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

function isKnownScheme(scheme: string | undefined): boolean {
  return scheme !== undefined && Object.hasOwn(DEFAULT_PORTS, scheme)
}

/** No server takes a longer one, and every rule about hosts reads it anew. */
const LONGEST_ADDRESS = 16_384

function readAddress(text: string): HostAddress | undefined {
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

function parsedHost(hostname: string): string {
  return parsed(`http://${hostname}/`)?.hostname ?? ''
}

/** As the parser writes it for http, without a dot at the end; an IPv4 address inside IPv6 as IPv4. */
function normalHost(hostname: string): string | undefined {
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
  if (host === '' || host.startsWith('.') || host.endsWith('.') || host.includes('..')) return undefined
  if (!host.startsWith('[')) return host
  const [, high, low] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host) ?? []
  return high === undefined || low === undefined ? host : dotted(high, low)
}

function dotted(high: string, low: string): string {
  const [left, right] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [left >>> 8, left & 255, right >>> 8, right & 255].join('.')
}

function isAddress(host: string): boolean {
  return host.startsWith('[') || /^[0-9.]+$/.test(host)
}

function exactly(host: string): (other: string) => MatchResult {
  const isLocal = isLoopback(withoutBrackets(host))
  return (other) => {
    if (other === host) return 'yes'
    // Two names of this machine, or of one machine behind a translator: the same door or not, nobody can say here.
    if (isLocal && isLoopback(withoutBrackets(other))) return 'unknown'
    return embedded(other) === host || embedded(host) === other ? 'unknown' : 'no'
  }
}

function below(host: string): (other: string) => MatchResult {
  const ending = `.${host}`
  return (other) => (other.endsWith(ending) ? 'yes' : 'no')
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '')
}

/** The IPv4 address to which networks may translate this one: `::a.b.c.d`, `::ffff:0:a.b.c.d`, `64:ff9b::a.b.c.d`. */
function embedded(host: string): string | undefined {
  const [, high, low] =
    /^\[(?:::|::ffff:0:|64:ff9b::|64:ff9b:1::)([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host) ?? []
  return high === undefined || low === undefined ? undefined : dotted(high, low)
}

interface HostPattern {
  scheme: string | undefined
  host: string
  port: string | undefined
}

function readPattern(pattern: string, at: string): HostPattern {
  const text = checkText(pattern, 'a host pattern', at)
  const quoted = JSON.stringify(text)
  const right = 'write example.com, *.example.com for all hosts below it, or * for every host'
  const [, scheme, star, host, port] =
    /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*\.)?(\*|\[[0-9a-f:.]+\]|[^\s/?#@:*[\]\\%]+)(?::([0-9]{1,5}))?\/?$/i.exec(
      text,
    ) ?? []
  if (host === undefined) {
    if (/^[^/]*:\/\/[^/]+\/./.test(text) || /^[^:/]+\/./.test(text)) {
      throwInvalidPolicy(`${quoted} has a path, and a host pattern is about the host alone; ${right}`, at)
    }
    if (text.includes('@'))
      throwInvalidPolicy(`${quoted} has a user name, which is no part of the host; ${right}`, at)
    if (/^[0-9a-f:]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text)) {
      throwInvalidPolicy(`${quoted}: write an IPv6 address in brackets, as in [${text}]`, at, {
        suggestion: `[${text}]`,
      })
    }
    throwInvalidPolicy(`${quoted} is no host pattern; ${right}. A * can only stand at the beginning`, at)
  }
  const known = host === '*' ? '*' : normalHost(parsedHost(host))
  if (known === undefined || (star !== undefined && (known === '*' || isAddress(known)))) {
    throwInvalidPolicy(`${quoted} names no host; ${right}`, at)
  }
  if (port !== undefined && Number(port) > 65_535)
    throwInvalidPolicy(`${quoted}: a port is at most 65535`, at)
  return {
    scheme: scheme?.toLowerCase(),
    host: star === undefined ? known : `*.${known}`,
    port: port === undefined ? undefined : String(Number(port)),
  }
}
