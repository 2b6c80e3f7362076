/**
 * The long connection: a WebSocket that we open, so that no address of ours has to be known. One process has it, by a lease. The
 * service says where to connect after it has checked the app's secret; what comes over the connection is not signed, and is as
 * good as the TLS that it comes over. An event is acknowledged after it was handled, and else sent again by the service.
 *
 * After a connection has ended, or couldn't be made, another is tried: after a second, then less and less often. A first failure
 * is reported, and those that follow it are not.
 */
import type { JsonObject } from '../../../core/json/json.ts'
import { ChatFault, type ChatHost } from '../contract.ts'
import type { FeishuApi } from './api.ts'
import { createFragments } from './fragments.ts'
import { CONTROL, DATA, decodeFrame, encodeFrame, type FeishuFrame, headerOf } from './frame.ts'
import { objectIn, parseObject, textIn } from './members.ts'
import { pause } from './pause.ts'

export interface LongConnectionParts {
  api: Pick<FeishuApi, 'url' | 'callWithSecret'>
  host: Pick<ChatHost, 'receiving' | 'clock' | 'report' | 'connected'>
  /** What is replied to an event. Rejects where it is to be sent again. */
  handle(body: JsonObject): Promise<JsonObject>
}

export interface LongConnection {
  close(): Promise<void>
}

interface Endpoint {
  url: string
  service: number
  pingEveryMs: number
}

const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 60_000
const HANDSHAKE_MS = 15_000
const MAX_FRAME_BYTES = 1024 * 1024
const PING_EVERY_S = 120
const MAX_PING_S = 600
/** A connection on which nothing came for so many pings is dead. */
const SILENT_PINGS = 3
const DOING = 'receiving from feishu'

export function startLongConnection({ api, host, handle }: LongConnectionParts): LongConnection {
  const { clock, report } = host
  const closing = new AbortController()
  const underWay = new Set<Promise<void>>()
  const running = run().catch((error) => report({ doing: DOING, error }))

  async function run(): Promise<void> {
    for (;;) {
      const turn = await host.receiving.next()
      if (turn === undefined || closing.signal.aborted) return
      await connectUntil(AbortSignal.any([turn, closing.signal]))
    }
  }

  async function connectUntil(over: AbortSignal): Promise<void> {
    let failures = 0
    while (!over.aborted) {
      try {
        await stayConnected(await askEndpoint(api, over), over, () => {
          failures = 0
        })
      } catch (error) {
        if (over.aborted) return
        if (failures++ === 0) report({ doing: DOING, error })
      }
      const waitMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(Math.max(0, failures - 1), 10), MAX_RETRY_MS)
      await pause(clock, waitMs, over)
    }
  }

  /** Resolves when the connection has ended, and rejects where it never was. */
  function stayConnected(
    { url, service, ...endpoint }: Endpoint,
    over: AbortSignal,
    onFrame: () => void,
  ): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const socket = new WebSocket(url)
    socket.binaryType = 'arraybuffer'
    const fragments = createFragments()
    let { pingEveryMs } = endpoint
    let silent = 0
    let timer = clock.after(HANDSHAKE_MS, fail)

    /** Nobody waits for the other side to say goodbye: it may be dead. */
    function end(): void {
      socket.close()
      resolve()
    }

    // The address has a ticket in it, and errors may have the address: they are not passed on.
    function fail(): void {
      reject(new ChatFault({ kind: 'retry' }, "feishu: the long connection can't be made or kept"))
      socket.close()
    }

    function ping(): void {
      if (++silent > SILENT_PINGS) {
        end()
        return
      }
      socket.send(
        encodeFrame({ sequence: 0n, log: 0n, service, method: CONTROL, headers: [['type', 'ping']] }),
      )
      timer = clock.after(pingEveryMs, ping)
    }

    over.addEventListener('abort', end)
    socket.addEventListener('open', () => {
      timer.cancel()
      timer = clock.after(pingEveryMs, ping)
      host.connected?.()
    })
    socket.addEventListener('message', ({ data }) => {
      silent = 0
      const frame = readFrame(data)
      if (frame === undefined) return
      onFrame()
      // The answer to a ping may ask for another pace.
      if (frame.method === CONTROL) pingEveryMs = pingPause(parseObject(textOf(frame.payload))) ?? pingEveryMs
      const payload = isEvent(frame) ? fragments.add(frame, clock.now()) : undefined
      if (payload === undefined) return
      const work = answer(socket, frame, payload).finally(() => underWay.delete(work))
      underWay.add(work)
    })
    socket.addEventListener('error', fail)
    socket.addEventListener('close', end)
    if (over.aborted) end()
    return promise.finally(() => {
      timer.cancel()
      over.removeEventListener('abort', end)
    })
  }

  async function answer(socket: WebSocket, frame: FeishuFrame, payload: Uint8Array): Promise<void> {
    const since = clock.now()
    const acknowledge = (said: JsonObject) => {
      const headers = [...frame.headers, ['biz_rt', String(clock.now() - since)] as const]
      const acknowledgement = { ...frame, headers, payload: Buffer.from(JSON.stringify(said)) }
      // Where the connection has ended meanwhile, it comes again over the next one.
      if (socket.readyState === WebSocket.OPEN) socket.send(encodeFrame(acknowledgement))
    }
    try {
      const body = parseObject(textOf(payload))
      const reply = body === undefined ? {} : await handle(body)
      acknowledge({ code: 200, data: Buffer.from(JSON.stringify(reply)).toString('base64') })
    } catch (error) {
      report({ doing: 'handling an event of feishu', error })
      acknowledge({ code: 500 })
    }
  }

  return {
    async close() {
      closing.abort()
      await running
      await Promise.all(underWay)
    },
  }
}

/** Where to connect, which is told only to who has the app's secret. */
export async function askEndpoint(api: LongConnectionParts['api'], signal?: AbortSignal): Promise<Endpoint> {
  const names = { id: 'AppID', secret: 'AppSecret' }
  const { data } = await api.callWithSecret('/callback/ws/endpoint', names, signal)
  const url = textIn(objectIn(data)?.URL)
  if (url === undefined || !isSafe(url, api.url))
    throw new ChatFault({ kind: 'retry' }, 'feishu: the service named no address for the long connection')
  const pingEveryMs = pingPause(objectIn(objectIn(data)?.ClientConfig)) ?? PING_EVERY_S * 1000
  const service = Number(new URL(url).searchParams.get('service_id'))
  return { url, service: Number.isSafeInteger(service) ? service : 0, pingEveryMs }
}

function pingPause(config: JsonObject | undefined): number | undefined {
  const seconds = Number(config?.PingInterval)
  return seconds >= 1 && seconds <= MAX_PING_S ? seconds * 1000 : undefined
}

function textOf(payload: Uint8Array | undefined): string {
  return payload === undefined ? '' : Buffer.from(payload).toString('utf8')
}

/** Without TLS, anybody on the way could click. Only a service that we call without TLS ourselves may name such an address. */
function isSafe(url: string, api: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol } = new URL(url)
  return protocol === 'wss:' || (protocol === 'ws:' && new URL(api).protocol === 'http:')
}

function isEvent(frame: FeishuFrame): boolean {
  return frame.method === DATA && headerOf(frame, 'type') === 'event'
}

function readFrame(data: unknown): FeishuFrame | undefined {
  if (!(data instanceof ArrayBuffer) || data.byteLength > MAX_FRAME_BYTES) return undefined
  try {
    return decodeFrame(new Uint8Array(data))
  } catch {
    return undefined
  }
}
