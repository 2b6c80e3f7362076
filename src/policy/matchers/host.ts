/** Whether an address leads to a host. Where no host can be named (`host-address.ts`), the answer is `unknown`. */
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { checkText, throwInvalidPolicy } from '../language/block-checks.ts'
import {
  dotted,
  type HostAddress,
  isKnownScheme,
  normalHost,
  parsedHost,
  readAddress,
} from './host-address.ts'
import { isLoopback } from './loopback.ts'
import { bothMatch, eitherMatches, type MatchResult } from './match-result.ts'

export interface HostMatcher {
  /** Whether an address that is a text leads there. */
  url(text: string): MatchResult
  /** Whether this is such a host, by whatever scheme it is reached. */
  address(address: HostAddress): MatchResult
  /** Whether it may be about a host of the domain. */
  mayBeIn(domain: string): boolean
  /** Whether it may match one of many hosts, of which these are the names and all domains around them. */
  mayMatch(domains: ReadonlySet<string>): boolean
  /** Whether its very name is among them, for names and domains that may be anything. */
  isNamedIn(names: ReadonlySet<string>): boolean
  /** The one name that a host must have or be below to match; undefined where there is none such. */
  readonly name: string | undefined
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
  const name = host.replace(/^\*\./, '')
  // A number, and a name of this machine, may be other hosts by another spelling.
  const isOfMany = host === '*' || isAddress(host) || isLoopback(name)
  const fits = (found: HostAddress): MatchResult => {
    const holds = fitsHost(found.host)
    if (holds === 'no') return 'no'
    return bothMatch(holds, bothMatch(same(scheme, found.scheme), same(port, found.port)))
  }
  return {
    isAny: host === '*' && scheme === undefined && port === undefined,
    address: fits,
    mayMatch: (domains) => isOfMany || domains.has(name),
    isNamedIn: (names) => names.has(name),
    name: isOfMany ? undefined : name,
    mayBeIn: (domain) => host === '*' || isWithin(name, domain) || fitsHost(domain) !== 'no',
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

/** Claude Code's `domain:example.com`: the host itself and every host below it. */
export function compileDomainHost(domain: string, at: string): HostMatcher {
  const { scheme, host, port } = readPattern(domain, at)
  if (scheme !== undefined || port !== undefined) {
    throwInvalidPolicy(reasonOf('wrong.domain', { right: `domain:${host}` }), at, {
      suggestion: `domain:${host}`,
    })
  }
  const itself = compileHost(domain, at)
  if (host === '*' || host.startsWith('*.') || isAddress(host)) return itself
  const inner = compileHost(`*.${host}`, at)
  return {
    isAny: false,
    mayMatch: itself.mayMatch,
    isNamedIn: itself.isNamedIn,
    name: itself.name,
    mayBeIn: (domain) => itself.mayBeIn(domain) || inner.mayBeIn(domain),
    address: (found) => eitherMatches(itself.address(found), inner.address(found)),
    url: (text) => eitherMatches(itself.url(text), inner.url(text)),
  }
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
  const text = checkText(pattern, reasonOf('what.host-pattern'), at)
  const written = { pattern: JSON.stringify(text) }
  const right = reasonOf('host.right')
  const [, scheme, star, host, port] =
    /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*\.)?(\*|\[[0-9a-f:.]+\]|[^\s/?#@:*[\]\\%]+)(?::([0-9]{1,5}))?\/?$/i.exec(
      text,
    ) ?? []
  if (host === undefined) {
    if (/^[^/]*:\/\/[^/]+\/./.test(text) || /^[^:/]+\/./.test(text)) {
      throwInvalidPolicy(reasonOf('wrong.host-path', { ...written, right }), at)
    }
    if (text.includes('@')) throwInvalidPolicy(reasonOf('wrong.host-user', { ...written, right }), at)
    if (/^[0-9a-f:]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text)) {
      throwInvalidPolicy(reasonOf('wrong.host-ipv6', { ...written, right: `[${text}]` }), at, {
        suggestion: `[${text}]`,
      })
    }
    throwInvalidPolicy(reasonOf('wrong.host-pattern', { ...written, right }), at)
  }
  const known = host === '*' ? '*' : normalHost(parsedHost(host))
  if (known === undefined || (star !== undefined && (known === '*' || isAddress(known)))) {
    throwInvalidPolicy(reasonOf('wrong.host-none', { ...written, right }), at)
  }
  if (port !== undefined && Number(port) > 65_535)
    throwInvalidPolicy(reasonOf('wrong.host-port', written), at)
  return {
    scheme: scheme?.toLowerCase(),
    host: star === undefined ? known : `*.${known}`,
    port: port === undefined ? undefined : String(Number(port)),
  }
}
