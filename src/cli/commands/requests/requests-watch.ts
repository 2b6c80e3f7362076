/** `banksman requests watch` */
import { defineCommand } from '../../command-line/command.ts'
import { CONNECTION_OPTIONS, connect, inboxUrl } from '../../connection/connect.ts'
import { EXIT, usageError } from '../../output/failures.ts'
import { watchRequests } from '../../watch/watch-requests.ts'

export const requestsWatch = defineCommand({
  about: `Shows each request that you may decide, whole, as it comes in, and takes your answer by a key:

  y  approve             n  reject, with a reason       e  edit in $EDITOR, then approve
  s  skip                w  every argument in full      a  approve, and allow more from now on
  r  respond instead     t  end the session             A  approve all that wait, after seeing each
  ?  help                q  quit

Grave calls need the word yes. Keys count only after a request has been on the screen for half a second, so that what
you were typing does not approve something you have not seen. Questions are answered by number or in your own words.
If somebody else is faster, or the time is over, you are told at once.`,
  options: { ...CONNECTION_OPTIONS },
  examples: [
    { line: 'banksman requests watch', about: 'as the owner of the data folder' },
    {
      line: 'banksman requests watch --url https://banksman.example --token-file ~/.banksman-token',
      about: 'a server elsewhere',
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
