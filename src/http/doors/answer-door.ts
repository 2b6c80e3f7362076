/** What all doors share: what a channel is told of a request, and how its answer is sent. */

import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { BanksmanError, isBanksmanError } from '../../core/errors.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { Validity } from '../../gateway/access/token-validity.ts'
import type { DoorAnswer, DoorCaller, DoorRequest, PublicDoor, SignedDoor } from '../../people/door.ts'
import { credentialNotValid, type FollowedCaller } from '../access/authentication.ts'
import { localeOf } from '../access/locale.ts'
import { every } from '../connection/every.ts'
import type { HttpContext } from '../connection/http-context.ts'
import type { LiveConnectionParts } from '../connection/live-connection.ts'
import { anyOf } from '../connection/long-poll.ts'
import type { RouteAnswer } from '../routes/route.ts'
import { createDoorStream } from './door-stream.ts'

export const DOOR_ANSWERS: readonly RouteAnswer[] = [
  { status: 200, description: 'As the protocol of this channel has it.' },
]

/** GET is tried for HEAD too, and a stream that a channel begins would have no reader. */
export function checkMethod(c: HttpContext, method: string, path: string): void {
  if (c.req.method === method) return
  throw new BanksmanError('method_not_allowed', `${path} takes ${method}`, { allow: [method] })
}

/** A place at a door that takes no credential. No token has such an id, and nor does another door, also one at the same path. */
export function doorPlace(
  { connections }: LiveConnectionParts,
  { kind, path, places }: SignedDoor | PublicDoor,
): { leave(): void } {
  return connections.enter(
    `door:${kind}:${path}`,
    places,
    reasonOf('problem.door-busy', { path, count: places }),
  )
}

export function doorRequestOf(c: HttpContext, signal: AbortSignal): DoorRequest {
  return {
    step: (name) => c.req.param(name) ?? '',
    query: (name) => c.req.query(name),
    header: (name) => c.req.header(name),
    signal,
    locale: localeOf(c.req.header('accept-language')),
    host: c.req.header('host') ?? '',
  }
}

/** Has the channel answer, and sends that. `onEnd` is called once, when all of it is sent or has failed. */
export async function sendAnswer(
  live: LiveConnectionParts,
  c: HttpContext,
  { caller, onEnd }: { caller?: FollowedCaller; onEnd: () => void },
  answer: (signal: AbortSignal) => Promise<DoorAnswer>,
): Promise<Response> {
  const over = new AbortController()
  const validity = caller?.follow()
  const { signal, release } = anyOf([c.req.raw.signal, c.env?.closing, over.signal, validity?.over])
  const end = () => {
    onEnd()
    validity?.release()
    over.abort()
    release()
  }
  try {
    const answered = await answer(signal)
    if (answered.kind === 'stream') {
      return c.body(openStream(answered.body, live, { caller, validity }, end), 200, {
        'x-accel-buffering': 'no',
        // Said here, it keeps the server from reading ahead to see whether it could announce a length.
        'transfer-encoding': 'chunked',
        ...answered.headers,
      })
    }
    end()
    return toResponse(c, answered)
  } catch (error) {
    const hasGone = signal.aborted && !isBanksmanError(error)
    const isRevoked = validity?.over.aborted === true
    end()
    if (isRevoked) throw credentialNotValid()
    // The client doesn't hear it, and it is no fault of ours.
    if (hasGone) throw new BanksmanError('cancelled', 'the request is over', {}, { cause: error })
    throw error
  }
}

function toResponse(c: HttpContext, answer: Exclude<DoorAnswer, { kind: 'stream' }>): Response {
  switch (answer.kind) {
    case 'json':
      return c.json(answer.body, answer.status as ContentfulStatusCode, answer.headers)
    case 'text':
      return c.body(answer.body, answer.status as ContentfulStatusCode, {
        'content-type': 'text/plain; charset=utf-8',
      })
    case 'empty':
      return c.body(null, answer.status)
  }
}

function openStream(
  texts: AsyncIterable<string>,
  { clock, settings, report }: LiveConnectionParts,
  { caller, validity }: { caller: DoorCaller | undefined; validity: Validity | undefined },
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const revoked = new AbortController()
  validity?.over.addEventListener('abort', () => revoked.abort())
  if (validity?.over.aborted) revoked.abort()
  const onFault = (error: unknown) => report?.({ doing: 'sending what a channel says', error })
  const timer = every(clock, settings.keepAliveMs, () => {
    caller?.stillHolds().then(
      (holds) => {
        if (!holds) revoked.abort()
      },
      (error) => {
        onFault(error)
        revoked.abort()
      },
    )
  })
  return createDoorStream({
    texts,
    over: revoked.signal,
    onEnd: () => {
      timer.cancel()
      onEnd()
    },
    onFault,
  })
}
