/** `banksman requests show` */
import { defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import { CONNECTION_OPTIONS, connect } from '../../connection/connect.ts'
import { EXIT } from '../../output/failures.ts'
import { requestText } from '../../output/request-text.ts'
import { safeJson } from '../../output/safe-text.ts'
import { suggestionsOf, suggestionsText } from '../../output/suggestion-text.ts'

export const requestsShow = defineCommand({
  about: `Shows one request: the call whole, why it is asked, of whom, and what became of it. Characters that can't be
seen are written out, and values that have the shape of a secret are masked. Where it waits for you, it is followed
by what you could allow beyond this one call, and what that would have matched in the last 30 days.

--arguments prints every argument at its full length. --reveal looks under the masks; that is written down in the
journal, with your name, and only who may decide the request may do it.`,
  positionals: [{ name: 'id', required: true }],
  options: {
    arguments: { kind: 'flag', about: 'print the arguments alone, as JSON, at their full length' },
    reveal: {
      kind: 'flag',
      about: 'print the arguments alone, without masks; it is on the record who looked',
    },
    ...JSON_OPTION,
    ...CONNECTION_OPTIONS,
  },
  examples: [
    { line: 'banksman requests show req_01hx…', about: 'one request, for reading' },
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
