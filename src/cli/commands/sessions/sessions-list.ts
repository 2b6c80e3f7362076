/** `banksman sessions list` */
import type { WirePage, WireSessionRow } from '../../../client/index.ts'
import { defined } from '../../../core/defined.ts'
import { defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import { CONNECTION_OPTIONS, connect } from '../../connection/connect.ts'
import { EXIT, usageError } from '../../output/failures.ts'
import { safeJson, visible } from '../../output/safe-text.ts'
import { sessionLine } from '../../sessions/session-text.ts'
import { sessionWords } from '../../sessions/session-words.ts'
import { watchChanges } from '../../sessions/watch-changes.ts'

const MOST = 200

export const sessionsList = defineCommand({
  about: `Lists your coding sessions, the newest first; administrators see everybody's. Each line has what the session is doing, the beginning of
the first message, when somebody last wrote to it, its folder, its mode unless that is default, its owner, and its id.

asleep means that nothing of it runs; the next message wakes it. Closed sessions are listed with --closed; the next message opens
them again.`,
  options: {
    mine: { kind: 'flag', about: 'only your own, for administrators' },
    closed: { kind: 'flag', about: 'also those that were closed, or have ended' },
    watch: { kind: 'flag', about: 'keep the list on the screen up to date; Ctrl-C leaves' },
    limit: { kind: 'text', value: 'NUMBER', about: `how many, at most ${MOST} (default: 50)` },
    cursor: { kind: 'text', value: 'CURSOR', about: 'continue after the last page' },
    json: { ...JSON_OPTION.json, about: 'print JSON, for programs; with --watch a line each time' },
    ...CONNECTION_OPTIONS,
  },
  examples: [
    { line: 'banksman sessions list', about: 'list sessions and what each is doing' },
    { line: 'banksman sessions list --watch', about: 'the same, kept up to date on the screen' },
    { line: "banksman sessions list --json | jq '.items[].id'", about: 'for programs' },
  ],
  async run({ values }, context) {
    const { terminal } = context
    const { locale, paint, columns } = terminal
    const words = sessionWords(locale)
    const { mine, closed, cursor } = values
    const query = { coding: true, mine, closed, limit: limitOf(values.limit), ...defined({ cursor }) }
    const client = await connect(values, context)
    const text = ({ items }: WirePage<WireSessionRow>) =>
      items.length === 0
        ? words.none
        : items.map((row) => sessionLine(row, { locale, paint, columns, now: Date.now() })).join('\n')
    if (values.watch) {
      const read = (signal: AbortSignal) => client.sessions(query, { signal })
      await watchChanges(terminal, { read, text, steady: (page) => page }, values.json ? 'json' : 'text')
      return EXIT.done
    }
    const page = await client.sessions(query)
    if (values.json) terminal.print(safeJson(page, 2))
    else if (page.items.length === 0) terminal.note(words.none)
    else terminal.print(text(page))
    if (!values.json && page.cursor !== undefined) terminal.note(words.more(visible(page.cursor)))
    return EXIT.done
  },
})

function limitOf(text: string | undefined): number {
  if (text === undefined) return 50
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > MOST)
    throw usageError(`--limit must be a number from 1 to ${MOST}; found ${visible(text)}`)
  return limit
}
