/**
 * The webhook. Only bytes with a valid signature are looked into, with one exception: the question whether this address is ours,
 * which Feishu asks unsigned. It must have the verification token, and its answer is its own challenge.
 */
import type { JsonObject } from '../../../core/json/json.ts'
import type { SentBytes, SignedAnswer, SignedJsonDoor, SignedRequest } from '../../door.ts'
import type { HandleEvent } from './handle-event.ts'
import { objectIn, textIn } from './members.ts'
import { type FeishuEvent, type FeishuHome, parseEvent, parseLegacyClick, SERVICE } from './parse.ts'
import { type FeishuWebhook, isFresh, isSame, openBody, signatureOf } from './verify.ts'

const PATH = '/feishu/webhook'
const MAX_BODY_BYTES = 1024 * 1024
/** Anybody can send what isn't signed. Nothing larger is looked into. */
const MAX_CHALLENGE_BYTES = 4 * 1024

export function webhookDoor(keys: FeishuWebhook, home: FeishuHome, handle: HandleEvent): SignedJsonDoor {
  const { encryptKey, verificationToken } = keys
  const hasToken = (token: unknown) => isSame(textIn(token) ?? '', verificationToken)

  /** The challenge; undefined: it is another body. */
  function challengeIn(body: JsonObject | undefined): string | undefined {
    if (body?.type !== 'url_verification' || !hasToken(body.token)) return undefined
    return textIn(body.challenge)
  }

  function eventIn(sent: Pick<SentBytes, 'bytes' | 'header'>, body: JsonObject): FeishuEvent | undefined {
    const scheme = signatureOf(sent, keys)
    if (scheme === 'old') return parseLegacyClick(body, home)
    const isOurs = scheme === 'current' && hasToken(objectIn(body.header)?.token)
    return isOurs ? parseEvent(body, home) : undefined
  }

  return {
    kind: 'signed',
    channel: SERVICE,
    path: PATH,
    summary: 'Where Feishu or Lark sends clicks and messages.',
    body: 'json',
    maxBodyBytes: MAX_BODY_BYTES,
    places: 32,
    verify(sent) {
      if (sent.header('x-lark-signature') === undefined) {
        const isSmall = sent.bytes.length <= MAX_CHALLENGE_BYTES
        return isSmall && challengeIn(openBody(sent.bytes, encryptKey)) !== undefined
      }
      return isFresh(sent) && signatureOf(sent, keys) !== undefined
    },
    async answer(sent: SignedRequest<unknown>): Promise<SignedAnswer> {
      const body = openBody(sent.bytes, encryptKey)
      const challenge = challengeIn(body)
      if (challenge !== undefined) return { kind: 'json', status: 200, body: { challenge } }
      const event = body && eventIn(sent, body)
      if (event === undefined)
        return { kind: 'json', status: 401, body: { code: 401, msg: 'not for this app' } }
      return { kind: 'json', status: 200, body: await handle(event) }
    },
  }
}
