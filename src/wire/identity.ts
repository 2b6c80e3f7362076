/** Who somebody is, and the credentials that say so. */
import { z } from 'zod'
import { PERSON_ROLES, TOKEN_USES } from '../core/session.ts'
import { named, ofCore } from './named.ts'
import { role, time } from './values.ts'

const identityParts = { subject: z.string(), role, namespace: z.string() }

export const identity = named('WireIdentity', z.object(identityParts))

export const login = named(
  'WireLogin',
  z.object({
    key: z.string().describe('Sent with every call from now on, as a header.'),
    ...identityParts,
  }),
)

export const loginBody = z.strictObject({ code: z.string().describe('From the login link.') })

/** The header says which key it is. */
export const logoutBody = z.strictObject({})

export const loginCode = named(
  'WireLoginCode',
  z
    .object({ code: z.string(), expiresAt: time.exactOptional() })
    .describe('The single-use code of a login link.'),
)

export const loginCodeBody = named(
  'LoginCodeInput',
  z.strictObject({ subject: z.string(), role: ofCore('PersonRole', 'session.ts', z.enum(PERSON_ROLES)) }),
)

export const token = named(
  'WireToken',
  z.object({
    use: ofCore('TokenUse', 'session.ts', z.enum(TOKEN_USES)).describe(
      'login: a single-use code for a login link. cookie: what a login leaves in a browser for chat pages.',
    ),
    id: z.string(),
    ...identityParts,
    label: z.string().exactOptional(),
    createdAt: time,
    createdBy: z.string(),
    expiresAt: time.exactOptional(),
    revokedAt: time.exactOptional(),
  }),
)

export const tokenBody = named(
  'TokenInput',
  z.strictObject({
    role,
    subject: z.string(),
    label: z.string().exactOptional(),
    expiresInMs: z.number().exactOptional(),
  }),
)

export const credential = named(
  'WireCredential',
  z
    .object({ secret: z.string(), token })
    .describe('A credential that was just made. The secret is shown this once.'),
)
