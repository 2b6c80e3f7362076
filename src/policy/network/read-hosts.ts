/**
 * The hosts in a text, by what kind of text a program takes it for. Where programs may read the text differently no host
 * is named, and it is open which one is reached.
 */
import { addressOf, type HostAddress } from '../matchers/host-address.ts'
import { isLoopback } from '../matchers/loopback.ts'
import { expandBraces } from './expand-braces.ts'
import type { FoundHosts } from './reach.ts'

const NONE: FoundHosts = { addresses: [] }
const UNREADABLE: FoundHosts = { addresses: [], open: 'address' }
const SETTINGS: FoundHosts = { addresses: [], open: 'settings' }

export type HostText = keyof typeof READERS

export function readHosts(kind: HostText, text: string): FoundHosts {
  return READERS[kind](text)
}

const READERS = {
  /** An address; without a scheme it is meant as one of the web: `curl example.com/x`. */
  url,
  /** As curl takes it, with sets and ranges: `{a,b}.com`, `[1-3].example.com`. A file of addresses is `@file`. */
  globbed: (text: string) => (text.startsWith('@') ? SETTINGS : merge(expandGlobs(text).map(url), text)),
  /** What a browser is given: an address, or a file on this machine. */
  page: (text: string) =>
    /^[./~]|\.(?:x?html?|pdf|svg|xml|md|txt|png|jpe?g|gif)$/i.test(text) ? NONE : url(text),
  /** An address if it has a scheme, else something that names no host. */
  link,
  /** `host`, `host:port`, `user@host`, `[::1]:80`. */
  host,
  /** Several of them with commas or spaces between; each may be an address. */
  hosts: (text: string) =>
    merge(
      text
        .split(/[\s,;]+/)
        .filter(Boolean)
        .map(endpoint),
    ),
  /** An address with a scheme, or `host:port`. */
  endpoint,
  /** What ssh connects to. A name without a dot may be an alias in its settings. */
  login,
  logins: (text: string) => (text === 'none' ? NONE : merge(text.split(',').map(login))),
  /** `host:path`, `user@host:path`, `host::module`, or an address; else a file on this machine. */
  remote,
  /** A login, with or without a path behind it. */
  place: (text: string) => (/:(?!\/\/)/.test(text) ? remote(text) : login(text)),
  /** As git takes it: also `transport::address`, which runs a program. */
  repository: (text: string) => (/^[\w-]+::/.test(text) ? SETTINGS : remote(text)),
  /** ssh's forwards: `8080:host:80`, `bind:8080:host:80`, `host:80`. */
  forward,
  /** curl's `--resolve` and `--connect-to`: hosts, ports and addresses with colons between. */
  pairs: (text: string) => merge(colonParts(text).filter(mayBeHost).map(host)),
  /** An option of ssh: `ProxyJump=host`, `HostName host`. */
  sshOption,
  /** The command by which rsync and git reach another machine: plain `ssh` reaches nothing else. */
  transport: (text: string) =>
    /^ssh(?: +(?:-[46AaCfKknqTtvxXYy]+|-[cilmp] *[\w./@~-]+))* *$/.test(text) ? NONE : SETTINGS,
  /** `host=a,b port=5432` or an address. */
  connection,
  /** A server with or without its database, or a database on this machine. */
  server: (text: string) =>
    /^[^/]*:\/\//.test(text) ? connection(text) : /[.:/]/.test(text) ? endpoint(text) : NONE,
  /** `TCP:host:port` and its kin. */
  socat,
  /** The registry in the name of an image. */
  image,
  /** A package of npm's: `name@version`, `github:a/b`, `git+ssh://…`, `name@https://…`. */
  package: packageSource,
  /** A requirement of pip's: `name==1`, `git+https://…`, `name @ https://…`. */
  requirement: (text: string) =>
    link(text.replace(/^[^@:/]*@\s*(?=[\w+.-]+:\/\/)/, '').replace(/^-e\s*/, '')),
  /** The path of a Go module begins with a host. */
  module: (text: string) =>
    /^[\w-]+(?:\.[\w-]+)+\.?(?::\d+)?(?:\/|@|$)/.test(text) ? url(text.replace(/@.*$/, '')) : link(text),
  /** `//host/share` of a file server. */
  share: (text: string) =>
    /^(?:\/\/|\\\\)/.test(text) ? host(text.slice(2).split(/[\\/]/)[0] ?? '') : remote(text),
  /** `name=address` or an address. */
  named: (text: string) => link(text.replace(/^[^=:/]*[=,]/, '')),
  /** A protocol before the address: `http:http://proxy`. */
  proxied: (text: string) => url(text.replace(/^\w+:(?=\w+:\/\/)/, '')),
  /** A repository on a forge: `owner/name`, `host/owner/name`, an address. */
  forge: (text: string) => (/^[\w.-]+\.[\w-]*(?::\d+)?\/[^/]+\/[^/]+$/.test(text) ? url(text) : remote(text)),
  /** Whatever it is, it says where hosts are written down. */
  settings: () => SETTINGS,
} satisfies Record<string, (text: string) => FoundHosts>

