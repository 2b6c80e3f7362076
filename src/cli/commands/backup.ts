/** `banksman backup` */
import { resolve } from 'node:path'
import { backUpStore } from '../../server/installation/back-up-store.ts'
import { defineCommand, JSON_OPTION } from '../command-line/command.ts'
import { DATA_OPTION, dataFolderOf } from '../connection/connect.ts'
import { EXIT } from '../output/failures.ts'
import { safeJson } from '../output/safe-text.ts'

export const backup = defineCommand({
  about: `Copies the store to a new file that only you can read. The copy is of one moment; the server can keep running. The copy is then
opened and checked, and its journal is verified; if that fails, it is deleted. An existing file is never overwritten.

The copy contains the arguments of calls, and they stay in it after their retention time. It doesn't contain the configuration, the
checkpoints and the signing key. To restore it, stop the server, put the file in place of banksman.db in the data folder, and delete
banksman.db-wal and banksman.db-shm there.

This is for SQLite. For a store in Postgres or Redis it tells you which of their own tools to use.`,
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
