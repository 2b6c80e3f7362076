/** Feishu's codes, by what is to be done about them. */
import { ChatFault, type ChatFaultKind } from '../contract.ts'

/** The chat or message is no more, or we may not write there. */
const GONE = new Set([
  230002, // the bot is not in the group
  230011, // the message was recalled
  230013, // the person may not use the app
  230017, // the message is not ours
  230018, // nobody may write in the group
  230031, // the message is more than fourteen days old
  230035, // no permission to write to this person
  230038, // the person is of another organisation
  230050, // the message can't be seen any more
  230053, // the person wants no messages of the bot
  230054, // the message is of a kind that can't be changed
  230110, // the message was deleted
  232006, // there is no such chat
  232009, // the group was dissolved
])

const INVALID_TOKEN = new Set([99991661, 99991663, 99991664, 99991665, 99991668, 99991671])

/** It may work later: too much at once, a service that is busy, a secret or a permission that is to be given back. */
const RETRY = new Set([
  ...INVALID_TOKEN,
  1, // busy
  403, // no connection for this app now
  514, // the app's id or secret is wrong
  10003,
  10014, // the same, when a token is asked for
  11232,
  11233,
  11247, // too many messages
  230020, // too many changes of one message
  230049, // the message is still being sent
  99991400, // too many requests
  99991672, // the app has not got the permission yet
  1000040343, // the connection's server is busy
  1000040350, // too many connections of this app
])

interface FeishuFailure {
  /** What was called. */
  doing: string
  status: number
  code: number
  said: string
  /** In seconds, where the service said when to come again. */
  resetIn: number | undefined
}

/** The service has answered, and said no. */
export class FeishuFault extends ChatFault {
  readonly code: number
  constructor({ doing, status, code, said, resetIn }: FeishuFailure) {
    super(kindOf(status, code, resetIn), `feishu ${doing}: ${code} ${said}`)
    this.code = code
  }
}

function kindOf(status: number, code: number, resetIn: number | undefined): ChatFaultKind {
  if (GONE.has(code)) return { kind: 'gone' }
  if (status === 429 || status >= 500 || RETRY.has(code))
    return { kind: 'retry', ...(resetIn === undefined ? {} : { afterMs: resetIn * 1000 }) }
  return { kind: 'refused' }
}

export function isInvalidToken(error: unknown): boolean {
  return error instanceof FeishuFault && INVALID_TOKEN.has(error.code)
}
