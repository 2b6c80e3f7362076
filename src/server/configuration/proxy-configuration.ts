/** `proxy:` in the configuration: where the proxy in front of the server comes in, so that nobody behind it counts as local. */
import { BlockList, isIP } from 'node:net'
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { BanksmanError } from '../../core/errors.ts'

/** A listener of the proxy's own: an address with a port, or a Unix socket. */
export type ProxyListener = { host: string; port: number } | { path: string }

export interface ProxyConfiguration {
  /** Everybody who comes in here is remote. */
  listen: ProxyListener | undefined
  /** Addresses from which every request must say whom it is for. */
  from: string[]
}

// Whatever it is: a mere port is what many write first, and is told the same.
const listen = z.custom<string>(
  (value) => typeof value === 'string' && readListener(value) !== undefined,
  'must be an address with a port, as in 127.0.0.1:4791, or a Unix socket, as in unix:/run/banksman/proxy.sock',
)

const from = z
  .string()
  .refine(
    (text) => readRange(text) !== undefined,
    'must be an address or a range, as in 10.0.0.7 or 10.0.0.0/8',
  )

export const proxySchema = z.strictObject({
  listen: listen.optional(),
  from: z.array(from).default([]),
})

export function readProxyConfiguration(block: z.infer<typeof proxySchema> | undefined): ProxyConfiguration {
  return {
    listen: block?.listen === undefined ? undefined : readListener(block.listen),
    from: block?.from ?? [],
  }
}

function readListener(text: string): ProxyListener | undefined {
  if (text.startsWith('unix:')) {
    const path = text.slice('unix:'.length)
    return isAbsolute(path) && !path.includes('\0') ? { path } : undefined
  }
  const found = /^(\[[0-9a-f:.]+\]|[0-9.]+|localhost):(\d{1,5})$/i.exec(text)
  const host = found?.[1]?.replace(/[[\]]/g, '')
  const port = Number(found?.[2])
  if (host === undefined || port > 65_535) return undefined
  return host === 'localhost' || isIP(host) !== 0 ? { host, port } : undefined
}

interface Range {
  address: string
  prefix: number
  family: 'ipv4' | 'ipv6'
}

function readRange(text: string): Range | undefined {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return undefined
  const most = version === 4 ? 32 : 128
  const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : -1
  if (prefix < 0 || prefix > most) return undefined
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' }
}

/** Whether an address, as a socket has it, is one of these. */
export function createAddressList(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const text of ranges) {
    const { address, prefix, family } = readRange(text)!
    list.addSubnet(address, prefix, family)
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
    const version = isIP(plain)
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6')
  }
}

const LOOPBACK = createAddressList(['127.0.0.0/8', '::1'])

/** Those of the ranges that lie on this machine: only from there anybody comes in at a loopback address. */
export function loopbackRanges(ranges: readonly string[]): string[] {
  return ranges.filter((text) => isUsedHere(text) || LOOPBACK(readRange(text)!.address))
}

/** Whether programs of this machine connect from there, as they do unless they choose another address. */
function isUsedHere(range: string): boolean {
  const holds = createAddressList([range])
  return holds('127.0.0.1') || holds('::1')
}

/** What is right and probably not meant. */
export function proxyWarnings({ from }: ProxyConfiguration): { pointer: string; message: string }[] {
  const ranges = from.filter(isUsedHere)
  if (ranges.length === 0) return []
  return [
    {
      pointer: '/proxy/from',
      message: `proxy.from has ${ranges.join(', ')}, so programs on this machine, the command line too, are refused unless they send X-Forwarded-For: take it out, and give a proxy on this machine a listener of its own with proxy.listen, as in 127.0.0.1:4791`,
    },
  ]
}

/** Throws where the proxy would come in at the server's own address, where callers of this machine count as local. */
export function checkOwnAddress(
  listener: ProxyListener | undefined,
  own: { host: string; port: number },
  locate: (pointer: string) => { file: string; line: number; column: number } | undefined,
): void {
  if (listener === undefined || 'path' in listener || listener.port !== own.port || own.port === 0) return
  if (!isSameHost(listener.host, own.host)) return
  const place = locate('/proxy/listen')
  const at = place === undefined ? '' : `${place.file}:${place.line}:${place.column}: `
  throw new BanksmanError(
    'invalid_configuration',
    `${at}proxy.listen: ${describeListener(listener)} is the server's own address, where callers on this machine count as local; name another port for the proxy, or start the server with another --port`,
    place === undefined ? {} : { line: place.line, column: place.column },
  )
}

const EVERYWHERE = ['0.0.0.0', '::']

function isSameHost(one: string, other: string): boolean {
  if (one === other || [one, other].some((host) => EVERYWHERE.includes(host))) return true
  return (
    [one, other].includes('localhost') && [one, other].every((host) => host === 'localhost' || LOOPBACK(host))
  )
}

/** In words, for the one who runs the server. */
export function describeListener(listener: ProxyListener): string {
  if ('path' in listener) return `unix:${listener.path}`
  return `${listener.host.includes(':') ? `[${listener.host}]` : listener.host}:${listener.port}`
}

/** The files that are sockets of ours. */
export function socketsOf(listener: ProxyListener | undefined): string[] {
  return listener !== undefined && 'path' in listener ? [listener.path] : []
}
