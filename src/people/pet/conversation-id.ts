/**
 * The names of conversations. A client chooses a `sessionId` for its connection and a `session_key` for a conversation on
 * it; both are labels. Who someone is comes from the credential, and is part of the name: nobody can choose the name of
 * another's conversation (P6).
 */
import { digestOf } from '../../core/digest.ts'

/** What a client is called that names no session. */
export const DEFAULT_SESSION = 'default'

/** All conversations of one person under one `sessionId`: where pushes go. */
export function roomId(subject: string, sessionId: string): string {
  return `pet/${part(subject)}/${part(sessionId)}`
}

/** One conversation, which is a session of ours. */
export function conversationId(room: string, sessionKey: string | undefined): string {
  return sessionKey === undefined ? room : `${room}/${part(sessionKey)}`
}

/** The room that a conversation is in; undefined for a name that is none of ours. */
export function roomOf(conversation: string): string | undefined {
  return ROOM.exec(conversation)?.[1]
}

/** The `session_key` in a conversation's name. One that was too long is given as its digest. */
export function sessionKeyOf(conversation: string): string | undefined {
  const key = ROOM.exec(conversation)?.[2]
  if (key === undefined) return undefined
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

const ROOM = /^(pet\/[^/]+\/[^/]+)(?:\/([^/]+))?$/
/** Three such parts stay below the 256 characters that a session's name may have. */
const MAX_PART = 80

function part(label: string): string {
  const encoded = encodeURIComponent(label.toWellFormed())
  // No encoded text has a colon in it, so nobody can be called what someone else's long name becomes.
  return encoded.length <= MAX_PART ? encoded : `:${digestOf(label)}`
}
