/** `banksman sessions close` */
import { saySessionAction } from '../../../display/words/session-actions.ts'
import { defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import { CONNECTION_OPTIONS, connect } from '../../connection/connect.ts'
import { EXIT } from '../../output/failures.ts'
import { safeJson, visible } from '../../output/safe-text.ts'
import { findSession } from '../../sessions/find-session.ts'
import { sessionWords } from '../../sessions/session-words.ts'

const close = saySessionAction('close', 'en')

export const sessionsClose = defineCommand({
  about: `${close.about}
Nothing is lost. To only interrupt it: \`banksman sessions stop\`. To end it for good: the page Sessions of the inbox.

Name the session by its id, the beginning of its id, or its folder if only one session works there.`,
  positionals: [{ name: 'session', required: true }],
  options: { ...JSON_OPTION, ...CONNECTION_OPTIONS },
  examples: [{ line: 'banksman sessions close shop', about: 'when it is done' }],
  async run({ values, positionals: [written = ''] }, context) {
    const { terminal } = context
    const client = await connect(values, context)
    const session = await client.closeSession(await findSession(client, written))
    terminal.print(
      values.json ? safeJson(session, 2) : sessionWords(terminal.locale).closed(visible(session.id)),
    )
    return EXIT.done
  },
})
