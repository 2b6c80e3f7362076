/** Answers with a stream of events: takes a place for it, and lets go of everything when it is over, however it ends. */
import { BanksmanError } from '../../core/errors.ts'
import type { Caller } from '../access/authentication.ts'
import type { HttpContext } from '../connection/http-context.ts'
import type { LiveConnectionParts } from '../connection/live-connection.ts'
import { createEventStream, type StreamedEvent } from './event-stream.ts'

export async function answerEvents(
  { report, clock, connections, settings }: LiveConnectionParts,
  c: HttpContext,
  caller: Caller,
  /** What it throws is still told as a problem: nothing has been answered yet. The signal aborts when the stream is over. */
  open: (over: AbortSignal) => Promise<AsyncGenerator<StreamedEvent, void>>,
): Promise<Response> {
  if (c.req.method !== 'GET')
    throw new BanksmanError('method_not_allowed', `${c.req.path} is read by GET`, { allow: ['GET'] })
  const over = new AbortController()
  const place =
    c.env?.isCarried === true ? undefined : connections.enter(caller.token, settings.connectionsPerToken)
  const validity = caller.follow()
  const onEnd = () => {
    place?.leave()
    validity.release()
    over.abort()
  }
  try {
    const stream = createEventStream({
      events: await open(over.signal),
      clock,
      keepAliveMs: settings.keepAliveMs,
      stillHolds: caller.stillHolds,
      revoked: validity.over,
      closing: c.env?.closing,
      onEnd,
      onFault: (error) => report?.({ doing: 'sending events', error }),
    })
    return c.body(stream, 200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
  } catch (error) {
    onEnd()
    throw error
  }
}
