/**
 * The doors of channels, as routes. A channel says what it wants at its door; who comes in, how much they may say and how
 * many of them there are is settled here, for all channels alike.
 *
 * Every door with a credential is for people: no agent's gets through (P11).
 */
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { BanksmanError, isBanksmanError } from '../../core/errors.ts'
import type { Validity } from '../../gateway/access/token-validity.ts'
import type { Door, DoorCaller, DoorRequest, HttpDoor } from '../../people/door.ts'
import {
  authenticateDoorCaller,
  credentialNotValid,
  type FollowedCaller,
  localeOf,
} from '../access/authentication.ts'
import { every } from '../connection/every.ts'
import { anyOf } from '../connection/long-poll.ts'
import { readJsonText } from '../from-wire/read-body.ts'
import type { HttpContext, LiveConnectionParts } from '../http-parts.ts'
import type { Route } from '../routes/route.ts'
import { createDoorStream } from './door-stream.ts'
import { socketDoorRoutes } from './socket-door-routes.ts'

export interface DoorOptions {
  /** Whether a cookie is taken, at the doors that ask for it. */
  cookies: boolean
}

/** Those who come without a credential share their places. No token has such an id. */
const STRANGERS = 'strangers'

export function doorRoutes(doors: readonly Door[], live: LiveConnectionParts, options: DoorOptions): Route[] {
  return doors.flatMap((door) =>
    door.kind === 'socket' ? socketDoorRoutes(door, live) : [httpDoorRoute(door, live, options)],
  )
}

function httpDoorRoute(door: HttpDoor, live: LiveConnectionParts, { cookies }: DoorOptions): Route {
  const { method, path, summary, credential } = door
  const byCookie = credential === 'bearer_or_cookie' && cookies
  return {
    method,
    path,
    summary,
    access: credential === 'none' ? 'public' : 'people',
    ...(byCookie ? { byCookie } : {}),
    answers: [{ status: 200, description: 'As the protocol of this channel has it.' }],
    async run(c) {
      // GET is tried for HEAD too, and what a channel begins would have no reader.
      if (c.req.method !== method)
        throw new BanksmanError('method_not_allowed', `${path} takes ${method}`, { allow: [method] })
      const caller =
        credential === 'none' ? undefined : await authenticateDoorCaller(live.gateway, c, { byCookie })
      return receive(door, live, c, caller)
    },
  }
}

async function receive(
  door: HttpDoor,
  live: LiveConnectionParts,
  c: HttpContext,
  caller: FollowedCaller | undefined,
): Promise<Response> {
  const { settings } = live
  const place =
    caller === undefined
      ? live.connections.enter(STRANGERS, settings.unnamedSockets)
      : live.connections.enter(caller.token, settings.connectionsPerToken)
  const over = new AbortController()
  const validity = caller?.follow()
  const { signal, release } = anyOf([c.req.raw.signal, c.env?.closing, over.signal, validity?.over])
  const onEnd = () => {
    place.leave()
    validity?.release()
    over.abort()
    release()
  }
  try {
    const answer = await door.answer(doorRequestOf(door, c, caller, signal))
    if (answer.kind === 'json') {
      onEnd()
      return c.json(answer.body, answer.status as ContentfulStatusCode, answer.headers)
    }
    return c.body(openStream(answer.body, live, { caller, validity }, onEnd), 200, {
      'x-accel-buffering': 'no',
      // Said here, it keeps the server from reading ahead to see whether it could announce a length.
      'transfer-encoding': 'chunked',
      ...answer.headers,
    })
  } catch (error) {
    const hasGone = signal.aborted && !isBanksmanError(error)
    const isRevoked = validity?.over.aborted === true
    onEnd()
    if (isRevoked) throw credentialNotValid()
    // Nobody hears it, and it is no fault of ours.
    if (hasGone) throw new BanksmanError('cancelled', 'the visit is over', {}, { cause: error })
    throw error
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

function doorRequestOf(
  door: HttpDoor,
  c: HttpContext,
  caller: DoorCaller | undefined,
  signal: AbortSignal,
): DoorRequest {
  return {
    caller,
    step: (name) => c.req.param(name) ?? '',
    query: (name) => c.req.query(name),
    header: (name) => c.req.header(name),
    text: () => readJsonText(c, door.maxBodyBytes),
    signal,
    locale: localeOf(c.req.header('accept-language')),
    host: c.req.header('host') ?? '',
  }
}
