/**
 * Where people come in to talk to the agent over server-sent events and to answer what they are asked. The routes are those
 * of the original, old and new.
 */
import type { CredentialDoor } from '../door.ts'
import { type ChannelPorts, withAgent } from '../driver.ts'
import { CHANNEL } from './channel.ts'
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

export function createReactPlusDoors(
  ports: ChannelPorts,
  options: ReactPlusDoorOptions = {},
): CredentialDoor[] {
  const { keepAliveMs = KEEP_ALIVE_MS } = options
  const streams = createOpenStreams()
  return PREFIXES.flatMap((prefix) => [
    door('POST', `${prefix}/stream`, 'Say something to the agent, or follow its turn', async (request) =>
      openStream(withAgent(ports), streams, { keepAliveMs }, request),
    ),
    door('POST', `${prefix}/interaction_response`, 'Answer what the agent asks', (request) =>
      respond(ports, streams, request),
    ),
    door('GET', `${prefix}/{sessionId}/messages`, 'What was said', async (request) =>
      readHistory(withAgent(ports), request),
    ),
  ])
}

function door(
  method: 'GET' | 'POST',
  path: string,
  summary: string,
  answer: CredentialDoor['answer'],
): CredentialDoor {
  return {
    kind: 'credential',
    channel: CHANNEL,
    method,
    path,
    summary,
    credential: 'bearer_or_cookie',
    maxBodyBytes: MAX_BODY_BYTES,
    answer,
  }
}
