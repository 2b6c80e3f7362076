/** `banksman journal export` */
import { once } from 'node:events'
import { exportJournal } from '../../../journal/export-journal.ts'
import { openLocalJournal } from '../../../server/installation/open-local-journal.ts'
import { defineCommand } from '../../command-line/command.ts'
import { CONNECTION_OPTIONS, connect, dataFolderOf, isRemote } from '../../connection/connect.ts'
import { EXIT } from '../../output/failures.ts'
import { escapeUnseen } from '../../output/safe-text.ts'

export const journalExport = defineCommand({
  about: `Writes the whole journal to standard output as NDJSON: one line that lists the chains, then one line per entry. \`journal verify
--export\` can verify such a file anywhere. It reads the store in the data folder, whether or not a server runs; with --url it asks the
server.

The journal says who did what, when and why. Arguments are masked in it but can still be sensitive: keep the file safe.`,
  options: { ...CONNECTION_OPTIONS },
  examples: [
    { line: 'banksman journal export > journal.ndjson', about: 'a copy to keep elsewhere' },
    { line: 'banksman journal export | gzip > journal.ndjson.gz', about: 'a smaller one' },
  ],
  async run({ values }, context) {
    if (isRemote(values, context)) {
      await write((await connect(values, context)).exportJournal())
      return EXIT.done
    }
    const journal = await openLocalJournal(dataFolderOf(values, context), context.environment)
    try {
      await write(exportJournal(journal.source))
    } finally {
      await journal.close()
    }
    return EXIT.done
  },
})

async function write(lines: AsyncIterable<string>): Promise<void> {
  const { stdout } = process
  for await (const line of lines) {
    // The same JSON in other letters, where a person may be looking.
    const text = stdout.isTTY ? escapeUnseen(line) : line
    if (!stdout.write(`${text}\n`)) await once(stdout, 'drain')
  }
}
