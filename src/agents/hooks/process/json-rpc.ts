/**
 * Our side of JSON-RPC 2.0 with a hook: calls with ids from 1 up, each known before it is written, replies in any order.
 *
 * What a hook may send that is no reply is passed over and complained of, and the calls go on waiting: lines that are not
 * JSON (a stray print), messages without an id, with `null` or with a text for one, requests and notifications of the
 * hook's own, replies to calls that nobody waits for any more, second replies. What is meant as a reply to a call that waits
 * and can't be read as one fails that call: a line over the limit, JSON with the same key twice.
 *
 * A line over the limit names its call where the id is among the first 4 KiB or is the last member; otherwise it is passed
 * over, and the call that it was meant for fails at its own time limit.
 */

import { isBanksmanError } from '../../../core/errors.ts'
import { parseJson } from '../../../core/json/parse-json.ts'
import { parseStrictJson } from '../../../core/json/strict-json.ts'
import { makeVisible } from '../../../display/text/visible.ts'
import { HookTimeout } from '../chain/hook-failure.ts'
import { createLineReader, type LongLine } from './line-reader.ts'
import type { LineWriter } from './line-writer.ts'
import { readReplyId } from './reply-id.ts'

export interface RpcClient {
  /** Rejects, in words, also when the hook answers with an error. */
  call(method: string, params: unknown, signal?: AbortSignal): Promise<unknown>
  /** False when it was dropped because the hook does not read. */
  notify(method: string, params: unknown): boolean
  receive(chunk: Buffer): void
  /** Fails what waits and whatever comes later. */
  end(because: string): void
}

/** As the programs that exist expect it. */
const MAX_REPLY_BYTES = 1024 * 1024

interface WaitingReply {
  method: string
  resolve(result: unknown): void
  reject(error: Error): void
  signal: AbortSignal | undefined
  onAbort: (() => void) | undefined
  /** What came meanwhile and was no reply: perhaps it was meant as one, and badly written. */
  lastBadLine: string | undefined
}

/** `complain` hears of each line that was no reply, with its length. */
export function createRpcClient(
  writer: LineWriter,
  complain: (about: string, bytes: number) => void,
): RpcClient {
  const waiting = new Map<number, WaitingReply>()
  let lastId = 0
  let ended: string | undefined

  function take(id: number): WaitingReply | undefined {
    const call = waiting.get(id)
    if (call === undefined) return undefined
    waiting.delete(id)
    if (call.onAbort !== undefined) call.signal!.removeEventListener('abort', call.onAbort)
    return call
  }

  function giveUp(id: number, signal: AbortSignal): void {
    const call = take(id)
    call?.reject(abortError(call.method, signal, call.lastBadLine))
  }

  const reader = createLineReader(MAX_REPLY_BYTES, {
    line(text) {
      if (text === '' || text === '\r') return
      const message = parseMessage(text)
      if (message === undefined) {
        const badLine = `a line that is no JSON object: ${preview(text, 100)}`
        for (const call of waiting.values()) call.lastBadLine = badLine
        return complain(`a line that is not a JSON object: ${preview(text)}`, text.length)
      }
      if (message.kind === 'twisted') {
        const call = idOf(message.value)
        const twisted = call === undefined ? undefined : take(call)
        if (twisted === undefined)
          return complain(`a line that is not plain JSON: ${message.because}`, text.length)
        return twisted.reject(new Error(`its reply is not plain JSON: ${message.because}`))
      }
      const { value } = message
      if (Object.hasOwn(value, 'method'))
        return complain(`a message of its own: ${preview(text)}`, text.length)
      const id = idOf(value)
      const call = id === undefined ? undefined : take(id)
      if (call === undefined) {
        const meant = waiting.get(Number(value.id))
        if (typeof value.id === 'string' && meant !== undefined)
          meant.lastBadLine = `a reply with the id ${JSON.stringify(value.id)}, a text: ${preview(text, 100)}`
        return complain(`a reply that no call waits for: ${preview(text)}`, text.length)
      }
      if (value.error !== undefined && value.error !== null) call.reject(errorOf(value.error))
      else call.resolve(value.result)
    },
    tooLong(line) {
      const id = readReplyId(line)
      const call = id === undefined ? undefined : take(id)
      const about = describeLong(line)
      if (call === undefined) complain(about, line.bytes)
      else call.reject(new Error(`its reply is ${about}`))
    },
  })

  return {
    call(method, params, signal) {
      return new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(new Error(ended))
        if (signal?.aborted) return reject(abortError(method, signal))
        if (writer.isFull()) return reject(new Error('it does not read: too much waits to be written to it'))
        const id = ++lastId
        const line = `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${JSON.stringify(params)}}`
        const onAbort = signal === undefined ? undefined : () => giveUp(id, signal)
        waiting.set(id, { method, resolve, reject, signal, onAbort, lastBadLine: undefined })
        if (onAbort !== undefined) signal!.addEventListener('abort', onAbort)
        writer.write(line)
      })
    },
    notify(method, params) {
      if (ended !== undefined || writer.isFull()) return false
      writer.write(`{"jsonrpc":"2.0","method":"${method}","params":${JSON.stringify(params)}}`)
      return true
    },
    receive: (chunk) => reader.push(chunk),
    end(because) {
      ended ??= because
      for (const id of [...waiting.keys()]) take(id)?.reject(new Error(because))
    },
  }
}

type Message =
  | { kind: 'plain'; value: Record<string, unknown> }
  /** `JSON.parse` takes it, but not as everyone would. */
  | { kind: 'twisted'; value: Record<string, unknown>; because: string }

function parseMessage(text: string): Message | undefined {
  // A flood of prints is told apart by its first character and costs no exception.
  const first = text.charCodeAt(0)
  if (first !== 0x7b && first !== 0x20 && first !== 0x09) return undefined
  try {
    const value = parseStrictJson(text)
    return isObject(value) ? { kind: 'plain', value } : undefined
  } catch (error) {
    try {
      const value: unknown = parseJson(text)
      if (!isObject(value)) return undefined
      return { kind: 'twisted', value, because: isBanksmanError(error) ? error.message : String(error) }
    } catch {
      return undefined
    }
  }
}

function idOf({ id }: Record<string, unknown>): number | undefined {
  return typeof id === 'number' ? id : undefined
}

function errorOf(error: unknown): Error {
  const message = isObject(error) ? error.message : undefined
  const text = typeof message === 'string' && message !== '' ? message : JSON.stringify(error)
  return new Error(`it answered with an error: ${preview(text)}`)
}

function abortError(method: string, signal: AbortSignal, badLine?: string): Error {
  const reason: unknown = signal.reason
  const written = badLine === undefined ? undefined : `it had written ${makeVisible(badLine).text}`
  if (written !== undefined && reason instanceof HookTimeout) reason.remark(written)
  const isTimeout =
    reason instanceof HookTimeout || (reason instanceof Error && reason.name === 'TimeoutError')
  const late = `it did not answer ${method} in time${written === undefined ? '' : `; ${written}`}`
  return new Error(isTimeout ? late : `the wait for ${method} was given up`, { cause: reason })
}

function describeLong({ bytes, head }: LongLine): string {
  return `a line of ${bytes} bytes, where ${MAX_REPLY_BYTES} are allowed: ${preview(head)}`
}

function preview(text: string, length = 200): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
