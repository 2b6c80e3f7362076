/** `banksman requests watch` */
import { defineCommand } from '../../command-line/command.ts'
import { CONNECTION_OPTIONS, connect, inboxUrl } from '../../connection/connect.ts'
import { EXIT, usageError } from '../../output/failures.ts'
import { watchRequests } from '../../watch/watch-requests.ts'

export const requestsWatch = defineCommand({
  about: `Shows each request that you can decide, in full, as it comes in. You decide with a key:

  y  approve             n  reject, with a reason       e  edit in $EDITOR, then approve
  s  skip                w  show all arguments in full  a  approve, and remember it for later calls
  r  respond instead     t  end the session             A  approve all pending, after seeing each
  ?  help                q  quit

A high-risk call asks you to type yes. Keys count only after a request has been on the screen for half a second, so that what you were
typing can't approve something that you haven't seen. Answer questions by number or in your own words. If somebody else decides first,
or the request expires, you are told at once.`,
  options: { ...CONNECTION_OPTIONS },
  examples: [
    {
      line: 'banksman requests watch',
      about: 'requests of the server on this data folder, whose owner needs no token',
    },
    {
      line: 'banksman requests watch --url https://banksman.example --token-file ~/.banksman-token',
      about: 'requests of a server elsewhere',
    },
  ],
  async run({ values }, context) {
    if (!context.terminal.isInteractive) {
      throw usageError(
        'this needs a terminal with a person at it. In scripts use `requests list --json`, `requests approve` and `requests reject`',
      )
    }
    await watchRequests(await connect(values, context), inboxUrl(values, context), context)
    return EXIT.done
  },
})
