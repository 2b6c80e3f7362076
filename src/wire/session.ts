/** Sessions: what they are, and what is asked of them. */
import { z } from 'zod'
import { INTERRUPTION_KINDS } from '../core/conversation.ts'
import { CODING_STATES, SESSION_MODE_NAMES } from '../core/secretary.ts'
import { MODES } from '../core/session.ts'
import { said } from './conversation.ts'
import { named, object, ofCore, optional, strictObject, written } from './named.ts'
import { pageQuery } from './page.ts'
import { errorCode, time } from './values.ts'

const reason = z.string().exactOptional()

export const coding = object('WireCoding', 'What a coding session works on.', {
  folder: z.string().describe('The real path.'),
  agent: z.string(),
  state: z
    .enum(CODING_STATES)
    .describe(
      'asleep: nothing of it runs, and the next message wakes it. waiting: a person is asked. closed: it is not listed, and the next message opens it again. ended: nothing more is said in it.',
    ),
  waitsFor: optional(z.literal('answer'), 'Of one that is waiting: all that it asks are questions.'),
  lastAt: time.describe('Somebody last said something in it.'),
  title: optional(z.string(), 'The first words that were said in it.'),
})

export const heard = object('WireHeard', 'Of a session whose calls come from outside.', {
  at: time.describe('It was last heard.'),
  folder: optional(
    z.string(),
    'Where it works, by its newest call that named a folder, and in its own words.',
  ),
})

export const session = object('WireSession', {
  id: z.string(),
  owner: z.string(),
  parent: z.string().exactOptional(),
  mode: optional(z.string(), 'As it is judged. Absent: the mode of the policy.'),
  createdAt: time,
  ended: z.object({ at: time, by: z.string(), reason }).exactOptional(),
  running: optional(z.string(), 'The turn of our agent that runs there.'),
  coding: optional(coding, 'Of a coding session, for its owner and admins.'),
  heard: optional(
    heard,
    'Of a session whose calls come from outside: of an agent that is connected by its hooks, of an MCP server behind the proxy, of a program that uses this API. For people.',
  ),
  chat: optional(
    z.literal(true),
    "It is a conversation with this server's agent that the reader may read. Told of one session.",
  ),
  modes: optional(
    z.array(ofCore('Mode', 'session.ts', z.enum(MODES))),
    'The modes that the reader may set. Told of one session, to people.',
  ),
})

const yesOrNo = written(
  'boolean',
  z.enum(['true', 'false']).transform((value) => value === 'true'),
)

export const sessionsQuery = z.strictObject({
  ...pageQuery,
  mine: optional(yesOrNo, 'Only those that the reader began.'),
  coding: optional(
    yesOrNo,
    "Only coding sessions that are neither closed nor ended: one's own, and for admins everybody's.",
  ),
  closed: optional(yesOrNo, 'With coding: also those that are closed or ended.'),
  connected: optional(
    yesOrNo,
    'Only sessions whose calls come from outside, such as those of connected agents. A page may be short.',
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
const saidText = z
  .string()
  .min(1)
  .max(256 * 1024)

export const sayBody = z.strictObject({
  text: saidText,
  agent: optional(
    z.string().min(1).max(64),
    'Whom it is said to, in the first message of a session. Absent: the default agent.',
  ),
})

/** The modes of the policy. One that it does not know would deny everything, and nobody would know why. */
const modeName = z
  .enum([...new Set([...MODES, ...SESSION_MODE_NAMES])])
  .describe('bypassPermissions is what coding agents call bypass.')

export const modeBody = z.strictObject({ mode: modeName })

export const startSessionBody = strictObject('StartSessionInput', {
  folder: z
    .string()
    .min(1)
    .max(4096)
    .describe(
      'A path, absolute or from the first of the folders that sessions may use; or the last part of the name of one of them.',
    ),
  text: optional(saidText, 'The first message. Without one the session waits for it.'),
  mode: optional(modeName, 'One that asks less than default needs `modes:` in the configuration.'),
  agent: optional(
    z.string().min(1).max(64),
    "Which of the secretary's agents works there. Absent: the first.",
  ),
})

export const sessionOffers = object('WireSessionOffers', 'What a new coding session can be.', {
  folders: z
    .array(z.string())
    .describe('Where it may work: in these folders, as the configuration has them, and below them.'),
  agents: z.array(z.string()).describe('Who may work there. The first is meant where none is named.'),
  modes: z
    .array(ofCore('Mode', 'session.ts', z.enum(MODES)))
    .describe('In which modes the reader may start one.'),
})

export const startedSession = object('WireStartedSession', {
  session,
  said: optional(said, 'Of the first message.'),
})
