/**
 * The session that a client means by its `sessionId`. That is a label: who the client is comes from the credential and is
 * part of the session's name, so that nobody can name another's session (P6). A cookie names the sessions that it opened
 * itself and no others, not even those of the same person.
 */
import { LIMITS } from '../../core/call.ts'
import { digestOf } from '../../core/digest.ts'
import type { DoorCaller } from '../door.ts'
import { CHANNEL } from './channel.ts'

export function sessionIdOf(caller: DoorCaller, label: string): string {
  const who = caller.credential === 'cookie' ? caller.token : caller.actor.subject
  const name = [CHANNEL, who, label].map(encodeURIComponent).join('/')
  if (name.length <= LIMITS.id) return name
  const short = [CHANNEL, encodeURIComponent(who), digestOf(label)].join('/')
  return short.length <= LIMITS.id ? short : [CHANNEL, digestOf(who), digestOf(label)].join('/')
}
