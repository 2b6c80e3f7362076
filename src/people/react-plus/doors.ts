/**
 * Where people come in to talk to the agent over server-sent events and to answer what they are asked. The routes are those
 * of the original, old and new.
 */
import { BanksmanError } from '../../core/errors.ts'
import type { ChannelContext, Door, DoorCaller, DoorRequest, HttpDoor } from '../door.ts'
import { readHistory } from './history.ts'
import { openStream } from './open-stream.ts'
import { createOpenStreams } from './open-streams.ts'
import { respond } from './respond.ts'

export interface ReactPlusDoorOptions {
  /** At least this often something is sent on a stream. */
  keepAliveMs?: number
}

const KEEP_ALIVE_MS = 15_000
/** A long message, or an answer with a long reason; a file belongs elsewhere. */
const MAX_BODY_BYTES = 256 * 1024

/** The second is what the protocol was called before. */
const PREFIXES = ['/api/agent/chat/react-plus', '/api/agent/chat/react']

export function createReactPlusDoors(desk: ChannelContext, options: ReactPlusDoorOptions = {}): Door[] {
  const { keepAliveMs = KEEP_ALIVE_MS } = options
  const streams = createOpenStreams()
  return PREFIXES.flatMap((prefix): Door[] => [
    door('POST', `${prefix}/stream`, 'Say something to the agent, or follow its turn', (visit, caller) =>
      openStream(desk, streams, { keepAliveMs }, visit, caller),
    ),
    door('POST', `${prefix}/interaction_response`, 'Answer what the agent asks', (visit, caller) =>
      respond(desk, streams, visit, caller),
    ),
    door('GET', `${prefix}/{sessionId}/messages`, 'What was said', (visit, caller) =>
      readHistory(desk, visit, caller),
    ),
  ])
}

function door(
  method: 'GET' | 'POST',
  path: string,
  summary: string,
  answer: (visit: DoorRequest, caller: DoorCaller) => ReturnType<HttpDoor['answer']>,
): Door {
  return {
    kind: 'http',
    method,
    path,
    summary,
    credential: 'bearer_or_cookie',
    maxBodyBytes: MAX_BODY_BYTES,
    async answer(visit) {
      const { caller } = visit
      if (caller === undefined) throw new BanksmanError('unauthenticated', `${path} needs a credential`)
      return answer(visit, caller)
    },
  }
}
