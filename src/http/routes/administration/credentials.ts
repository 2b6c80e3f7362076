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
import { publicRoute, type Route, route } from '../route.ts'

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
    route({
      method: 'GET',
      path: '/v1/me',
      summary: 'Whose credential this is.',
      access: 'anyone',
      answers: [{ status: 200, description: 'The identity.', schema: identityWire.identity }],
      answer: ({ c, caller }) => c.json(identityOf(caller)),
    }),
    // The code in the body is the credential.
    publicRoute({
      method: 'POST',
      path: '/v1/login',
      summary: 'Exchange the single-use code of a login link for a key.',
      body: loginBody,
      answers: [{ status: 200, description: 'The key, and whose it is.', schema: identityWire.login }],
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
        return c.json({ key: secret, subject, role, namespace })
      },
    }),
    route({
      method: 'POST',
      path: '/v1/logout',
      summary: 'Make the key that this is sent with worthless, and its cookie. Only a key that a login gave.',
      access: 'people',
      body: logoutBody,
      answers: [{ status: 204, description: 'Logged out.' }],
      async answer({ c, caller }) {
        await gateway.tokens.logOut(caller.token, caller.actor)
        if (cookie !== undefined) deleteCookie(c, CHAT_COOKIE, { path: cookie.path })
        return c.body(null, 204)
      },
    }),
    route({
      method: 'POST',
      path: '/v1/login/codes',
      summary: 'Make the single-use code of a login link.',
      access: 'admin',
      body: loginCodeBody,
      answers: [
        { status: 201, description: 'The code. It is shown this once.', schema: identityWire.loginCode },
      ],
      async answer({ c, caller, body }) {
        const { secret, token } = await gateway.tokens.createLogin(body, caller.actor)
        const { expiresAt } = token
        return c.json(
          { code: secret, ...(expiresAt === undefined ? {} : { expiresAt: toTime(expiresAt) }) },
          201,
        )
      },
    }),
    route({
      method: 'GET',
      path: '/v1/tokens',
      summary: 'All tokens, without their secrets.',
      access: 'admin',
      answers: [{ status: 200, description: 'The tokens.', schema: pageWire.pageOf(identityWire.token) }],
      async answer({ c, caller }) {
        return c.json({ items: (await gateway.tokens.list(caller.actor)).map(tokenToWire) })
      },
    }),
    route({
      method: 'POST',
      path: '/v1/tokens',
      summary: 'Make a token.',
      access: 'admin',
      body: tokenBody,
      answers: [
        {
          status: 201,
          description: 'The token. Its secret is shown this once.',
          schema: identityWire.credential,
        },
      ],
      async answer({ c, caller, body }) {
        const { secret, token } = await gateway.tokens.create(body, caller.actor)
        return c.json({ secret, token: tokenToWire(token) }, 201)
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/tokens/{id}',
      summary: 'Revoke a token, at once. Revoking it again is a success.',
      access: 'admin',
      answers: [{ status: 204, description: 'Revoked.' }],
      async answer({ c, caller, step }) {
        await gateway.tokens.revoke(step('id'), caller.actor)
        return c.body(null, 204)
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
