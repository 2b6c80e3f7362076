/**
 * One exchange with the server: builds the address, sends the credential as a header and nowhere else, and turns
 * whatever comes back into a value or a `ClientError`.
 */

import { defined } from '../../core/defined.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import type { WireProblem } from '../../wire/types/answers.ts'
import { ClientError } from './client-error.ts'

/** As much of `fetch` as is used here. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>

export interface TransportOptions {
  /** Where the server is, for example `http://127.0.0.1:4790`. A path in front of `/v1` is kept. */
  url: string
  token?: string
  fetch?: Fetch
  /** In which language renderings are wanted, like `en` or `zh`. Absent: as the browser says, or English. */
  language?: string
}

export interface TransportRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Steps of the path; each is one segment, whatever characters it has. */
  path: readonly string[]
  query?: Readonly<Record<string, string | number | undefined>>
  body?: unknown
  headers?: Readonly<Record<string, string | undefined>>
  signal?: AbortSignal | undefined
}

export interface Transport {
  /** The server's address, for messages. */
  readonly url: string
  /** The answer's JSON; undefined where the server has nothing to say (204). */
  json<T>(exchange: TransportRequest): Promise<T>
  /** The answer as it comes, once the server has said yes. */
  open(exchange: TransportRequest): Promise<Response>
}

export function createTransport(options: TransportOptions): Transport {
  const base = baseOf(options.url)
  const { token, language } = options
  // Called through `globalThis`: a browser's fetch refuses to be called as a member of anything else.
  const send: Fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init))

  async function open({
    method = 'GET',
    path,
    query,
    body,
    headers,
    signal,
  }: TransportRequest): Promise<Response> {
    const url = `${base}/${path.map(segmentOf).join('/')}${queryOf(query)}`
    let response: Response
    try {
      response = await send(url, {
        method,
        headers: headersOf({
          ...headers,
          authorization: token === undefined ? undefined : `Bearer ${token}`,
          'content-type': body === undefined ? undefined : 'application/json',
          'accept-language': language,
        }),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...defined({ signal }),
        cache: 'no-store',
        credentials: 'omit',
        // A credential is for this server and not for wherever an answer points.
        redirect: 'error',
        referrerPolicy: 'no-referrer',
      })
    } catch (error) {
      throw failureOf(error, base, signal)
    }
    if (response.ok) return response
    throw await problemOf(response, base, signal)
  }

  return {
    url: base,
    open,
    async json<T>(exchange: TransportRequest): Promise<T> {
      const response = await open(exchange)
      const text = await textOf(response, base, exchange.signal)
      if (response.status === 204) return undefined as T
      const value = parse(text)
      if (value !== undefined) return value as T
      throw unexpected(response, base)
    },
  }
}

/** Turns what `fetch` or a body's reader threw into our own error; a caller's own abort stays what it is. */
export function failureOf(error: unknown, url: string, signal?: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason
  if (error instanceof ClientError) return error
  const detail = `can't reach ${url}${reasonOf(error)}. Check that \`banksman start\` is running there and that the address is right`
  return new ClientError({ code: 'unreachable', detail, cause: error })
}

function baseOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) {
    throw new TypeError(
      `url must be the server's address, like 'http://127.0.0.1:4790'; found ${JSON.stringify(url)}`,
    )
  }
  if (parsed.username !== '' || parsed.password !== '' || parsed.search !== '' || parsed.hash !== '') {
    throw new TypeError(
      'url must be an address and nothing else: no name, password, ? or #. Credentials go into `token`',
    )
  }
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}`
}

function segmentOf(step: string): string {
  // Dots alone would climb out of the path, escaped or not, and ask for something else than what was meant.
  if (typeof step !== 'string' || step === '' || step === '.' || step === '..' || !step.isWellFormed()) {
    throw new TypeError(`an id must be a text other than '', '.' and '..'; found ${JSON.stringify(step)}`)
  }
  return encodeURIComponent(step)
}

function queryOf(query: TransportRequest['query']): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  return parameters.size === 0 ? '' : `?${parameters}`
}

function headersOf(headers: Record<string, string | undefined>): Record<string, string> {
  const out: Record<string, string> = { accept: 'application/json' }
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) out[name] = value
  return out
}

async function textOf(response: Response, base: string, signal: AbortSignal | undefined): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    throw failureOf(error, base, signal)
  }
}

async function problemOf(
  response: Response,
  base: string,
  signal: AbortSignal | undefined,
): Promise<ClientError> {
  const problem = parse(await textOf(response, base, signal))
  if (!isProblem(problem)) return unexpected(response, base)
  const { code, detail, title } = problem
  const words = [detail, title].find((text) => typeof text === 'string') ?? code
  return new ClientError({ code, detail: words, status: response.status, problem })
}

function unexpected(response: Response, base: string): ClientError {
  const kind = response.headers.get('content-type') ?? 'no content type'
  const detail = `${base} answered ${response.status} with ${kind}, which is not how Banksman answers. Check that the address is that of a Banksman server and that nothing in between answers for it`
  return new ClientError({ code: 'unexpected_answer', detail, status: response.status })
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function isProblem(value: unknown): value is WireProblem {
  return typeof value === 'object' && value !== null && typeof (value as { code?: unknown }).code === 'string'
}

/** Node puts the reason in `cause`, with a code; browsers tell nothing. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const code = typeof cause === 'object' && cause !== null ? (cause as { code?: unknown }).code : undefined
  if (typeof code === 'string') return ` (${code})`
  return error instanceof Error && error.message !== '' ? ` (${error.message})` : ''
}
