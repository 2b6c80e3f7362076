/** Who somebody is, and the credentials that say so. */
import { z } from 'zod'
import { PERSON_ROLES, TOKEN_USES } from '../core/session.ts'
import { named, object, ofCore, optional, strictObject } from './named.ts'
import { milliseconds, role, time } from './values.ts'

const identityParts = { subject: z.string(), role, namespace: z.string() }

export const identity = named('WireIdentity', z.object(identityParts))

export const login = object('WireLogin', {
  key: z.string().describe('Sent with every call from now on, as a header.'),
  ...identityParts,
})

export const loginBody = z.strictObject({ code: z.string().describe('From the login link.') })

/** The header says which key it is. */
export const logoutBody = z.strictObject({})

export const loginCode = object('WireLoginCode', 'The single-use code of a login link.', {
  code: z.string(),
  expiresAt: time.exactOptional(),
})

export const loginCodeBody = strictObject('LoginCodeInput', {
  subject: z.string(),
  role: ofCore('PersonRole', 'session.ts', z.enum(PERSON_ROLES)),
})

export const token = object('WireToken', {
  use: ofCore('TokenUse', 'session.ts', z.enum(TOKEN_USES)).describe(
    'login: a single-use code for a login link. cookie: what a login leaves in a browser for chat pages.',
  ),
  id: z.string(),
  ...identityParts,
  label: z.string().exactOptional(),
  scope: optional(
    z.string(),
    'All that it is good for: hooks:codex is the hook of Codex, mcp:files the proxy in front of the MCP server files. Absent: what its role may.',
  ),
  lastHook: optional(
    z.object({ at: time, session: z.string() }),
    "When a coding agent's hook last came with it, and in which session. A new session is told at once, the same one at most once a minute.",
  ),
  createdAt: time,
  createdBy: z.string(),
  expiresAt: time.exactOptional(),
  revokedAt: time.exactOptional(),
})

export const tokenBody = strictObject('TokenInput', {
  role,
  subject: z.string(),
  label: z.string().exactOptional(),
  expiresInMs: milliseconds.exactOptional(),
  scope: optional(
    z.string(),
    'hooks: and the name of a coding agent, or mcp: and the name of an MCP server. The token is then good for POST /v1/hooks/{agent} of that agent, or for /v1/mcp/{server} and below, and for nothing else; its role must be agent.',
  ),
})

export const credential = object(
  'WireCredential',
  'A credential that was just made. The secret is shown this once.',
  { secret: z.string(), token },
)
