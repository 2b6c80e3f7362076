/** Tells a room what happens in a turn, from the words that began it to its end, or until nobody is there to hear it. */
import { defined } from '../../core/defined.ts'
import type { Actor } from '../../core/session.ts'
import type { ConversingPorts } from '../driver.ts'
import { sessionKeyOf } from './conversation-id.ts'
import { createPetReply } from './replies.ts'
import type { PetRoom } from './rooms.ts'

export interface FollowedTurn {
  session: string
  turn: string
  /** The event after which to begin. Absent: from now on. */
  after?: string
}

/** Does nothing where the room is already told of this turn. */
export function followTurn(
  ports: ConversingPorts,
  room: PetRoom,
  followed: FollowedTurn,
  actor: Actor,
): void {
  // Several conversations share a room, and each counts its turns from one.
  const key = `${followed.turn} ${followed.session}`
  if (room.followed.has(key) || room.empty.aborted) return
  room.followed.add(key)
  tellEvents(ports, room, followed, actor)
    .catch((error) => ports.report({ doing: 'telling a conversation over a socket', error }))
    .finally(() => room.followed.delete(key))
}

async function tellEvents(
  ports: ConversingPorts,
  room: PetRoom,
  { session, turn, after }: FollowedTurn,
  actor: Actor,
): Promise<void> {
  const reply = createPetReply(session, sessionKeyOf(session), ports.clock.now)
  let hasBegun = false
  const options = { signal: room.empty, ...defined({ after }) }
  for await (const event of ports.conversing.events(session, options, actor)) {
    if (event.session === session) {
      // What comes before this turn was told before; what comes after it is told by whoever follows that.
      if (event.turn !== turn && (hasBegun || after === undefined)) return
      if (event.turn !== turn) continue
      hasBegun = true
    }
    for (const text of reply.texts(event)) room.send(text)
    if (event.kind === 'turn_ended' && event.session === session) return
  }
}
