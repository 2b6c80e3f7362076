/** Verifying and exporting the journal of a running server, for those who may read it. */
import type { Actor } from '../../core/session.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import { trustKeys } from '../../journal/checkpoints/trusted-keys.ts'
import { exportJournal } from '../../journal/export-journal.ts'
import { pageJournal } from '../../journal/journal-source.ts'
import { type JournalReport, verifyJournal } from '../../journal/verification/verify-journal.ts'
import type { DataFolder } from '../installation/data-folder.ts'
import { publicKeysOf, readCheckpoints } from '../installation/open-local-journal.ts'

export interface JournalReading {
  verifyJournal(actor: Actor): Promise<JournalReport>
  exportJournal(actor: Actor): AsyncIterable<string>
}

const PAGE = 1000

export function createJournalReading(
  gateway: Gateway,
  folder: DataFolder,
  report: (fault: { doing: string; error: unknown }) => void,
): JournalReading {
  const source = (actor: Actor) =>
    pageJournal(
      {
        chains: () => gateway.history.chains(actor),
        read: (chain, after, limit) => gateway.history.entries(chain, after, limit, actor),
      },
      PAGE,
    )
  return {
    async verifyJournal(actor) {
      const file = readCheckpoints(folder)
      for (const { line, why } of file.damaged)
        report({
          doing: 'verifying the journal',
          error: new Error(`${folder.checkpoints}, line ${line}: ${why}`),
        })
      const keys = trustKeys(publicKeysOf(folder), file.rotations)
      return verifyJournal(source(actor), { checkpoints: file.checkpoints, keys })
    },
    exportJournal: (actor) => exportJournal(source(actor)),
  }
}
