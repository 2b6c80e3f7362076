/** `banksman backup` */
import { resolve } from 'node:path'
import { backUpStore } from '../../server/installation/back-up-store.ts'
import { defineCommand, JSON_OPTION } from '../command-line/command.ts'
import { DATA_OPTION, dataFolderOf } from '../connection/connect.ts'
import { EXIT } from '../output/failures.ts'
import { safeJson } from '../output/safe-text.ts'

export const backup = defineCommand({
  about: `Copies the store to a new file that only you can read, from one moment, while it is in use; nobody waits for it.
The copy is then opened, checked and its journal verified, and taken away again if it does not pass. An existing file
is never written over.

The copy holds the arguments of calls, and the retention time does not reach it. The configuration, the checkpoints and
the signing key are not in it. To restore it, stop the server and put the file in place of banksman.db in the data
folder, without banksman.db-wal and banksman.db-shm beside it.

It copies SQLite's file. A store in Postgres or Redis is copied with their own tools; asked here, it says how.`,
  positionals: [{ name: 'file', required: true }],
  options: { ...JSON_OPTION, ...DATA_OPTION },
  examples: [{ line: 'banksman backup /mnt/backups/banksman-monday.db', about: 'a copy on another disk' }],
  async run({ values, positionals: [file = ''] }, context) {
    const { terminal, cwd, environment } = context
    const {
      file: path,
      bytes,
      report,
    } = await backUpStore(dataFolderOf(values, context), environment, resolve(cwd, file))
    const { entries, requests } = report
    terminal.print(
      values.json
        ? safeJson({ file: path, bytes, entries, requests })
        : `${path}: ${bytes} bytes, ${requests} requests; its journal of ${entries} entries verifies`,
    )
    return EXIT.done
  },
})
