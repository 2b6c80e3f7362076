/** `banksman requests show` */
import { defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import { CONNECTION_OPTIONS, connect } from '../../connection/connect.ts'
import { EXIT } from '../../output/failures.ts'
import { requestText } from '../../output/request-text.ts'
import { safeJson } from '../../output/safe-text.ts'
import { suggestionsOf, suggestionsText } from '../../output/suggestion-text.ts'

export const requestsShow = defineCommand({
  about: `Shows one request: the whole call, why it needs approval and from whom, and what became of it. Hidden characters are written out, and
values that look like secrets are masked. If you can decide it, the approvals that you could remember follow, with the calls that each
would have matched in the last 30 days.

--arguments prints every argument in full. --reveal also prints masked values: only people who may decide the request can do that, and the
journal records who did.`,
  positionals: [{ name: 'id', required: true }],
  options: {
    arguments: { kind: 'flag', about: 'print only the arguments, as JSON, in full' },
    reveal: {
      kind: 'flag',
      about: 'print only the arguments, without masks; the journal records that you looked',
    },
    ...JSON_OPTION,
    ...CONNECTION_OPTIONS,
  },
  examples: [
    { line: 'banksman requests show req_01hx…', about: 'show one request' },
    { line: 'banksman requests show req_01hx… --json', about: 'the same for programs' },
  ],
  async run({ values, positionals: [id = ''] }, context) {
    const { terminal } = context
    const client = await connect(values, context)
    if (values.reveal) {
      terminal.print(safeJson((await client.reveal(id)).arguments, 2))
      return EXIT.done
    }
    const request = await client.get(id)
    if (values.arguments) {
      terminal.print(safeJson(request.arguments, 2))
      return EXIT.done
    }
    const suggestions = await suggestionsOf(client, request)
    if (values.json) {
      terminal.print(safeJson({ ...request, ...(suggestions.length === 0 ? {} : { suggestions }) }, 2))
      return EXIT.done
    }
    const { locale, paint, columns } = terminal
    const options = { locale, paint, columns, now: Date.now() }
    terminal.print(requestText(request, options))
    if (suggestions.length > 0) terminal.print(`\n${suggestionsText(suggestions, options)}`)
    return EXIT.done
  },
})
