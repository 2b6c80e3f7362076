import type { HistoryQuery } from '../../../../../src/client/index.ts'
import { ExportPanel } from '../../../components/export-panel.tsx'
import { saveFile, stampOf } from '../../../components/save-file.ts'
import { useInbox, useOwnWords } from '../../../context/context.ts'
import { HISTORY_WORDS } from '../words/history-words.ts'
import { exportHistory } from './export-history.ts'

/** Saves what the filters show. */
export function ExportButton({ query }: { query: HistoryQuery }) {
  const { client } = useInbox()
  const words = useOwnWords(HISTORY_WORDS).export
  return (
    <ExportPanel
      words={words}
      save={async (say, signal) => {
        say(words.under(0))
        const told = (so: number) => say(words.under(so))
        const { lines, count, isCut } = await exportHistory(client, query, { signal, told })
        if (signal.aborted) return
        if (count > 0)
          saveFile(`banksman-history-${stampOf(new Date())}.jsonl`, lines, 'application/x-ndjson')
        say(count === 0 ? words.nothing : isCut ? words.cut(count) : words.done(count))
      }}
    />
  )
}
