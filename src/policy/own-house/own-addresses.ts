/**
 * Finds the server's own address in texts: `host:port` and whatever comes to the same, such as
 * `http://127.1:4790/v1`, `nc localhost 4790` or `("0x7f000001", 4790)`. Another host with the same port is none
 * of ours. A name that only a look-up would show to be this machine is not recognised.
 */
import { BanksmanError } from '../../core/errors.ts'
import { isLoopback } from './loopback.ts'
import { foldCase } from './spellings.ts'

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
  isHost(value: string): boolean
}

export function compileOwnAddresses(addresses: readonly string[]): OwnAddresses {
  const parsed = addresses.map(parseAddress)
  const hosts = new Set(parsed.map((address) => address.host))
  // Port 0 stands for one that the system has yet to choose.
  const ports = new Set(parsed.map((address) => address.port).filter((port) => port !== '0'))
  const isHost = (host: string) => hosts.has(host.replace(/\.$/, '')) || isLoopback(host)
  const isDefaultPort = ports.has('80') || ports.has('443')
  return {
    triggers: [...ports, ...(isDefaultPort ? ['://', 'localhost', '127', '::', ...hosts] : [])],
    needNoPort: isDefaultPort,
    namedIn: (text) =>
      [...ports].some((port) => portNamedIn(text, port, isHost)) ||
      (isDefaultPort && hostAloneIn(text, isHost)),
    isUrl(text) {
      const whole = URL.parse(text)
      // `localhost:4790` is an address to people, and a scheme to the standard.
      const url = whole === null || whole.hostname === '' ? URL.parse(`http://${text}`) : whole
      if (url === null) return false
      const port = url.port === '' ? (/^(?:https|wss):$/.test(url.protocol) ? '443' : '80') : url.port
      return ports.has(port) && isHost(foldCase(url.hostname).replace(/^\[|\]$/g, ''))
    },
    isPair(words) {
      const pieces = words.flatMap((word) => [word, ...word.split(/[:=,/@[\]]+/)])
      // A lone number is a host only to few programs, and a count to most.
      return (
        pieces.some((piece) => /[a-z]|\..*\.|::/.test(piece) && isHost(piece)) &&
        pieces.some((piece) => ports.has(piece.replace(/^(?:-[a-z])?0*/, '')))
      )
    },
    isPort: (value) =>
      (typeof value === 'number' || typeof value === 'string') &&
      ports.has(String(value).trim().replace(/^0+/, '')),
    isHost: (value) =>
      isHost(
        foldCase(value)
          .trim()
          .replace(/^\[|\]$/g, ''),
      ),
  }
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

function portNamedIn(text: string, port: string, isHost: (host: string) => boolean): boolean {
  for (let at = text.indexOf(port); at !== -1; at = text.indexOf(port, at + 1)) {
    const after = text[at + port.length] ?? ''
    if (/[0-9]/.test(after)) continue
    let end = at
    while (text[end - 1] === '0') end--
    if (/[\p{L}\p{N}_.]/u.test(text[end - 1] ?? '')) continue
    if (text.startsWith('/tcp', at + port.length)) return true
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
    if (between !== '' && isOurs(text, text.slice(start, hostEnd), between, isHost)) return true
  }
  return false
}

function isOurs(text: string, host: string, between: string, isHost: (host: string) => boolean): boolean {
  // `[::]:4790`, and `:4790` with nothing before it, which several clients read as localhost.
  if (between.includes('::') || /[\s"'`=(]:$/.test(between)) return true
  if (host === '') return between.endsWith(':')
  // `lsof -i:4790`
  if (host.startsWith('-') && between === ':') return true
  if (/(?:^|[^a-z])port$/.test(host)) return NAMED_LOOPBACK.test(text)
  return isHost(host) || isHost(host.slice(host.lastIndexOf(':') + 1))
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
