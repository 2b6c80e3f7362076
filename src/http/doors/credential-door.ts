/**
 * A door for people with a credential: no agent's gets through (P11). It takes JSON only. A form and `text/plain` are refused
 * before the channel hears of them, whether or not it would read the body: any page can make a browser send those.
 */
import type { CredentialDoor } from '../../people/door.ts'
import { authenticateDoorCaller } from '../access/authentication.ts'
import type { LiveConnectionParts } from '../connection/live-connection.ts'
import { checkJsonType, readJsonText } from '../from-wire/read-body.ts'
import type { Route } from '../routes/route.ts'
import { checkMethod, DOOR_ANSWERS, doorRequestOf, sendAnswer } from './answer-door.ts'

export interface DoorOptions {
  /** Whether a cookie is taken, at the doors that ask for it. */
  cookies: boolean
}

export function credentialDoorRoute(
  door: CredentialDoor,
  live: LiveConnectionParts,
  { cookies }: DoorOptions,
): Route {
  const { method, path, summary, credential, channel } = door
  const byCookie = credential === 'bearer_or_cookie' && cookies
  return {
    method,
    path,
    summary,
    access: 'people',
    ...(byCookie ? { byCookie } : {}),
    answers: DOOR_ANSWERS,
    async run(c) {
      checkMethod(c, method, path)
      const caller = await authenticateDoorCaller(live.gateway, c, { byCookie, via: channel })
      if (method === 'POST') checkJsonType(c)
      const place = live.connections.enter(caller.token, live.settings.connectionsPerToken)
      return sendAnswer(live, c, { caller, onEnd: place.leave }, (signal) =>
        door.answer({
          ...doorRequestOf(c, signal),
          caller,
          text: () => readJsonText(c, door.maxBodyBytes),
        }),
      )
    },
  }
}
