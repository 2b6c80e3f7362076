/**
 * The hook's side of JSON-RPC 2.0: requests in, one reply to each, in the order in which they are ready. What `handle`
 * throws is answered as an error, so that the host knows at once and need not wait.
 */
import { parseJson } from '../../../core/json/parse-json.ts'
import { createLineReader } from '../process/line-reader.ts'
import { createLineWriter, type Outlet } from '../process/line-writer.ts'
import type { ReadInput } from './read-input.ts'

export interface RpcServer {
  read: ReadInput
  output: Outlet
  /** For a notification what comes back is of no use. */
  handle(method: string, params: unknown): unknown
  /** The host has closed the input; what it has asked is still answered. */
  onEnd(): void
  /** What can't be answered, since nobody asked. */
  complain(about: string): void
}

/** Thrown by `handle`: becomes the error's code. */
export class RpcFault extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'RpcFault'
    this.code = code
  }
}

/** Resolves when the input has ended and all is answered. */
export async function serveRpc({ read, output, handle, onEnd, complain }: RpcServer): Promise<void> {
  const writer = createLineWriter(output, Number.POSITIVE_INFINITY)
  const unanswered = new Set<Promise<void>>()

  function answer(id: unknown, result: unknown): void {
    const line = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${JSON.stringify(result ?? {})}}`
    const isTooLong = line.length * 3 > MAX_REPLY_BYTES && Buffer.byteLength(line) > MAX_REPLY_BYTES
    if (isTooLong) refuse(id, new Error(`the answer is over the ${MAX_REPLY_BYTES} bytes that a host takes`))
    else writer.write(line)
  }

  function refuse(id: unknown, error: unknown): void {
    const code = error instanceof RpcFault ? error.code : SERVER_ERROR
    const body = JSON.stringify({ code, message: messageOf(error).slice(0, MAX_MESSAGE_LENGTH) })
    writer.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${body}}`)
  }

  function serve(request: RpcRequest): void {
    try {
      const result = handle(request.method, request.params)
      if (isThenable(result)) later(request, result)
      else if (isAsked(request)) answer(request.id, result)
    } catch (error) {
      fail(request, error)
    }
  }

  function later(request: RpcRequest, result: PromiseLike<unknown>): void {
    const settled: Promise<void> = Promise.resolve(result)
      .then((value) => {
        if (isAsked(request)) answer(request.id, value)
      })
      .catch((error: unknown) => fail(request, error))
      .then(() => void unanswered.delete(settled))
    unanswered.add(settled)
  }

  function fail(request: RpcRequest, error: unknown): void {
    if (isAsked(request)) refuse(request.id, error)
    else complain(`${request.method}: ${messageOf(error)}`)
  }

  const reader = createLineReader(MAX_REQUEST_BYTES, {
    line(text) {
      const request = readRequest(text)
      if (request !== undefined) serve(request)
      else if (text.trim() !== '') complain(`a line of the host is no request: ${text.slice(0, 200)}`)
    },
    tooLong: ({ bytes }) =>
      complain(`a line of the host has ${bytes} bytes, and ${MAX_REQUEST_BYTES} are the limit`),
  })
  await read((chunk) => reader.push(chunk))
  onEnd()
  await Promise.all(unanswered)
}

const SERVER_ERROR = -32000
const MAX_MESSAGE_LENGTH = 4096
const MAX_REPLY_BYTES = 1024 * 1024
/** A whole conversation with pictures in it, and some. */
const MAX_REQUEST_BYTES = 256 * 1024 * 1024

interface RpcRequest {
  id?: unknown
  method: string
  params?: unknown
}

function readRequest(text: string): RpcRequest | undefined {
  try {
    const message = parseJson<RpcRequest | null>(text)
    return typeof message?.method === 'string' ? message : undefined
  } catch {
    return undefined
  }
}

/** Else it is a notification, and nobody waits for a reply. */
function isAsked({ id }: RpcRequest): boolean {
  return id !== undefined && id !== null
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | undefined | null)?.then === 'function'
}
