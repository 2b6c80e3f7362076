/** `banksman sessions stop` */
import { defined } from '../../../core/defined.ts'
import { saySessionAction } from '../../../display/words/session-actions.ts'
import { defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import { CONNECTION_OPTIONS, connect } from '../../connection/connect.ts'
import { EXIT } from '../../output/failures.ts'
import { rendered, safeJson, visible } from '../../output/safe-text.ts'
import { findSession } from '../../sessions/find-session.ts'
import { sessionWords } from '../../sessions/session-words.ts'

const stop = saySessionAction('stop', 'en')

export const sessionsStop = defineCommand({
  about: `${stop.about}
Running calls are told to stop. To close the session too: \`banksman sessions close\`. To end it for good: the page Sessions of the inbox.

With --graceful, running calls may finish, nothing new starts, and the agent may write a last message. Name the session by its id, the
beginning of its id, or its folder if only one session works there.`,
  positionals: [{ name: 'session', required: true }],
  options: {
    graceful: { kind: 'flag', about: 'let running calls finish' },
    reason: { kind: 'text', value: 'TEXT', about: 'why, for the record' },
    ...JSON_OPTION,
    ...CONNECTION_OPTIONS,
  },
  examples: [
    { line: 'banksman sessions stop shop', about: 'at once' },
    { line: 'banksman sessions stop shop --graceful', about: 'after the running calls' },
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
