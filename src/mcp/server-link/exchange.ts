/**
 * One exchange with the Banksman server over `node:http`. Node's own `fetch` takes a tenth of a second to load, and can't speak to a Unix
 * socket. Connections are kept, so that a call costs one way there and back.
 */

import { Agent, type RequestOptions, request } from 'node:http'
import { ClientError } from '../../client/transport/client-error.ts'
import type { Transport, TransportRequest } from '../../client/transport/transport.ts'
import { messageOf } from '../../core/errors.ts'
import { parseJson } from '../../core/json/parse-json.ts'

/** Where the server is now. `name` is for messages. */
export type LinkPlace = { name: string } & (
  | { socketPath: string }
  | { protocol: 'http:' | 'https:'; hostname: string; port: string; base: string }
)

export interface ExchangePorts {
  /** Looked up again whenever it could not be reached. Throws a `ClientError` where there is none. */
  place(): LinkPlace
  token(): Promise<string>
}

/** As much of the client's transport as a guard needs. */
export type JsonTransport = Pick<Transport, 'url' | 'json'>

const MAX_ANSWER_BYTES = 16 * 1024 * 1024

export function createExchange({ place, token }: ExchangePorts): JsonTransport {
  const agent = new Agent({ keepAlive: true, maxSockets: 1024 })
  let found: LinkPlace | undefined

  async function send(exchange: TransportRequest): Promise<{ status: number; text: string }> {
    found ??= place()
    const secret = await token()
    const { options, start } = await requestTo(found, exchange, agent)
    const body = exchange.body === undefined ? undefined : Buffer.from(JSON.stringify(exchange.body))
    const { signal } = exchange
    return new Promise((resolve, reject) => {
      const failed = (error: unknown) => {
        const { name } = found ?? { name: 'the server' }
        found = undefined
        reject(
          signal?.aborted
            ? signal.reason
            : new ClientError({
                code: 'unreachable',
                detail: `can't reach the Banksman server at ${name} (${messageOf(error)}). Start it with: banksman start`,
                cause: error,
              }),
        )
      }
      const sent = start(
        {
          ...options,
          method: exchange.method ?? 'GET',
          headers: {
            ...options.headers,
            accept: 'application/json',
            authorization: `Bearer ${secret}`,
            ...(body === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': body.byteLength }),
          },
          ...(signal === undefined ? {} : { signal }),
        },
        (response) => {
          const chunks: Buffer[] = []
          let size = 0
          response.on('data', (chunk: Buffer) => {
            size += chunk.length
            if (size > MAX_ANSWER_BYTES) response.destroy(new Error('its answer is too long'))
            else chunks.push(chunk)
          })
          response.on('error', failed)
          response.on('end', () => {
            if (!response.complete) return failed(new Error('its answer was cut off'))
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') })
          })
        },
      )
      sent.on('error', failed)
      sent.end(body)
    })
  }

  return {
    get url() {
      return found?.name ?? 'the Banksman server'
    },
    async json<T>(exchange: TransportRequest): Promise<T> {
      const { status, text } = await send(exchange)
      if (status === 204) return undefined as T
      const value = parsed(text)
      if (status === 200 && value !== undefined) return value as T
      const { code, detail, title } = (value ?? {}) as { code?: unknown; detail?: unknown; title?: unknown }
      const words = [detail, title].find((one) => typeof one === 'string') as string | undefined
      if (typeof code === 'string') throw new ClientError({ code, detail: words ?? code, status })
      const where = found?.name ?? 'the server'
      throw new ClientError({
        code: 'unexpected_answer',
        detail: `${where} answered ${status} in a way that isn't Banksman's`,
        status,
      })
    },
  }
}

async function requestTo(
  place: LinkPlace,
  { path, query = {} }: TransportRequest,
  agent: Agent,
): Promise<{ options: RequestOptions; start: typeof request }> {
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
  )
  const target = `/${path.map(encodeURIComponent).join('/')}${parameters.size === 0 ? '' : `?${parameters}`}`
  if ('socketPath' in place)
    return {
      options: { socketPath: place.socketPath, path: target, agent, headers: { host: 'banksman' } },
      start: request,
    }
  const { protocol, hostname, port, base } = place
  const options = { hostname, port, path: `${base}${target}` }
  if (protocol === 'http:') return { options: { ...options, agent }, start: request }
  const https = await import('node:https')
  return { options, start: https.request as typeof request }
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
