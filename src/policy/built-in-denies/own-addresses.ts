/**
 * Finds our own addresses in texts, the server's and the store's: `host:port` and whatever comes to the same, such as
 * `http://127.1:4790/v1`, `nc localhost 4790` or `("0x7f000001", 4790)`. Another host with the same port is none
 * of ours: with a store on another machine, this machine's own database on the same port is somebody else's. A name that
 * only a look-up would show to be this machine is not recognised.
 */
import { BanksmanError } from '../../core/errors.ts'
import { isLoopback } from '../matchers/loopback.ts'
import { foldCase } from '../matchers/spellings.ts'

export interface OwnAddresses {
  /** Texts without one of which none of the addresses can be named. */
  readonly triggers: string[]
  /** One of them is on a default port, which an address need not name. */
  readonly needNoPort: boolean
  /** The text in lower case. */
  namedIn(text: string): boolean
  /** Whether an address leads there, as browsers and `fetch` read it. */
  isUrl(text: string): boolean
  /** A host of ours and a port of ours in one command, in whatever order: `redis-cli -h localhost -p 4790`. */
  isPair(words: readonly string[]): boolean
  isPort(value: unknown): boolean
  /** Whether this host is ours with that port. */
  isHost(value: string, port: unknown): boolean
}

/** Our hosts with one port. */
interface Hosts {
  names: readonly string[]
  has(host: string): boolean
  /** This machine is one of them, so that a port without a host is meant here. */
  isLocal: boolean
}

export function compileOwnAddresses(addresses: readonly string[]): OwnAddresses {
  const parsed = addresses.map(parseAddress)
  // Port 0 stands for one that the system has yet to choose.
  const known = parsed.filter(({ port }) => port !== '0')
  const byPort = new Map<string, Hosts>(
    [...Map.groupBy(known, ({ port }) => port)].map(([port, those]) => [port, hostsOf(those)]),
  )
  const ports = [...byPort.keys()]
  const onDefault = ports.filter((port) => port === '80' || port === '443').map((port) => byPort.get(port)!)
  const isOnDefault = (host: string) => onDefault.some((hosts) => hosts.has(host))
  const portOf = (value: unknown) =>
    typeof value === 'number' || typeof value === 'string' ? String(value).trim().replace(/^0+/, '') : ''
  return {
    triggers: [
      ...ports,
      ...(onDefault.length > 0 ? ['://', 'localhost', '127', '::', ...known.map(({ host }) => host)] : []),
    ],
    needNoPort: onDefault.length > 0,
    namedIn: (text) =>
      [...byPort].some(([port, hosts]) => portNamedIn(text, port, hosts)) ||
      (onDefault.length > 0 && hostAloneIn(text, isOnDefault)),
    isUrl(text) {
      const whole = URL.parse(text)
      // `localhost:4790` is an address to people, and a scheme to the standard.
      const url = whole === null || whole.hostname === '' ? URL.parse(`http://${text}`) : whole
      if (url === null) return false
      const port = url.port === '' ? (/^(?:https|wss):$/.test(url.protocol) ? '443' : '80') : url.port
      return byPort.get(port)?.has(foldCase(url.hostname).replace(/^\[|\]$/g, '')) ?? false
    },
    isPair(words) {
      const pieces = words.flatMap((word) => [word, ...word.split(/[:=,/@[\]]+/)])
      // A lone number is a host only to few programs, and a count to most.
      const names = pieces.filter((piece) => /[a-z]|\..*\.|::/.test(piece))
      return pieces.some((piece) => {
        const hosts = byPort.get(piece.replace(/^(?:-[a-z])?0*/, ''))
        return hosts !== undefined && names.some((name) => hosts.has(name))
      })
    },
    isPort: (value) => byPort.has(portOf(value)),
    isHost: (value, port) =>
      byPort.get(portOf(port))?.has(
        foldCase(value)
          .trim()
          .replace(/^\[|\]$/g, ''),
      ) ?? false,
  }
}

function hostsOf(those: readonly { host: string }[]): Hosts {
  const names = new Set(those.map(({ host }) => host))
  const isLocal = [...names].some(isLoopback)
  const has = (host: string) => names.has(host.replace(/\.$/, '')) || (isLocal && isLoopback(host))
  return { names: [...names], has, isLocal }
}

function parseAddress(given: string): { host: string; port: string } {
  const text = foldCase(given)
  const match = /^(?:(https?|wss?):\/\/)?(\[[0-9a-f:.]+\]|[^/:@\s]+)(?::([0-9]{1,5}))?\/?$/.exec(text)
  if (match === null) {
    throw new BanksmanError(
      'invalid_configuration',
      `${JSON.stringify(given)} is not an address to keep from agents; write it like 127.0.0.1:4790`,
    )
  }
  const [, scheme = 'http', host = '', port = scheme.endsWith('s') ? '443' : '80'] = match
  return { host: host.replace(/^\[|\]$/g, ''), port: String(Number(port)) }
}

/** How far the host may stand before the port: `("localhost", 4790)`, `localhost / 4790`. */
const MAX_BETWEEN = 8
const MAX_HOST = 260

function portNamedIn(text: string, port: string, hosts: Hosts): boolean {
  for (let at = text.indexOf(port); at !== -1; at = text.indexOf(port, at + 1)) {
    const after = text[at + port.length] ?? ''
    if (/[0-9]/.test(after)) continue
    let end = at
    while (text[end - 1] === '0') end--
    if (/[\p{L}\p{N}_.]/u.test(text[end - 1] ?? '')) continue
    if (hosts.isLocal && text.startsWith('/tcp', at + port.length)) return true
    let hostEnd = end
    while (hostEnd > 0 && end - hostEnd < MAX_BETWEEN && !isHostCharacter(text[hostEnd - 1])) hostEnd--
    const between = text.slice(hostEnd, end)
    let start = hostEnd
    while (
      start > 0 &&
      hostEnd - start < MAX_HOST &&
      (isHostCharacter(text[start - 1]) || text[start - 1] === ':')
    )
      start--
    if (between !== '' && isOurs(text, text.slice(start, hostEnd), between, hosts)) return true
  }
  return false
}

function isOurs(text: string, host: string, between: string, { has, isLocal, names }: Hosts): boolean {
  if (isLocal) {
    // `[::]:4790`, and `:4790` with nothing before it, which several clients read as localhost.
    if (between.includes('::') || /[\s"'`=(]:$/.test(between)) return true
    if (host === '') return between.endsWith(':')
    // `lsof -i:4790`
    if (host.startsWith('-') && between === ':') return true
  }
  // `host=db.example port=5432`, in whatever order.
  if (/(?:^|[^a-z])port$/.test(host))
    return (isLocal && NAMED_LOOPBACK.test(text)) || names.some((name) => text.includes(name))
  return has(host) || has(host.slice(host.lastIndexOf(':') + 1))
}

const NAMED_LOOPBACK = /localhost|127\.|::1|0\.0\.0\.0/

/** With a default port, an address needs no port at all. */
function hostAloneIn(text: string, isHost: (host: string) => boolean): boolean {
  for (const [word] of text.matchAll(/[^\s"'`;|&<>(),=@]+/g)) {
    const authority = word.replace(/^[a-z]+:\/\//, '').split(/[/?#]/)[0] ?? ''
    if (isHost(authority) || isHost(/^\[(.+)\]$/.exec(authority)?.[1] ?? '')) return true
  }
  return false
}

function isHostCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}.\-_%]/u.test(character)
}
