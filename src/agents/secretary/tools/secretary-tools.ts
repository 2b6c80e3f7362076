/**
 * What the secretary can do: six tools, all on the sessions of the person who talks to it. None decides a request, sets a mode or links
 * an account, and a session is always started in the mode `default`. What is started or sent in other words than the person's is asked
 * about, with the whole text.
 */

import { basename, normalize } from 'node:path'
import { z } from 'zod'
import type { JsonValue } from '../../../core/json/json.ts'
import { reasonOf } from '../../../core/reasons/reason-of.ts'
import { reasonedError } from '../../../core/reasons/reasoned-error.ts'
import type { CodingProgress, CodingSession, Secretary } from '../../../core/secretary.ts'
import type { Actor } from '../../../core/session.ts'
import { type AsksContext, defineTool, type Tool } from '../../tools/tool.ts'
import { markedData } from './marked-data.ts'
import { isSaidByPerson } from './said-by-person.ts'

const MAX_TEXT = 16 * 1024
const MAX_SAID = 2_000
const MAX_LISTED = 50
const MAX_ARGUMENTS = 300

const session = z
  .string()
  .min(1)
  .max(200)
  .describe('The id of the session, as list_coding_sessions gives it.')
const text = z
  .string()
  .min(1)
  .max(MAX_TEXT)
  .describe(
    "What the session is told. Use the person's own words: any others are shown to them for approval.",
  )

const NOT_THEIR_WORDS = 'the secretary wrote this text itself: it is not, word for word, what you wrote'
const NOT_THEIR_FOLDER = 'you did not name this folder in your message'

/** The secretary is asked for when a tool runs: it is made of the host that has this agent. */
export function createSecretaryTools(secretary: () => Secretary): Tool[] {
  /** Also for an administrator: the secretary is theirs, not everybody's. */
  async function own(id: string, owner: Actor): Promise<CodingSession> {
    const found = await secretary().find(id, owner)
    if (found.owner === owner.subject) return found
    throw reasonedError('unknown_id', reasonOf('coding.none', { id }))
  }

  return [
    defineTool({
      name: 'list_coding_sessions',
      description: "Lists the person's coding sessions: folder, state and what each was first told.",
      schema: z.strictObject({}),
      annotations: { readOnlyHint: true },
      async run(_, { owner }) {
        const all = await secretary().list({}, owner)
        const listed = all.filter(({ owner: whose }) => whose === owner.subject).slice(0, MAX_LISTED)
        return { text: markedData('the list of sessions', listed.map(listedSession)) }
      },
    }),
    defineTool({
      name: 'look_into_coding_session',
      description:
        'How far a session is: its state, its latest calls and words, what waits for approval. It does not disturb the session.',
      schema: z.strictObject({ session }),
      annotations: { readOnlyHint: true },
      async run({ session: id }, { owner }) {
        await own(id, owner)
        return {
          text: markedData(`the state of session ${id}`, lookedInto(await secretary().progress(id, owner))),
        }
      },
    }),
    defineTool({
      name: 'start_coding_session',
      description:
        'Starts a coding session in a folder, with a first message. It works in the background; the person is told when it is done.',
      schema: z.strictObject({
        folder: z.string().min(1).max(4096).describe('The folder, by the name that the person gave it.'),
        text,
      }),
      asks: ({ folder, text: words }, context) =>
        becauseOf(words, context) ?? (isNamed(folder, context) ? undefined : NOT_THEIR_FOLDER),
      async run({ folder, text: words }, { owner, origin }) {
        const started = await secretary().start({ folder, text: words, ...(origin ? { origin } : {}) }, owner)
        return { text: `started: session ${started.session.id}` }
      },
    }),
    defineTool({
      name: 'send_to_coding_session',
      description: 'Sends a message to a session. If it works on something, that is interrupted first.',
      schema: z.strictObject({ session, text }),
      asks: ({ text: words }, context) => becauseOf(words, context),
      async run({ session: id, text: words }, { owner, origin }) {
        await own(id, owner)
        await secretary().send(id, { text: words, ...(origin ? { origin } : {}) }, owner)
        return { text: `sent to session ${id}` }
      },
    }),
    defineTool({
      name: 'interrupt_coding_session',
      description: 'Stops what a session works on. It can be talked to again.',
      schema: z.strictObject({ session }),
      async run({ session: id }, { owner }) {
        await own(id, owner)
        const wasRunning = await secretary().interrupt(
          id,
          { kind: 'hard', reason: 'stopped by the secretary' },
          owner,
        )
        return { text: wasRunning ? `session ${id} is stopped` : `nothing is running in session ${id}` }
      },
    }),
    defineTool({
      name: 'close_coding_session',
      description: 'Closes a session. The next message opens it again.',
      schema: z.strictObject({ session }),
      async run({ session: id }, { owner }) {
        await own(id, owner)
        await secretary().close(id, owner)
        return { text: `session ${id} is closed` }
      },
    }),
  ]
}

function becauseOf(text: string, { said }: AsksContext): string | undefined {
  return isSaidByPerson(text, said) ? undefined : NOT_THEIR_WORDS
}

/** By its path or its last name. `secret/.` is called `secret`, and a dot in a message names no folder. */
function isNamed(folder: string, { said }: AsksContext): boolean {
  return [folder, basename(normalize(folder))].some(
    (name) => /[\p{L}\p{N}]/u.test(name) && isSaidByPerson(name, said),
  )
}

function listedSession({ id, folder, state, mode, title = '' }: CodingSession): JsonValue {
  return { session: id, folder, state, mode, title }
}

function lookedInto({ session: id, state, folder, mode, elapsedMs, turn, used }: CodingProgress): JsonValue {
  return {
    session: id,
    state,
    folder,
    mode,
    elapsedSeconds: Math.floor(elapsedMs / 1000),
    turns: used.turns,
    ...(turn === undefined
      ? {}
      : {
          told: cut(turn.text),
          steps: turn.steps,
          calls: turn.calls,
          recentCalls: turn.recent.map(({ tool, arguments: args, state: how }) => ({
            tool,
            arguments: cut(JSON.stringify(args), MAX_ARGUMENTS),
            state: how,
          })),
          waitingForApproval: turn.waiting.map(({ tool, arguments: args }) => ({
            tool,
            arguments: cut(JSON.stringify(args), MAX_ARGUMENTS),
          })),
          said: turn.said.map((each) => cut(each)),
          ...(turn.ended === undefined
            ? {}
            : {
                ended: {
                  status: turn.ended.status,
                  text: cut(turn.ended.text),
                  reason: cut(turn.ended.reason ?? ''),
                },
              }),
        }),
  }
}

function cut(value: string, longest = MAX_SAID): string {
  return value.length > longest ? `${value.slice(0, longest).toWellFormed()}…` : value
}
