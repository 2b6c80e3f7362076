/**
 * Credentials. A token has a role, a subject and a namespace, and is stored as a hash. A login code is a token that
 * can be exchanged once for a key; the page that the owner opens does that. No agent's credential can make, list or
 * revoke any of them (P11).
 */

import { defined } from '../../core/defined.ts'
import { digestOf } from '../../core/digest.ts'
import { BanksmanError } from '../../core/errors.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import { type Actor, type PersonRole, ROLES, type Role } from '../../core/session.ts'
import { isMcpServerName } from '../../core/support/mcp-names.ts'
import { isDuration, MAX_DURATION_MS } from '../../core/time/duration.ts'
import type { Store, Token } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import type { JournalWriter } from '../record/journal-writer.ts'
import { createFindTokens, isLive } from './find-tokens.ts'

export interface NewToken {
  role: Role
  subject: string
  label?: string
  expiresInMs?: number
  /**
   * `hooks:<agent>`: good for the hook of that coding agent, and for nothing else. `mcp:<server>`: for the proxy in front of that MCP server.
   * Only for the role agent.
   */
  scope?: string
}

export interface Credential {
  /** Shown once and never stored. */
  secret: string
  token: Token
}

export interface CredentialVerbs {
  create(input: NewToken, actor: Actor): Promise<Credential>
  /** A single-use code for a login link. */
  createLogin(input: { subject: string; role: PersonRole }, actor: Actor): Promise<Credential>
  /** Exchanges a login code for a key; throws `unauthenticated` when the code was used, has expired or is unknown. */
  login(code: string): Promise<Credential>
  /**
   * A secret of its own for a browser to keep as a cookie, for the person whose key it is. It is accepted by
   * `authenticateCookie` alone, and as long as the key is.
   */
  createCookie(key: Token): Promise<Credential>
  /** Those too that no longer hold, but for login links: what came of them is in the journal. */
  list(actor: Actor): Promise<Token[]>
  revoke(id: string, actor: Actor): Promise<void>
  /** Makes the actor's own key worthless, and the cookies that came with it. Only a key that a login gave. */
  logOut(id: string, actor: Actor): Promise<void>
  /**
   * Whose credential this is; undefined for anything that is not a live one. One that has a scope counts only where exactly that is
   * asked for: everywhere else it is `forbidden`.
   */
  authenticate(secret: string, scope?: string): Promise<Token | undefined>
  /** The same for a cookie. */
  authenticateCookie(secret: string): Promise<Token | undefined>
  /** Whether a credential that was known is so still. */
  isValid(token: Token): Promise<boolean>
}

export interface TokenPorts {
  store: Pick<Store, 'now' | 'tokens'>
  journal: JournalWriter
  host: Pick<Host, 'random' | 'newId'>
  /** The only one whose tokens count here. */
  namespace: string
}

/** Long enough to walk over to the browser, too short to be found in a log later. */
const LOGIN_WITHIN_MS = 15 * 60_000
/** A browser's key, or that of the command line. After this the person logs in again. */
export const KEY_FOR_MS = 90 * 24 * 60 * 60_000
const MAX_NAME = 128

