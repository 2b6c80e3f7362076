/** Sends a stream of frames, cut and broken off as it is told to. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Misbehaviour } from './misbehaviour.ts'
import type { Wire } from './wire.ts'

export interface Sending {
  order: Misbehaviour | undefined
  wire: Wire
  writeBytes: number | undefined
  signal: AbortSignal
}

export async function sendFrames(
  response: ServerResponse,
  frames: string[],
  sending: Sending,
): Promise<void> {
  const { order, wire, writeBytes, signal } = sending
  const afterFrames = order !== undefined && 'afterFrames' in order ? order.afterFrames : frames.length
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  response.flushHeaders()
  for (const frame of frames.slice(0, afterFrames)) await write(response, frame, writeBytes, signal)
  switch (order?.kind) {
    case 'stall':
      return
    case 'drop':
      // What was written has to be out, or the other side sees nothing of the answer.
      await nextTurn()
      response.socket?.resetAndDestroy()
      return
    case 'error_frame':
      await write(
        response,
        wire.errorFrame(order.type ?? 'api_error', order.message ?? 'failed'),
        writeBytes,
        signal,
      )
      if (order.lingers === true) return
      break
    case 'garbage_frame':
      await write(response, 'data: {"half":\n\n', writeBytes, signal)
      for (const frame of frames.slice(afterFrames)) await write(response, frame, writeBytes, signal)
      break
  }
  response.end()
}

async function write(
  response: ServerResponse,
  frame: string,
  writeBytes: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  const bytes = Buffer.from(frame)
  const size = Math.max(1, writeBytes ?? bytes.length)
  for (let start = 0; start < bytes.length; start += size) {
    signal.throwIfAborted()
    if (!response.write(bytes.subarray(start, start + size))) await once(response, 'drain', { signal })
    // Otherwise the next bytes may go out with these.
    if (writeBytes !== undefined) await nextTurn()
  }
}
