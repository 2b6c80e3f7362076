/** Messages of our own, as lines. An id is put in as it came. */
import type { MessageId } from './message-id.ts'

/** Free for servers in every revision. */
export const NOT_ALLOWED = -32003
export const INTERNAL_ERROR = -32603

export interface ToolAnswer {
  /** What the model reads. */
  text: string
  /** The request that stands behind it. */
  requestId?: string | undefined
  /** Since 2026-07-28 each result has to say what it is. */
  isModern: boolean
  /** Whoever wants a task takes any other result for a broken one. */
  wantsTask: boolean
}

/**
 * A call that did not run. Clients that know the tool's output schema take anything but an error without `structuredContent` for a broken
 * answer, so it is one, also where nobody has said no.
 */
export function notRun(id: MessageId, { text, requestId, isModern, wantsTask }: ToolAnswer): Buffer {
  if (wantsTask) return errorLine(id, NOT_ALLOWED, text)
  return resultLine(id, {
    ...(isModern ? { resultType: 'complete' } : {}),
    content: [{ type: 'text', text: text.toWellFormed() }],
    isError: true,
    ...(requestId === undefined ? {} : { _meta: { 'banksman/request': requestId } }),
  })
}

export function resultLine(id: MessageId, result: unknown): Buffer {
  return lineWithId(id, `"result":${JSON.stringify(result)}`)
}

export function errorLine(id: MessageId | undefined, code: number, message: string): Buffer {
  const error = `"error":${JSON.stringify({ code, message: message.toWellFormed() })}`
  return lineWithId(id ?? { source: 'null', key: '' }, error)
}

export function progressLine(tokenSource: string, progress: number, message: string): Buffer {
  return Buffer.concat([
    Buffer.from('{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":'),
    Buffer.from(tokenSource, 'latin1'),
    Buffer.from(`,"progress":${progress},"message":${JSON.stringify(message)}}}\n`),
  ])
}

/** We no longer want to know what we asked. */
export function cancelledLine({ source }: MessageId, reason: string): Buffer {
  return Buffer.concat([
    Buffer.from('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":'),
    Buffer.from(source, 'latin1'),
    Buffer.from(`,"reason":${JSON.stringify(reason)}}}\n`),
  ])
}

export function requestLine(id: MessageId, method: string, params: object): Buffer {
  return lineWithId(id, `"method":${JSON.stringify(method)},"params":${JSON.stringify(params)}`)
}

function lineWithId({ source }: MessageId, rest: string): Buffer {
  return Buffer.concat([
    Buffer.from('{"jsonrpc":"2.0","id":'),
    Buffer.from(source, 'latin1'),
    Buffer.from(`,${rest}}\n`),
  ])
}
