/**
 * `fetch_url`: reads a page or a file by http or https. The name is looked up once, every address that it has is judged, and
 * only these are connected to, so that a name can't be one thing when it is judged and another when it is used. A redirect to
 * another place is told and not followed: it would be a call that nobody has judged.
 */
import { lookup as systemLookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { z } from 'zod'
import { makeVisible } from '../../../../display/text/visible.ts'
import { defineTool, type Tool, ToolError, type ToolOutcome } from '../../tool.ts'
import {
  type AddressRules,
  bareHost,
  compileAddressRules,
  isOwnAddress,
  parseOwnAddress,
  portOf,
} from './address-rules.ts'
import { MAX_FETCH_BYTES, readResponse } from './read-response.ts'
import { type HttpResponse, requestOnce } from './request-once.ts'

export interface FetchUrlOptions {
  /** Hosts, addresses or networks that may be reached although they are not public. */
  allow?: readonly string[]
  /** The server's own addresses, as host:port. They are never reached. */
  own: () => readonly string[]
  /** The host's resolver. */
  lookup?: (host: string) => Promise<readonly { address: string }[]>
}

const DEFAULT_BYTES = 512 * 1024
const TIME_LIMIT_MS = 30_000
const MAX_REDIRECTS = 5

const headerValue = z
  .string()
  .max(1000)
  .regex(/^[\x20-\x7e]*$/)
  .optional()

const fetchUrlSchema = z.strictObject({
  url: z.string().min(1).max(8192).describe('Beginning with http:// or https://'),
  method: z.enum(['GET', 'HEAD']).optional().describe('GET without it.'),
  headers: z
    .strictObject({
      accept: headerValue,
      'accept-language': headerValue,
      'if-none-match': headerValue,
      'if-modified-since': headerValue,
      'user-agent': headerValue,
    })
    .optional(),
  maxBytes: z.int().min(1).max(MAX_FETCH_BYTES).optional().describe('How much to read: 524288 without it.'),
})

export function createFetchUrl({ allow = [], own, lookup = lookupAll }: FetchUrlOptions): Tool {
  const rules = compileAddressRules(allow)
  return defineTool({
    name: 'fetch_url',
    description:
      'Reads what is at an http or https address: text as it is sent (HTML is not turned into anything else), or a picture. ' +
      'Addresses of this machine and of private networks are refused unless they are listed. A redirect to another host is not followed: make a new call with the address that is given. ' +
      'At most 30 seconds and, without maxBytes, 512 KiB.',
    schema: fetchUrlSchema,
    annotations: { readOnlyHint: true, openWorldHint: true },
    async run({ url: text, method = 'GET', headers = {}, maxBytes = DEFAULT_BYTES }, context) {
      const signal = AbortSignal.any([context.signal, AbortSignal.timeout(TIME_LIMIT_MS)])
      const sent = Object.entries(headers).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      )
      let url = readUrl(text)
      try {
        const addresses = await addressesOf(url, rules, own(), lookup, signal)
        for (let redirects = 0; ; redirects++) {
          const answer = await requestOnce(url, {
            method,
            headers: Object.fromEntries(sent),
            addresses,
            signal,
          })
          try {
            const next = redirectOf(answer, url)
            if (next === undefined) return await readResponse(answer, { url, method, maxBytes, context })
            if (next.origin !== url.origin) return elsewhere(answer.status, next)
            if (redirects === MAX_REDIRECTS) {
              throw new ToolError(
                `${url.host} redirects more than ${MAX_REDIRECTS} times; the last is to ${shown(next.href)}`,
              )
            }
            url = next
          } finally {
            answer.close()
          }
        }
      } catch (error) {
        if (error instanceof ToolError || context.signal.aborted) throw error
        if (signal.aborted)
          throw new ToolError(`${url.host} did not answer in full within ${TIME_LIMIT_MS / 1000} s`)
        throw new ToolError(`${shown(url.host)}: ${wordsFor(error)}`, { cause: error })
      }
    },
  })
}

async function lookupAll(host: string): Promise<{ address: string }[]> {
  return systemLookup(host, { all: true, order: 'verbatim' })
}

/** What other programs would read differently is refused, as the policy does. */
function readUrl(text: string): URL {
  const isPlain = /^https?:\/\/[^/?#]/i.test(text) && !/[\x00-\x20\x7f-\x9f\\\u2028\u2029]/.test(text)
  const url = isPlain ? URL.parse(text) : null
  if (url === null) {
    throw new ToolError(`${shown(text)} is no address that can be read; write http://… or https://…`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new ToolError('an address with a user name or a password in it is not used')
  }
  if (url.port === '0') throw new ToolError('there is no port 0')
  return url
}

/** All of them are judged: which one is taken in the end is up to the system. */
async function addressesOf(
  url: URL,
  rules: AddressRules,
  own: readonly string[],
  lookup: NonNullable<FetchUrlOptions['lookup']>,
  signal: AbortSignal,
): Promise<string[]> {
  const host = bareHost(url)
  const port = portOf(url)
  const find = async (name: string) =>
    isIP(name) > 0 ? [name] : (await orAborted(lookup(name), signal)).map(({ address }) => address)
  const addresses = await find(host)
  if (addresses.length === 0) throw new ToolError(`${host} has no address`)
  const ours = await Promise.all(
    own
      .map(parseOwnAddress)
      .filter((one) => one.port === port)
      .map(async (one) => ({ ...one, addresses: await find(one.host).catch(() => []) })),
  )
  for (const address of addresses) {
    if (isIP(address) === 0) throw new ToolError(`${host} has an address that is none`)
    const destination = { host, port, address }
    if (isOwnAddress(destination, ours)) {
      throw new ToolError(`${url.host} is Banksman’s own address, which no tool reaches`)
    }
    const because = rules.refusal(destination)
    if (because !== undefined) throw new ToolError(`${url.host} is not fetched: ${because}`)
  }
  return addresses
}

async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

function redirectOf({ status, headers }: HttpResponse, from: URL): URL | undefined {
  if (!REDIRECTS.has(status) || headers.location === undefined) return undefined
  const next = URL.parse(headers.location, from.href)
  if (next === null)
    throw new ToolError(`${from.host} redirects to ${shown(headers.location)}, which is no address`)
  // The place may be another scheme's, which is told like any other; what is followed is read like what was asked for.
  return next.origin === from.origin ? readUrl(next.href) : next
}

function elsewhere(status: number, next: URL): ToolOutcome {
  return {
    text: `HTTP ${status}: redirected to ${shown(next.href)}\nThat is another host, port or scheme, and was not fetched. If you want it, make a new call with that address.`,
  }
}

function shown(text: string): string {
  return makeVisible(text.length > 2000 ? `${text.slice(0, 2000).toWellFormed()}…` : text).text
}

function wordsFor(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOTFOUND' || code === 'ENODATA') return 'the name is not known'
  if (code === 'EAI_AGAIN') return 'the name could not be looked up'
  if (code === 'ECONNREFUSED') return 'nothing answers there'
  return message || code || 'it could not be fetched'
}