/** Schemes that lead to no host. */
const LOCAL =
  /^(?:file|data|about|unix|npipe|fd|docker-archive|docker-daemon|oci-archive|dir|containers-storage|workspace|link|portal|patch|catalog|javascript|stdin|memory|s3|gs|az|arn|ref|secret|op|cid|urn|app|chrome|view-source|sqlite|jdbc:sqlite|k8s|inline):/i

function url(text: string): FoundHosts {
  if (text === '' || text === '-') return NONE
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return link(text)
  if (text.startsWith('//')) return link(`http:${text}`)
  // One slash, or none, means a host to some programs and a path to others.
  if (/^(?:https?|ftps?|wss?)[:/\\]|^[a-z]+:[/\\]|\\/i.test(text)) return UNREADABLE
  return found(addressOf(`http://${text}`), (address) => ({
    ...address,
    scheme: undefined,
    port: portIn(text),
  }))
}

/** Where no scheme is written nobody has said which port is meant. */
function portIn(text: string): string | undefined {
  return /^(?:[^/?#]*@)?(?:\[[^\]]*\]|[^/?#:]*):(\d+)(?:[/?#]|$)/.exec(text)?.[1]
}

function found(
  address: HostAddress | undefined,
  change: (address: HostAddress) => HostAddress = (same) => same,
): FoundHosts {
  return address === undefined ? UNREADABLE : { addresses: [change(address)] }
}

function link(text: string): FoundHosts {
  const [, scheme, authority, rest] =
    /^((?:[a-z][a-z0-9+.-]*:)?[a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is.exec(text) ?? []
  if (scheme === undefined || authority === undefined) return NONE
  if (LOCAL.test(text)) return authority === '' || !/^file:/i.test(text) ? NONE : host(authority)
  // Databases with several servers name them with commas between.
  if (!authority.includes(','))
    return found(addressOf(`${scheme.replace(/^.*:/, '')}://${authority}${rest?.slice(0, 1)}`))
  return merge(authority.replace(/^.*@/, '').split(',').map(host))
}

function host(text: string): FoundHosts {
  if (/:\/\//.test(text)) return link(text)
  const bare = text.replace(/^.*@/, '').replace(/%[\w.-]+(?=\]|$)/, '')
  if (bare === '') return NONE
  if (!/^[^/?#\\@]+$/.test(bare)) return UNREADABLE
  const isIpv6 = /^[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(bare)
  const authority = isIpv6 ? `[${bare}]` : bare
  return found(addressOf(`http://${authority}/`), (address) => ({
    ...address,
    scheme: undefined,
    port: portIn(authority),
  }))
}

function endpoint(text: string): FoundHosts {
  return /:\/\//.test(text) ? link(text) : host(text.replace(/[/?#].*$/s, ''))
}

function login(text: string): FoundHosts {
  const to = host(text)
  const [address] = to.addresses
  return address !== undefined && isAlias(address.host) ? SETTINGS : to
}

/** Whoever settings name in one word may be anybody. */
function isAlias(name: string): boolean {
  return !name.includes('.') && !name.startsWith('[') && !isLoopback(name)
}

function remote(text: string): FoundHosts {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    const there = link(text)
    return /^(?:[a-z]+\+)?ssh:|^s(?:ftp|cp):/i.test(text) ? withAlias(there) : there
  }
  const [, before] = /^((?:[^/:[\]]*@)?(?:\[[^\]]*\]|[^/:[\]]+)):/.exec(text) ?? []
  return before === undefined ? NONE : login(before)
}

function withAlias(there: FoundHosts): FoundHosts {
  return there.addresses.some((one) => isAlias(one.host)) ? SETTINGS : there
}

/** `[::1]` stays one part. */
function colonParts(text: string): string[] {
  return (text.match(/\[[^\]]*\]|[^:,[\]]+/g) ?? []).map((part) => part.replace(/^[+-]/, ''))
}

function mayBeHost(part: string): boolean {
  return part !== '' && part !== '*' && !/^\d{1,5}$/.test(part)
}

function forward(text: string): FoundHosts {
  const parts = colonParts(text)
  if (text.includes('/')) return NONE
  const target = parts.length >= 3 ? parts.at(-2) : parts[0]
  return parts.length === 1 || target === undefined || !mayBeHost(target) ? NONE : host(target)
}

function sshOption(text: string): FoundHosts {
  const [, name = '', value = ''] = /^\s*(\w+)\s*[=\s]\s*"?([^"]*)"?$/s.exec(text) ?? []
  switch (name.toLowerCase()) {
    case '':
      return SETTINGS
    case 'proxyjump':
      return READERS.logins(value)
    case 'hostname':
      return host(value)
    case 'proxycommand':
      return value === 'none' ? NONE : SETTINGS
    case 'include':
    case 'match':
    case 'proxyusefdpass':
    case 'knownhostscommand':
    case 'localcommand':
      return SETTINGS
    case 'localforward':
    case 'remoteforward':
      return forward(value.replace(/\s+/, ':'))
    default:
      return NONE
  }
}

function connection(text: string): FoundHosts {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    const inside = [...text.matchAll(/[?&]host(?:addr)?=([^&]*)/g)].map(([, one = '']) => READERS.hosts(one))
    const authority = /^[^/]*:\/\/([^/?#]*)/.exec(text)?.[1] ?? ''
    return merge([...(authority === '' ? [] : [link(text)]), ...inside])
  }
  if (/\bservice\s*=/.test(text)) return SETTINGS
  const named = [...text.matchAll(/(?:^|\s)host(?:addr)?\s*=\s*'?([^\s']*)/g)].map(([, one = '']) => one)
  return merge(named.filter((one) => !one.startsWith('/')).map(READERS.hosts))
}

function socat(text: string): FoundHosts {
  const [type = '', ...parts] = (text.split(',')[0] ?? '').match(/\[[^\]]*\]|[^:[\]]+/g) ?? []
  if (!/^(?:tcp|udp|sctp|dccp|ssl|openssl|dtls|ip|proxy|socks|udplite)/i.test(type)) return NONE
  if (/-l(?:isten)?$|recv|-l$/i.test(type)) return NONE
  return merge(parts.filter(mayBeHost).map(host))
}

