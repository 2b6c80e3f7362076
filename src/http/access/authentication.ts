/**
 * Who is calling. The credential is a bearer token in the `Authorization` header and nowhere else: an address ends up
 * in logs, and a cookie for 127.0.0.1 goes to every port there, where an agent may be listening. The doors of some
 * channels take a cookie where that is configured; it is a secret of its own, and no route of ours knows it.
 *
 * It is looked up on every request, and followed while a stream is open, so a revoked token stops working at once.
 */

import { getCookie } from 'hono/cookie'
import { BanksmanError } from '../../core/errors.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { Actor } from '../../core/session.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import type { Validity } from '../../gateway/access/token-validity.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { DoorCaller } from '../../people/door.ts'
import type { HttpContext } from '../connection/http-context.ts'
import { isRemote } from './is-remote.ts'
import { localeOf } from './locale.ts'

export interface Caller {
  actor: Actor
  /** The token's id, which is no secret. */
  token: string
  namespace: string
  /** In which language this caller reads. */
  locale: Locale
  /** Whether the credential would be accepted now, as the same person in the same role. */
  stillHolds(): Promise<boolean>
  /** For whoever keeps a connection open: tells when the credential is revoked or expires. */
  follow(): Validity
}

/** A visitor whose connection may stay open. */
export interface FollowedCaller extends DoorCaller {
  follow(): Validity
}

export const CHAT_COOKIE = 'banksman_chat'

/** Access by role. `anyone` is anyone with a credential: what they may see or do is the gateway's to say. */
export type RouteAccess = 'anyone' | 'people' | 'admin'

const MAX_TOKEN = 512
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i

/** `scope`: what a token may be good for that is good for one thing only. Without it such a token is refused (P6). */
export async function authenticate(gateway: Gateway, c: HttpContext, scope?: string): Promise<Caller> {
  const header = c.req.header('authorization')
  if (header === undefined) throw missing(c)
  const secret = BEARER.exec(header)?.[1]
  if (secret === undefined || secret.length > MAX_TOKEN) {
    throw new BanksmanError(
      'unauthenticated',
      'the Authorization header must be `Bearer` and a token, as in `Authorization: Bearer bma_…`',
    )
  }
  const caller = await identify(gateway, secret, 'http', localeOf(c.req.header('accept-language')), scope)
  if (caller !== undefined) return { ...caller, actor: placed(c, caller.actor) }
  throw reasonedError('unauthenticated', reasonOf('access.token-unknown'))
}

/** Who comes to the door of a channel: a person, by their token, or by a cookie where there is no header. */
export async function authenticateDoorCaller(
  gateway: Gateway,
  c: HttpContext,
  { byCookie, via }: { byCookie: boolean; via: string },
): Promise<FollowedCaller> {
  const hasHeader = c.req.header('authorization') !== undefined
  const cookie = byCookie && !hasHeader ? getCookie(c, CHAT_COOKIE) : undefined
  if (cookie !== undefined) return authenticateCookie(gateway, c, cookie, via)
  const caller = await authenticate(gateway, c)
  checkAccess(caller, 'people', `${c.req.method} ${c.req.path}`)
  const { actor, token, stillHolds, follow } = caller
  return { actor: { ...actor, via }, token, credential: 'bearer', stillHolds, follow }
}

async function authenticateCookie(
  gateway: Gateway,
  c: HttpContext,
  secret: string,
  via: string,
): Promise<FollowedCaller> {
  // Absent in old browsers, which the check of the origin covers; no page can send it by itself.
  const site = c.req.header('sec-fetch-site') ?? 'same-origin'
  if (site !== 'same-origin') {
    throw new BanksmanError('foreign_origin', 'the cookie is taken from pages of this server only')
  }
  const token = await gateway.tokens.authenticateCookie(secret)
  if (token === undefined || token.role === 'agent') {
    throw reasonedError('unauthenticated', reasonOf('access.cookie-over'))
  }
  const { id, subject, role } = token
  return {
    actor: placed(c, { subject, role, via }),
    token: id,
    credential: 'cookie',
    stillHolds: async () => (await gateway.tokens.authenticateCookie(secret))?.id === id,
    follow: () => gateway.tokens.follow(token),
  }
}

function placed(c: HttpContext, actor: Actor): Actor {
  return isRemote(c) ? { ...actor, remote: true } : actor
}

/** For a connection that was open when its credential was revoked or expired. */
export function credentialNotValid(): BanksmanError {
  return reasonedError('unauthenticated', reasonOf('access.token-over'))
}

/** Whose token it is; undefined for anything that is not a live one. Throws for one that is good for something else only. */
export async function identify(
  gateway: Gateway,
  secret: string,
  via: string,
  locale: Locale,
  scope?: string,
): Promise<Caller | undefined> {
  const token = await gateway.tokens.authenticate(secret, scope)
  if (token === undefined) return undefined
  const { id, subject, role, namespace } = token
  return {
    actor: { subject, role, via },
    token: id,
    namespace,
    locale,
    stillHolds: async () => (await gateway.tokens.authenticate(secret, scope))?.id === id,
    follow: () => gateway.tokens.follow(token),
  }
}

export function checkAccess({ actor }: Caller, access: RouteAccess, what: string): void {
  if (access === 'anyone' || actor.role === 'admin') return
  if (access === 'people' && actor.role === 'approver') return
  if (actor.role === 'approver')
    throw reasonedError('forbidden', reasonOf('access.admin-only', { what }), { role: actor.role })
  const needed = access === 'admin' ? "an admin's" : "a person's"
  throw new BanksmanError('forbidden', `${what} needs ${needed} credential; this one is an agent's`, {
    role: actor.role,
  })
}

function missing(c: HttpContext): BanksmanError {
  const inUrl = ['token', 'access_token', 'key', 'api_key'].some((name) => c.req.query(name) !== undefined)
  if (!inUrl) return reasonedError('unauthenticated', reasonOf('access.none'))
  return new BanksmanError(
    'unauthenticated',
    'a token in the address is never accepted, since addresses end up in logs: revoke it, and send the new one as `Authorization: Bearer …`',
  )
}
