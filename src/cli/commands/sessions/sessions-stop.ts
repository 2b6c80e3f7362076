/** `banksman sessions stop` */
import { defined } from '../../../core/defined.ts'
import { defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import { CONNECTION_OPTIONS, connect } from '../../connection/connect.ts'
import { EXIT } from '../../output/failures.ts'
import { rendered, safeJson, visible } from '../../output/safe-text.ts'
import { findSession } from '../../sessions/find-session.ts'
import { sessionWords } from '../../sessions/session-words.ts'

export const sessionsStop = defineCommand({
  about: `Interrupts what a session is doing. What waits for a person there is withdrawn, and what runs is told to stop. The
session stays: the next message goes on with it.

With --graceful what runs may finish, nothing new begins, and the agent may say a last word. The session is named by
its id, the beginning of one, or the name of its folder where only one works there.`,
  positionals: [{ name: 'session', required: true }],
  options: {
    graceful: { kind: 'flag', about: 'let what runs finish' },
    reason: { kind: 'text', value: 'TEXT', about: 'why; it is on the record' },
    ...JSON_OPTION,
    ...CONNECTION_OPTIONS,
  },
  examples: [
    { line: 'banksman sessions stop shop', about: 'at once' },
    { line: 'banksman sessions stop shop --graceful', about: 'after what runs now' },
  ],
  async run({ values, positionals: [written = ''] }, context) {
    const { terminal } = context
    const client = await connect(values, context)
    const session = await findSession(client, written)
    const result = await client.stopSession(session, {
      how: values.graceful ? 'graceful' : 'hard',
      ...defined({ reason: values.reason }),
    })
    const { interrupted = false, stopped, refused } = result
    if (values.json) terminal.print(safeJson(result, 2))
    else {
      const words = sessionWords(terminal.locale)
      const didStop = interrupted || stopped.length > 0
      terminal.print(didStop ? words.stopped(visible(session)) : words.nothingRan(visible(session)))
      for (const { id, detail } of refused) terminal.note(words.notStopped(visible(id), rendered(detail)))
    }
    return refused.length === 0 ? EXIT.done : EXIT.failed
  },
})