export function createTokenVerbs({ store, journal, host, namespace }: TokenPorts): CredentialVerbs {
  const find = createFindTokens(store, namespace)

  function make(input: NewToken, use: Token['use'], actor: Actor): Credential {
    const prefix = use === 'login' ? 'bml' : use === 'cookie' ? 'bmc' : input.role === 'agent' ? 'bma' : 'bmp'
    const secret = `${prefix}_${Buffer.from(host.random.bytes(32)).toString('base64url')}`
    const now = store.now()
    const token: Token = {
      id: host.newId('tok'),
      secretHash: digestOf(secret),
      role: input.role,
      subject: input.subject,
      namespace,
      ...defined({ label: input.label, scope: input.scope }),
      createdAt: now,
      createdBy: actor.subject,
      ...(input.expiresInMs === undefined ? {} : { expiresAt: now + input.expiresInMs }),
      use,
    }
    return { secret, token }
  }

  function entryFor({ token }: Credential, actor: Actor) {
    const { id, role, subject, use, scope } = token
    return journal.entry('token.created', {
      token: id,
      role,
      subject,
      use,
      ...defined({ scope }),
      by: actor.subject,
      via: actor.via,
    })
  }

  async function revokeOne(id: string, actor: Actor): Promise<boolean> {
    const entry = journal.entry('token.revoked', { token: id, by: actor.subject, via: actor.via })
    return store.tokens.revoke(id, entry)
  }

  return {
    async create(input, actor) {
      admin(actor, 'make tokens')
      checkInput(input)
      const credential = make(input, 'bearer', actor)
      await store.tokens.create(credential.token, entryFor(credential, actor))
      return credential
    },
    async createLogin({ subject, role }, actor) {
      admin(actor, 'make login links')
      checkInput({ subject, role })
      const credential = make({ subject, role, expiresInMs: LOGIN_WITHIN_MS }, 'login', actor)
      await store.tokens.create(credential.token, entryFor(credential, actor))
      return credential
    },
    async login(code) {
      const token = typeof code === 'string' ? await find.bySecret(code, 'login') : undefined
      if (token !== undefined) {
        const by: Actor = { subject: token.subject, role: token.role, via: 'login' }
        const made = make(
          { role: token.role, subject: token.subject, label: 'browser', expiresInMs: KEY_FOR_MS },
          'bearer',
          by,
        )
        const key: Credential = { ...made, token: { ...made.token, isFromLogin: true } }
        if (await store.tokens.exchange(token.id, key.token, entryFor(key, by))) return key
      }
      throw reasonedError('unauthenticated', reasonOf('access.login-used'))
    },
    async createCookie(key) {
      if (key.use !== 'bearer' || key.role === 'agent') {
        throw new BanksmanError('forbidden', "a cookie is made for a person's key only")
      }
      const { role, subject, expiresAt } = key
      const by: Actor = { subject, role, via: 'login' }
      const { secret, token } = make({ role, subject, label: 'chat page' }, 'cookie', by)
      const cookie: Credential = {
        secret,
        token: { ...token, ...defined({ expiresAt }), keyHash: key.secretHash },
      }
      await store.tokens.create(cookie.token, entryFor(cookie, by))
      return cookie
    },
    async list(actor) {
      admin(actor, 'list tokens')
      const tokens = (await store.tokens.list()).filter((token) => token.namespace === namespace)
      return tokens.filter((token) => token.use !== 'login' || isLive(token, store.now()))
    },
    async revoke(id, actor) {
      admin(actor, 'revoke tokens')
      const found = (await store.tokens.list()).find((token) => token.id === id)
      // One that can't be read is in no list; its id is enough.
      const isOurs = found === undefined || found.namespace === namespace
      const isChanged = isOurs && (await revokeOne(id, actor))
      if (!isOurs || (found === undefined && !isChanged))
        throw reasonedError('unknown_id', reasonOf('access.no-token', { id }))
    },
    async logOut(id, actor) {
      const tokens = (await store.tokens.list()).filter((token) => token.namespace === namespace)
      const key = tokens.find((token) => token.id === id && token.use === 'bearer')
      if (key === undefined || key.subject !== actor.subject || key.role !== actor.role) {
        throw reasonedError('unknown_id', reasonOf('access.no-token-yours', { id }))
      }
      if (key.role === 'agent' || key.isFromLogin !== true) {
        throw reasonedError('forbidden', reasonOf('access.not-from-login', { id }))
      }
      // The key first: from then on its cookies let nobody in, whatever becomes of the rest.
      await revokeOne(id, actor)
      for (const cookie of tokens) {
        if (cookie.use === 'cookie' && cookie.keyHash === key.secretHash) await revokeOne(cookie.id, actor)
      }
    },
    async authenticate(secret, scope) {
      const token = await find.bySecret(secret, 'bearer')
      if (token?.scope === undefined || token.scope === scope) return token
      throw new BanksmanError(
        'forbidden',
        `this token is good for ${token.scope} only; make one without --scope for anything else`,
      )
    },
    authenticateCookie: async (secret) => find.cookie(digestOf(secret)),
    isValid: find.isValid,
  }
}

function admin(actor: Actor, what: string): void {
  if (actor.role !== 'admin') {
    throw new BanksmanError('forbidden', `only an admin can ${what}; this credential is ${actor.role}'s`)
  }
}

/** The names are those of the coding agents, which are not known here. */
const HOOK_SCOPE = /^hooks:[a-z][a-z0-9-]{0,63}$/

function isScope(scope: string): boolean {
  const [, server] = /^mcp:(.+)$/.exec(scope) ?? []
  return server === undefined ? HOOK_SCOPE.test(scope) : isMcpServerName(server)
}

function checkInput({ role, subject, label, expiresInMs, scope }: NewToken): void {
  if (!ROLES.includes(role)) invalid(`role must be one of ${ROLES.join(', ')}; found ${JSON.stringify(role)}`)
  if (
    typeof subject !== 'string' ||
    subject === '' ||
    subject.length > MAX_NAME ||
    /[\p{C}\p{Z}]/u.test(subject)
  ) {
    invalid(`subject must be a name of 1 to ${MAX_NAME} visible characters without spaces`)
  }
  if (label !== undefined && (typeof label !== 'string' || label.length > MAX_NAME || /\p{C}/u.test(label))) {
    invalid(`label must be a text of at most ${MAX_NAME} characters`)
  }
  if (expiresInMs !== undefined && !isDuration(expiresInMs)) {
    invalid(
      `expiresInMs must be a whole number of milliseconds from 1 to ${MAX_DURATION_MS}, which is ten years; found ${JSON.stringify(expiresInMs)}`,
    )
  }
  if (scope === undefined) return
  if (typeof scope !== 'string' || !isScope(scope))
    invalid(
      `scope must be hooks: and the name of a coding agent, as in hooks:codex, or mcp: and the name of an MCP server, as in mcp:files; found ${JSON.stringify(scope)}`,
    )
  if (role !== 'agent')
    invalid(`only a token of the role agent can have a scope; this one is of the role ${role}`)
}

function invalid(message: string): never {
  throw new BanksmanError('invalid', message)
}
