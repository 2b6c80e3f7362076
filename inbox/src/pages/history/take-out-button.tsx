import type { HistoryQuery } from '../../../../src/client/index.ts'
import { saveFile, stampOf } from '../../parts/save-file.ts'
import { useInbox, useOwnWords } from '../../shell/context.ts'
import { takeOut } from './take-out.ts'
import { TakeOutPanel } from './take-out-panel.tsx'
import { HISTORY_WORDS } from './words.ts'

/** Saves what the filters show. */
export function TakeOut({ query }: { query: HistoryQuery }) {
  const { client } = useInbox()
  const words = useOwnWords(HISTORY_WORDS).takeOut
  return (
    <TakeOutPanel
      words={words}
      takeOut={async (say, signal) => {
        say(words.under(0))
        const told = (so: number) => say(words.under(so))
        const { lines, count, isCut } = await takeOut(client, query, { signal, told })
        if (signal.aborted) return
        if (count > 0)
          saveFile(`banksman-history-${stampOf(new Date())}.jsonl`, lines, 'application/x-ndjson')
        say(count === 0 ? words.nothing : isCut ? words.cut(count) : words.done(count))
      }}
    />
  )
}
