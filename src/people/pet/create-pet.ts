/**
 * The pet channel: a chat over a WebSocket, in which the agent asks before it acts. Programs written for the original
 * protocol work with it, once they say who they are.
 *
 * Three faults that the original had can't be had here. It serves conversations that began on it and abstains from all
 * others (P8). The gateway commits a request before this channel hears of it, and a connection's note of what it was asked
 * is made before the push is sent (P1). An answer counts from the connection that was asked, or the same person, and its
 * `request_id` is no authority (P6).
 */
import type { Presentation } from '../channel.ts'
import type { ChannelDriver, ChannelPorts } from '../driver.ts'
import { createReadPendingRequests } from './pending-requests.ts'
import { createPetClient, type PetClientParts, TOKEN_PROTOCOL } from './pet-client.ts'
import { type AnswerFrom, createPrompts, type Prompts } from './prompts.ts'
import { createPetRooms, type PetRooms } from './rooms.ts'
import { initStatus, publicDoors } from './status.ts'
import { createChangeWatcher } from './watch-changes.ts'

export interface PetOptions {
  /** From whom an answer counts. The default is the connection that was asked. */
  answerFrom?: AnswerFrom
  /** How long a request waits that came up here, where no rule says otherwise. */
  deadlineMs?: number
  heartbeatMs?: number
  /** A socket that has not said who it is by then is closed. */
  helloWithinMs?: number
  maxFrameBytes?: number
  /** What clients of the original show as the name of the pet. */
  name?: string
}

const CHANNEL = 'pet'
/** As in the original: whoever talks sits in front of it. */
const DEADLINE_MS = 60_000
const HEARTBEAT_MS = 30_000
const HELLO_WITHIN_MS = 10_000
/** For another process to take it: each looks when it hears of a change, and every second. */
const PUT_BACK_MS = 20
/** After so many tries nobody seems to be there. Who comes is told what waits; this is for what falls between. */
const MANY_TRIES = 5
const MAX_PUT_BACK_MS = 30_000
/** A long question fits; a document belongs in a file. */
const MAX_FRAME_BYTES = 64 * 1024

export function createPet(options: PetOptions = {}): ChannelDriver {
  const { answerFrom = 'connection', deadlineMs = DEADLINE_MS, name = 'Banksman' } = options
  const maxFrameBytes = options.maxFrameBytes ?? MAX_FRAME_BYTES
  const rooms = createPetRooms()
  /** Absent while the server starts: nobody is connected yet, and nothing can be shown. */
  let prompts: Prompts | undefined
  /**
   * The person may be connected to another process, or to none just now: then the request stays to be shown. Whoever connects
   * is shown what is pending before this is tried again.
   */
  async function show({ request, attempt, later }: Presentation): Promise<undefined> {
    if (prompts?.tell(request) !== true) later(putBackMs(attempt))
    return undefined
  }

  return {
    channel: {
      name: CHANNEL,
      kind: 'live',
      deadlineMs,
      serves: (origin) => origin?.channel === CHANNEL,
      present: show,
      update: show,
    },
    connect(ports) {
      prompts = createPrompts(rooms, answerFrom, ports.clock.now, ports.deciding.knownTool)
      const parts: PetClientParts = {
        ports,
        rooms,
        prompts,
        ...followChanges(ports, rooms, prompts),
        status: initStatus(name),
        heartbeatMs: options.heartbeatMs ?? HEARTBEAT_MS,
        maxFrameBytes,
      }
      return {
        doors: [
          {
            kind: 'socket',
            channel: CHANNEL,
            paths: ['/pet/ws', '/pet/', '/ws'],
            summary: 'A chat with the agent, in which it asks before it acts.',
            maxFrameBytes,
            helloWithinMs: options.helloWithinMs ?? HELLO_WITHIN_MS,
            chooseProtocol,
            secretIn,
            open: (socket, handshake) => createPetClient(parts, socket, handshake),
          },
          ...publicDoors(CHANNEL),
        ],
      }
    },
  }
}

function followChanges(
  ports: ChannelPorts,
  rooms: PetRooms,
  prompts: Prompts,
): Pick<PetClientParts, 'changes' | 'pendingHere'> {
  const pendingHere = createReadPendingRequests(CHANNEL)
  const changes = createChangeWatcher({
    ports,
    reader: () => rooms.all().next().value?.caller.actor,
    tell: prompts.tell,
    isShown: prompts.isShown,
    catchUp() {
      for (const member of rooms.all()) {
        prompts
          .lookAgain(
            member,
            () => pendingHere(ports.deciding, member.caller.actor),
            (id) => ports.deciding.get(id, member.caller.actor),
          )
          .catch((error) => ports.report({ doing: 'telling a client what is pending', error }))
      }
    },
  })
  return { changes, pendingHere }
}

function putBackMs(attempt: number): number {
  const doublings = Math.max(0, attempt - MANY_TRIES)
  return Math.min(PUT_BACK_MS * 2 ** Math.min(doublings, 20), MAX_PUT_BACK_MS)
}

/**
 * A browser connects only if one of the subprotocols that it offered is chosen, and what is chosen is repeated in a header.
 * A client that offers `pet` beside its token does not have its token repeated.
 */
function chooseProtocol(offered: readonly string[]): string | undefined {
  return offered.find((name) => name === CHANNEL) ?? offered.find((name) => name.startsWith(TOKEN_PROTOCOL))
}

function secretIn(offered: readonly string[]): string | undefined {
  return offered.find((name) => name.startsWith(TOKEN_PROTOCOL))?.slice(TOKEN_PROTOCOL.length)
}
