/**
 * Where a store is, read from one text: `sqlite:<file>`, `memory:`, `postgres://…` or `redis://…`. Whoever knows such an
 * address may know a password by it, so nothing here repeats one: neither an error nor a description.
 */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { BanksmanError } from '../../core/errors.ts'
import { refuseUnencoded } from '../../stores/refuse-unencoded.ts'

export type StorePlace =
  | { kind: 'memory' }
  | { kind: 'sqlite'; file: string }
  | { kind: 'postgres'; url: string; listenUrl?: string; schema?: string; poolSize?: number }
  | { kind: 'redis'; url: string; prefix?: string; mayLose?: boolean }

/** Both are the drivers' own defaults. */
const SCHEMA = 'banksman'
const PREFIX = 'banksman'
const POSTGRES_PORT = '5432'
const REDIS_PORT = '6379'

/** @param folder From where a relative file is meant. */
export function readStorePlace(text: string, folder: string): StorePlace {
  const [, scheme = '', rest = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s.exec(text) ?? []
  switch (scheme.toLowerCase()) {
    case 'memory':
      if (rest !== '') invalid(`${shown(text)} is no store; write memory: with nothing behind it`)
      return { kind: 'memory' }
    case 'sqlite':
      if (rest === '') invalid(`${shown(text)} names no file; write sqlite:banksman.db`)
      if (rest.includes('\0')) invalid('a file has no NUL in its name; write sqlite:banksman.db')
      return { kind: 'sqlite', file: resolve(folder, rest) }
    case 'postgres':
    case 'postgresql':
      return { kind: 'postgres', url: postgresUrl(text) }
    case 'redis':
    case 'rediss':
      return { kind: 'redis', url: redisUrl(text) }
    default:
      return invalid(
        `${shown(text)} is no store; write sqlite:<file>, postgres://user@host:5432/database, redis://host:6379/0 or memory:`,
      )
  }
}

/** Checks an address of Postgres alone, as `listenUrl` is one. */
export function postgresUrl(text: string): string {
  const example = 'write it like postgres://user@host:5432/database'
  refuseUnencoded('the address of Postgres', text)
  const url = URL.parse(text)
  // What can't be read may hold a password anywhere.
  if (url === null) return invalid(`this is no address of Postgres; ${example}`)
  if (!/^postgres(ql)?:$/.test(url.protocol) || !text.slice(0, 16).includes('://'))
    invalid(`${shown(text)} is no address of Postgres; ${example}`)
  if (hostOf(url) === '') invalid(`${shown(text)} names no host; ${example}`)
  if (url.hostname.includes(','))
    invalid(`${shown(text)} names several hosts, and one is followed; ${example}`)
  return text
}

function redisUrl(text: string): string {
  const example = 'write it like redis://host:6379/0'
  refuseUnencoded('the address of Redis', text)
  const url = URL.parse(text)
  if (url === null) return invalid(`this is no address of Redis; ${example}`)
  if (url.hostname === '' || !text.slice(0, 16).includes('://'))
    invalid(`${shown(text)} is no address of Redis; ${example}`)
  if (!/^\/?\d*$/.test(url.pathname))
    invalid(`${shown(text)} names no database of Redis, which have numbers; ${example}`)
  return text
}

/** Whether other machines can work on it too. */
export function isShared({ kind }: StorePlace): boolean {
  return kind === 'postgres' || kind === 'redis'
}

/** Names the store, the same from every machine that calls it by the same name, and without user and password. */
export function describeStore(place: StorePlace): string {
  switch (place.kind) {
    case 'memory':
      return 'memory:'
    case 'sqlite':
      return `sqlite:${place.file}`
    case 'postgres': {
      const url = new URL(place.url)
      const database = decodeURIComponent(url.pathname.slice(1)) || decodeURIComponent(url.username)
      return `postgres://${addressOf(url, POSTGRES_PORT)}/${database}, schema ${place.schema ?? SCHEMA}`
    }
    case 'redis': {
      const url = new URL(place.url)
      const database = url.pathname.slice(1) || '0'
      return `${url.protocol}//${addressOf(url, REDIS_PORT)}/${database}, prefix ${place.prefix ?? PREFIX}`
    }
  }
}

/**
 * The addresses that no agent may name (P11): whoever reaches the store can approve in it. Names are looked up once, so
 * that the number in place of the name is known too; one that leads nowhere leads no agent there.
 */
export async function storeAddresses(place: StorePlace): Promise<string[]> {
  const found = new Set<string>()
  for (const { url, port } of urlsOf(place)) {
    const host = hostOf(url)
    // A socket is a file: see `storeFiles`.
    if (host.startsWith('/')) continue
    found.add(addressOf(url, port))
    if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) continue
    const numbers = await lookup(host, { all: true }).catch(() => [])
    for (const { address, family } of numbers)
      found.add(`${family === 6 ? `[${address}]` : address}:${portOf(url, port)}`)
  }
  return [...found]
}

/** The files on this machine by which the store is reached: the database, or a server's socket. */
export function storeFiles(place: StorePlace): string[] {
  if (place.kind === 'sqlite') return [place.file]
  return urlsOf(place)
    .filter(({ url }) => hostOf(url).startsWith('/'))
    .map(({ url, port }) => `${hostOf(url)}/.s.PGSQL.${portOf(url, port)}`)
}

/** What may be printed of an address. */
export function withoutPassword(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1…@').replace(/\?.*$/s, '?…')
}

function urlsOf(place: StorePlace): { url: URL; port: string }[] {
  if (place.kind === 'redis') return [{ url: new URL(place.url), port: REDIS_PORT }]
  if (place.kind !== 'postgres') return []
  return [...new Set([place.url, place.listenUrl ?? place.url])].map((url) => ({
    url: new URL(url),
    port: POSTGRES_PORT,
  }))
}

function addressOf(url: URL, defaultPort: string): string {
  return `${hostOf(url)}:${portOf(url, defaultPort)}`
}

function hostOf(url: URL): string {
  const host = decodeURIComponent(asked(url, 'host') ?? url.hostname)
  return host.startsWith('/') ? host : host.toLowerCase()
}

function portOf(url: URL, defaultPort: string): string {
  return asked(url, 'port') ?? (url.port || defaultPort)
}

/** As the client of Postgres takes it: before what stands in the address itself, and of several the last. Redis' takes none. */
function asked(url: URL, name: 'host' | 'port'): string | undefined {
  return url.protocol.startsWith('postgres') ? url.searchParams.getAll(name).at(-1) || undefined : undefined
}

function shown(text: string): string {
  const safe = withoutPassword(text)
  return JSON.stringify(safe.length > 200 ? `${safe.slice(0, 200)}…` : safe)
}

function invalid(message: string): never {
  throw new BanksmanError('invalid_configuration', message)
}
