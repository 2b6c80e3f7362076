/**
 * Who is connected, by room: one person under one `sessionId`, on however many connections. A push goes to the members of
 * one room and to nobody else.
 */
import type { DoorCaller } from '../door.ts'
import type { ConnectionPrompts } from './prompts.ts'

/** One connection of somebody who is known. */
export interface RoomMember {
  readonly caller: DoorCaller
  readonly room: PetRoom
  /** What this connection was asked, by the id that it was told. */
  readonly asked: ConnectionPrompts
  /** Sends a frame; whoever can't take it is gone. */
  send(text: string): void
}

export interface PetRoom {
  readonly id: string
  readonly members: ReadonlySet<RoomMember>
  /** Aborted when the last member has left. */
  readonly empty: AbortSignal
  /** The turns whose events are being told here. */
  readonly followed: Set<string>
  send(text: string): void
}

export interface PetRooms {
  find(id: string): PetRoom | undefined
  enter(id: string, make: (room: PetRoom) => RoomMember): RoomMember
  leave(member: RoomMember): void
  /** All connections of a person, whatever their room. */
  of(subject: string): Iterable<RoomMember>
  /** Everybody. */
  all(): Generator<RoomMember, undefined>
  isEmpty(): boolean
}

interface OpenRoom extends PetRoom {
  readonly members: Set<RoomMember>
  readonly emptied: AbortController
}

export function createPetRooms(): PetRooms {
  const rooms = new Map<string, OpenRoom>()
  const people = new Map<string, Set<RoomMember>>()

  return {
    find: (id) => rooms.get(id),
    enter(id, make) {
      const room = rooms.get(id) ?? openRoom(id)
      const member = make(room)
      room.members.add(member)
      rooms.set(id, room)
      const { subject } = member.caller.actor
      const theirs = people.get(subject) ?? new Set()
      people.set(subject, theirs.add(member))
      return member
    },
    leave(member) {
      const room = rooms.get(member.room.id)
      if (room === undefined || !room.members.delete(member)) return
      if (room.members.size === 0) {
        rooms.delete(room.id)
        room.emptied.abort()
      }
      const { subject } = member.caller.actor
      const theirs = people.get(subject)
      theirs?.delete(member)
      if (theirs?.size === 0) people.delete(subject)
    },
    of: (subject) => people.get(subject) ?? [],
    isEmpty: () => rooms.size === 0,
    *all() {
      for (const { members } of rooms.values()) yield* members
      return undefined
    },
  }
}

function openRoom(id: string): OpenRoom {
  const emptied = new AbortController()
  const members = new Set<RoomMember>()
  return {
    id,
    members,
    emptied,
    empty: emptied.signal,
    followed: new Set(),
    send(text) {
      // A copy: whoever can't take it leaves while we go round.
      for (const member of [...members]) member.send(text)
    },
  }
}
