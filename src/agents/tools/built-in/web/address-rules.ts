/**
 * Which addresses a tool may connect to. It is judged by the address itself and never by a name: a name is whatever its owner
 * says it is, and says so anew at every look-up. Addresses of this machine and of networks behind it need to be listed;
 * our own can't be.
 */
import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { BanksmanError } from '../../../../core/errors.ts'

export interface Destination {
  /** As the URL standard writes it, without brackets. */
  host: string
  port: number
  address: string
}

export interface AddressRules {
  /** Why not; undefined where it may be connected to. */
  refusal(destination: Destination): string | undefined
}

/** `example.com`, `example.com:8080`, `10.0.0.5` or `10.0.0.0/8`. */
export function compileAddressRules(allow: readonly string[]): AddressRules {
  const listed = new BlockList()
  const hosts = new Set<string>()
  for (const entry of allow) {
    const [address = '', bits, more] = entry.split('/')
    const family = isIP(address)
    if (family !== 0 && more === undefined) {
      const most = family === 4 ? 32 : 128
      const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : -1
      if (length < 0 || length > most) refuseEntry(entry)
      listed.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6')
    } else {
      hosts.add(hostEntry(entry))
    }
  }
  return {
    refusal({ host, port, address }) {
      const plain = plainAddress(address)
      if (isPublic(plain)) return undefined
      const name = host.replace(/\.$/, '')
      if (hosts.has(name) || hosts.has(`${name}:${port}`)) return undefined
      if (listed.check(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6')) return undefined
      return `${address} is an address of this machine, of a private network or of none; list it under fetch.allow to have it reached`
    },
  }
}

/** Our own addresses, whatever they are called: this machine on a port of ours, and what our names lead to. */
export function isOwnAddress(
  { host, port, address }: Destination,
  own: readonly { host: string; port: number; addresses: readonly string[] }[],
): boolean {
  const plain = plainAddress(address)
  return own.some((ours) => {
    if (ours.port !== port) return false
    if (ours.host === host.replace(/\.$/, '')) return true
    return isThisMachine(plain) || [ours.host, ...ours.addresses].some((one) => plainAddress(one) === plain)
  })
}

/** `host:port`, with or without a scheme before it. */
export function parseOwnAddress(text: string): { host: string; port: number } {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `http://${text}`)
  if (url === null) {
    throw new BanksmanError('invalid_configuration', `${JSON.stringify(text)} is no address; write host:port`)
  }
  return { host: bareHost(url), port: portOf(url) }
}

export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
}

/** One form for each address: without a zone, IPv4 inside IPv6 as IPv4. */
export function plainAddress(address: string): string {
  const bare = address.replace(/%.*$/, '')
  if (isIP(bare) !== 6) return bare
  const host = new URL(`http://[${bare}]/`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host) ?? []
  if (high === undefined || low === undefined) return host
  const [left, right] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [left >>> 8, left & 255, right >>> 8, right & 255].join('.')
}

function isPublic(plain: string): boolean {
  const family = isIP(plain)
  if (family === 4) return !NOT_PUBLIC.check(plain, 'ipv4')
  return family === 6 && GLOBAL_IPV6.check(plain, 'ipv6') && !NOT_PUBLIC.check(plain, 'ipv6')
}

function isThisMachine(plain: string): boolean {
  if (LOOPBACK.check(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6')) return true
  return Object.values(networkInterfaces()).some((list) =>
    list?.some(({ address }) => plainAddress(address) === plain),
  )
}

/** Of IPv6 only this has been given out for general use. Translations of IPv4 outside of it need to be listed. */
const GLOBAL_IPV6 = subnets('2000::/3')
/** 0.0.0.0 and :: reach this machine too. */
const LOOPBACK = subnets('127.0.0.0/8 0.0.0.0/8 ::1/128 ::/128')
/** By the registries of special-purpose addresses: this network, private, shared, loopback, link-local, tests, multicast. */
const NOT_PUBLIC = subnets(
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
    '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 ' +
    '2001::/23 2001:db8::/32 2002::/16 3fff::/20',
)

function subnets(list: string): BlockList {
  const out = new BlockList()
  for (const entry of list.split(' ')) {
    const [address = '', length] = entry.split('/')
    out.addSubnet(address, Number(length), isIP(address) === 4 ? 'ipv4' : 'ipv6')
  }
  return out
}

function hostEntry(entry: string): string {
  const url = /^[^\s/?#@\\]+$/.test(entry) ? URL.parse(`http://${entry}`) : null
  // A port behind a name counts; port 80 would be dropped by the parser.
  const [, port] = /:(\d{1,5})$/.exec(entry) ?? []
  if (url === null || bareHost(url) === '' || entry.includes('*')) return refuseEntry(entry)
  return port === undefined ? bareHost(url) : `${bareHost(url)}:${Number(port)}`
}

function refuseEntry(entry: string): never {
  throw new BanksmanError(
    'invalid_configuration',
    `fetch.allow: ${JSON.stringify(entry)} is neither a host nor an address; write intranet.example, localhost:3000, 10.0.0.5 or 10.0.0.0/8`,
  )
}