function image(text: string): FoundHosts {
  const bare = text.replace(/^docker:\/\//, '')
  if (/^[a-z-]+:(?:\/\/|\/|\.)/i.test(bare)) return link(bare)
  const [first = '', ...more] = bare.split('/')
  // Only what has a dot or a port is a registry; all else is a name on the usual one.
  const isRegistry = more.length > 0 && (/[.:]/.test(first) || first === 'localhost')
  return isRegistry ? host(first) : found(addressOf('https://docker.io/'))
}

const FORGES: Readonly<Record<string, string>> = {
  github: 'github.com',
  gitlab: 'gitlab.com',
  bitbucket: 'bitbucket.org',
  gist: 'gist.github.com',
  sourcehut: 'git.sr.ht',
  jsr: 'jsr.io',
}

function packageSource(text: string): FoundHosts {
  const spec = text.replace(/^(?:@[^/@]*\/)?[^@/:]*@(?=[a-z+]+:|[\w.-]+@[\w.-]+:|[\w-]+\/)/i, '')
  const [, forge = ''] = /^([a-z]+):(?!\/\/)/i.exec(spec) ?? []
  if (Object.hasOwn(FORGES, forge)) return link(`https://${FORGES[forge]}/`)
  if (/^(?:file|npm|workspace|link|portal|patch|catalog):/i.test(spec) || /^[./~]/.test(spec)) return NONE
  if (/^[^@/:]+@[^/:]+:/.test(spec)) return remote(spec)
  if (/^[\w.-]+\/[\w.-]+(?:#.*)?$/.test(spec)) return link('https://github.com/')
  return /^[\w+.-]+:\/\//.test(spec) ? remote(spec) : /^[\w+.-]+:/.test(spec) ? UNREADABLE : NONE
}

function expandGlobs(text: string): string[] {
  const authority = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#]*/i.exec(text)?.[0] ?? ''
  // An IPv6 address is no range.
  if (!/[{[]/.test(authority) || /\[[0-9a-f:.]*:[0-9a-f:.]*\]/i.test(authority)) return [text]
  return (expandBraces(authority, true) ?? []).map((one) => one + text.slice(authority.length))
}

/** `text`: what stood for all of them, where none came of it. */
function merge(parts: readonly FoundHosts[], text?: string): FoundHosts {
  if (parts.length === 0 && text !== undefined && text !== '') return UNREADABLE
  return {
    addresses: parts.flatMap(({ addresses }) => addresses),
    open: parts.find(({ open }) => open !== undefined)?.open,
  }
}
