/** Tokens and logging in. Only an admin makes, lists or revokes credentials; no agent's ever does (P11). */
import { deleteCookie, setCookie } from 'hono/cookie'
import type { Credential } from '../../../gateway/access/tokens.ts'
import type { Gateway } from '../../../gateway/gateway-verbs.ts'
import * as identityWire from '../../../wire/identity.ts'
import { loginBody, loginCodeBody, logoutBody, tokenBody } from '../../../wire/identity.ts'
import * as pageWire from '../../../wire/page.ts'
import { CHAT_COOKIE } from '../../access/authentication.ts'
import type { HttpContext, ReportHttpFault } from '../../connection/http-context.ts'
import { identityOf, tokenToWire } from '../../to-wire/records-to-wire.ts'
import { toTime } from '../../to-wire/time-to-wire.ts'
import { json, noContent, publicRoute, type Route, route } from '../route.ts'

export interface CookieParts {
  /**
   * Logging in leaves a cookie behind that browsers send below this path, such as `/api/agent/chat`. It lets a person in
   * at the doors that take one, and nowhere else.
   */
  cookie?: { path: string }
}

export function credentialRoutes({
  gateway,
  cookie,
  report,
}: CookieParts & { gateway: Gateway; report?: ReportHttpFault }): Route[] {
  return [
    route('GET /v1/me', {
      summary: 'Whose credential this is.',
      access: 'anyone',
      answers: [json('The identity.', identityWire.identity)],
      answer: ({ caller }) => identityOf(caller),
    }),
    // The code in the body is the credential.
    publicRoute('POST /v1/login', {
      summary: 'Exchange the single-use code of a login link for a key.',
      body: loginBody,
      answers: [json('The key, and whose it is.', identityWire.login)],
      async answer({ c, body }) {
        const { secret, token } = await gateway.tokens.login(body.code)
        const { subject, role, namespace } = token
        if (cookie !== undefined) {
          try {
            leaveCookie(c, cookie.path, await gateway.tokens.createCookie(token))
          } catch (error) {
            // The code is used up: the key must not be lost for want of a cookie.
            report?.({ doing: 'leaving a cookie for chat pages', error })
          }
        }
        return { key: secret, subject, role, namespace }
      },
    }),
    route('POST /v1/logout', {
      summary: 'Make the key that this is sent with worthless, and its cookie. Only a key that a login gave.',
      access: 'people',
      body: logoutBody,
      answers: [noContent('Logged out.')],
      async answer({ c, caller }) {
        await gateway.tokens.logOut(caller.token, caller.actor)
        if (cookie !== undefined) deleteCookie(c, CHAT_COOKIE, { path: cookie.path })
      },
    }),
    route('POST /v1/login/codes', {
      summary: 'Make the single-use code of a login link.',
      access: 'admin',
      body: loginCodeBody,
      answers: [json('The code. It is shown this once.', identityWire.loginCode, 201)],
      async answer({ caller, body }) {
        const { secret, token } = await gateway.tokens.createLogin(body, caller.actor)
        const { expiresAt } = token
        return { code: secret, ...(expiresAt === undefined ? {} : { expiresAt: toTime(expiresAt) }) }
      },
    }),
    route('GET /v1/tokens', {
      summary: 'All tokens, without their secrets.',
      access: 'admin',
      answers: [json('The tokens.', pageWire.pageOf(identityWire.token))],
      async answer({ caller }) {
        const tokens = await gateway.tokens.list(caller.actor)
        const sightings = await gateway.hookSightings.all()
        return { items: tokens.map((token) => tokenToWire(token, sightings.get(token.id))) }
      },
    }),
    route('POST /v1/tokens', {
      summary: 'Make a token.',
      access: 'admin',
      body: tokenBody,
      answers: [json('The token. Its secret is shown this once.', identityWire.credential, 201)],
      async answer({ caller, body }) {
        const { secret, token } = await gateway.tokens.create(body, caller.actor)
        return { secret, token: tokenToWire(token) }
      },
    }),
    route('POST /v1/tokens/{id}/rotate', {
      summary:
        'Make a new token for the same subject, role, scope and time left, and revoke this one. What it asked goes on.',
      access: 'admin',
      answers: [json('The new token. Its secret is shown this once.', identityWire.credential, 201)],
      async answer({ caller, step }) {
        const { secret, token } = await gateway.tokens.rotate(step('id'), caller.actor)
        return { secret, token: tokenToWire(token) }
      },
    }),
    route('DELETE /v1/tokens/{id}', {
      summary:
        "Revoke a token, at once. Revoking it again is a success. With an agent's last one its pending requests and unclaimed approvals are cancelled.",
      access: 'admin',
      answers: [noContent('Revoked.')],
      async answer({ caller, step }) {
        await gateway.tokens.revoke(step('id'), caller.actor)
      },
    }),
  ]
}

/**
 * A secret of its own, not the key: it can do nothing but talk where channels take it. It carries no `Secure`, since we
 * speak plain HTTP and take nobody's word for a proxy in between.
 */
function leaveCookie(c: HttpContext, path: string, { secret, token }: Credential): void {
  const { createdAt, expiresAt } = token
  setCookie(c, CHAT_COOKIE, secret, {
    path,
    httpOnly: true,
    sameSite: 'Strict',
    ...(expiresAt === undefined ? {} : { maxAge: Math.floor((expiresAt - createdAt) / 1000) }),
  })
}
