/** Sessions: what they are, and what is asked of them. */
import { z } from 'zod'
import { INTERRUPTION_KINDS } from '../core/conversation.ts'
import { SESSION_MODE_NAMES } from '../core/secretary.ts'
import { MODES } from '../core/session.ts'
import { named, object, ofCore, optional, written } from './named.ts'
import { pageQuery } from './page.ts'
import { errorCode, time } from './values.ts'

const reason = z.string().exactOptional()

export const session = object('WireSession', {
  id: z.string(),
  owner: z.string(),
  parent: z.string().exactOptional(),
  mode: optional(z.string(), 'As it is judged. Absent: the mode of the policy.'),
  createdAt: time,
  ended: z.object({ at: time, by: z.string(), reason }).exactOptional(),
  running: optional(z.string(), 'The turn of our agent that runs there.'),
  modes: optional(
    z.array(ofCore('Mode', 'session.ts', z.enum(MODES))),
    'The modes that the reader may set. Told of one session, to people.',
  ),
})

export const sessionsQuery = z.strictObject({
  ...pageQuery,
  mine: optional(
    written(
      'boolean',
      z.enum(['true', 'false']).transform((value) => value === 'true'),
    ),
    'Only those that the reader began.',
  ),
})

export const sessionRow = named(
  'WireSessionRow',
  session.extend({
    title: optional(
      z.string(),
      'How a conversation with our agent began, in a line; absent for other sessions.',
    ),
    lastAt: time.describe('Something last happened.'),
  }),
)

export const stopped = object('WireStopped', "What interrupting a session's turn did.", {
  stopped: z.array(z.string()).describe('The requests that were cancelled or told to stop.'),
  refused: z
    .array(z.object({ id: z.string(), code: errorCode, detail: z.string() }))
    .describe('Those that could not be, and why.'),
  interrupted: optional(z.boolean(), 'Whether a turn of our agent ran there and was interrupted.'),
})

export const reasonBody = z.strictObject({
  reason: z
    .string()
    .max(16 * 1024)
    .exactOptional(),
})

export const stopBody = named(
  'StopInput',
  reasonBody.extend({
    how: optional(
      ofCore('InterruptionKind', 'conversation.ts', z.enum(INTERRUPTION_KINDS)),
      'graceful lets what runs finish; hard, which is meant without it, tells that to stop too.',
    ),
  }),
)

/** Long enough for a document that is pasted in. */
export const sayBody = z.strictObject({
  text: z
    .string()
    .min(1)
    .max(256 * 1024),
  agent: optional(
    z.string().min(1).max(64),
    'Whom it is said to, in the first message of a session. Absent: the default agent.',
  ),
})

/** The modes of the policy. One that it does not know would deny everything, and nobody would know why. */
export const modeBody = z.strictObject({
  mode: z
    .enum([...new Set([...MODES, ...SESSION_MODE_NAMES])])
    .describe('bypassPermissions is what coding agents call bypass.'),
})
