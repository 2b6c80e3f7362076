/** `banksman demo` */
import { isClientError } from '../../client/index.ts'
import { defineCommand, JSON_OPTION } from '../command-line/command.ts'
import { CONNECTION_OPTIONS, connect, inboxUrl } from '../connection/connect.ts'
import { CommandFailure, EXIT } from '../output/failures.ts'
import { safeJson, visible } from '../output/safe-text.ts'

export const demo = defineCommand({
  about: `Runs the demonstration again, on a server that was started with \`banksman start --demo\`. Its agent makes one call that is
allowed, one that is denied and three that need approval; a coding session beside it fixes a failing test. Decide the requests in the
inbox or with \`banksman requests watch\`.`,
  options: { ...JSON_OPTION, ...CONNECTION_OPTIONS },
  examples: [{ line: 'banksman demo', about: 'run it again' }],
  async run({ values }, context) {
    const { terminal } = context
    const client = await connect(values, context)
    const started = await client.runDemonstration().catch((error) => {
      if (!isClientError(error, 'unknown_route')) throw error
      throw new CommandFailure(
        'no_demonstration',
        'this server has no demonstration. Stop it, and start one with: banksman start --demo',
      )
    })
    if (values.json) terminal.print(safeJson(started, 2))
    else {
      terminal.print(
        `The demonstration is running again, in the conversation ${visible(started.session ?? '')}`,
      )
      terminal.note(`Decide its requests at ${inboxUrl(values, context)}/ or with: banksman requests watch`)
    }
    return EXIT.done
  },
})
