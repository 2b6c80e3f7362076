/**
 * The doors of channels, as routes. A channel says what it takes at its door. Who comes in, how much they may send and how many
 * of them there are is settled here, for all channels alike.
 */
import type { Door, PublicDoor } from '../../people/door.ts'
import type { LiveConnectionParts } from '../connection/live-connection.ts'
import type { Route } from '../routes/route.ts'
import { checkMethod, DOOR_ANSWERS, doorPlace, doorRequestOf, sendAnswer } from './answer-door.ts'
import { checkDoors } from './check-doors.ts'
import { credentialDoorRoute, type DoorOptions } from './credential-door.ts'
import { signedDoorRoute } from './signed-door.ts'
import { socketDoorRoutes } from './socket-door-routes.ts'

/** Throws where a door breaks a rule: such a server doesn't start. */
export function doorRoutes(doors: readonly Door[], live: LiveConnectionParts, options: DoorOptions): Route[] {
  checkDoors(doors)
  return doors.flatMap((door) => routesOf(door, live, options))
}

function routesOf(door: Door, live: LiveConnectionParts, options: DoorOptions): Route[] {
  switch (door.kind) {
    case 'credential':
      return [credentialDoorRoute(door, live, options)]
    case 'signed':
      return [signedDoorRoute(door, live)]
    case 'public':
      return [publicDoorRoute(door, live)]
    case 'socket':
      return socketDoorRoutes(door, live)
  }
}

function publicDoorRoute(door: PublicDoor, live: LiveConnectionParts): Route {
  const { path, summary } = door
  return {
    method: 'GET',
    path,
    summary,
    access: 'public',
    answers: DOOR_ANSWERS,
    run: async (c) => {
      checkMethod(c, 'GET', path)
      const place = doorPlace(live, door)
      return sendAnswer(live, c, { onEnd: place.leave }, (signal) => door.answer(doorRequestOf(c, signal)))
    },
  }
}
