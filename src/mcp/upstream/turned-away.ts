/** A status that is no answer, in words: what the server said, and what would be right. */
import type { IncomingMessage } from 'node:http'
import { asObject } from '../calls/gated-call.ts'
import { parsedMember, type ServerMessage } from '../lines/server-message.ts'

export interface TurnedAway {
  because: string
  didNotRun: boolean
}

/** Of these a server says that it did nothing; of others nobody knows. */
const DID_NOTHING = new Set([400, 401, 403, 404, 405, 406, 410, 411, 413, 414, 415, 421, 422, 429, 431])

export function turnedAway(
  { statusCode: status = 0, headers }: IncomingMessage,
  said: ServerMessage,
  { hasCredential, hadSession }: { hasCredential: boolean; hadSession: boolean },
): TurnedAway {
  const isRedirect = status >= 300 && status < 400
  const words = wordsFor(status, headers, { hasCredential, hadSession })
  const own = asObject(parsedMember(said.text, said.members.get('error'))).message
  const told = typeof own === 'string' ? ` (${own.slice(0, 300)})` : ''
  return { because: `it answered ${status}${told}${words}`, didNotRun: isRedirect || DID_NOTHING.has(status) }
}

function wordsFor(
  status: number,
  headers: IncomingMessage['headers'],
  { hasCredential, hadSession }: { hasCredential: boolean; hadSession: boolean },
): string {
  if (status === 401 || status === 403) {
    if (hasCredential) return ': it does not take the credential that --header gives'
    const login = headers['www-authenticate'] === undefined ? 'a credential' : 'a login'
    return `: it wants ${login}. Banksman logs in nowhere: get a token from it, and give that with --header 'Authorization: Bearer \${TOKEN}'`
  }
  if (status === 404 && hadSession) return ': its session is over. A new one is begun; make the call again'
  if (status >= 300 && status < 400) {
    const to = URL.parse(headers.location ?? '')?.origin
    return `: it sends on to ${to ?? 'another address'}, which is not followed. Give the address that answers with --url`
  }
  return ''
}
