/** `banksman sessions send` */
import { defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import { CONNECTION_OPTIONS, connect } from '../../connection/connect.ts'
import { EXIT, usageError } from '../../output/failures.ts'
import { safeJson, visible } from '../../output/safe-text.ts'
import { findSession } from '../../sessions/find-session.ts'
import { followTurn } from '../../sessions/follow-turn.ts'
import { sessionWords } from '../../sessions/session-words.ts'

export const sessionsSend = defineCommand({
  about: `Sends a message to a session and returns at once. If the session is working, the message interrupts it and starts a new turn; some
agents take the message into account without stopping. A session that is asleep wakes up, and a closed one opens again.

Name the session by its id, the beginning of its id, or its folder if only one session works there.

With --watch the command stays until the turn is over and shows what the session does, as with \`sessions start\`: the exit code
is 0 if the turn was completed, and 1 otherwise. Ctrl-C leaves; the session continues.`,
  positionals: [
    { name: 'session', required: true },
    { name: 'message', required: true },
  ],
  options: {
    watch: { kind: 'flag', about: 'show what it does until the turn is over' },
    json: {
      ...JSON_OPTION.json,
      about: 'print JSON, for programs; with --watch, one event per line follows',
    },
    ...CONNECTION_OPTIONS,
  },
  examples: [
    { line: 'banksman sessions send shop "and now run all tests"', about: 'by the name of its folder' },
    { line: 'banksman sessions send ses_1hf7 "why?" --watch', about: 'by the beginning of its id, and wait' },
  ],
  async run({ values, positionals: [written = '', text = ''] }, context) {
    const { terminal } = context
    if (text.trim() === '') throw usageError('<message> is empty: write what the session is to do')
    const client = await connect(values, context)
    const session = await findSession(client, written)
    const said = await client.say(session, text)
    const words = sessionWords(terminal.locale)
    const id = visible(session)
    if (values.json) terminal.print(safeJson({ session, ...said }, values.watch ? undefined : 2))
    else {
      const line = said.kind === 'begun' ? words.sent(id) : words.steered(id)
      if (values.watch) terminal.note(line)
      else terminal.print(line)
    }
    if (values.watch) return followTurn(client, { ...said, session }, terminal, values.json ? 'json' : 'text')
    if (!values.json) terminal.note(words.howFar(id))
    return EXIT.done
  },
})
