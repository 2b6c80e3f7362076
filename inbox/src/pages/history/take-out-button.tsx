import { useEffect, useRef, useState } from 'preact/hooks'
import { ClientError, type HistoryQuery, isClientError } from '../../../../src/client/index.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import { saveFile, stampOf } from '../../parts/save-file.ts'
import { useInbox, useOwnWords } from '../../shell/context.ts'
import { takeOut } from './take-out.ts'
import { HISTORY_WORDS } from './words.ts'

/** Saves what the filters show. */
export function TakeOut({ query }: { query: HistoryQuery }) {
  const { client, leave } = useInbox()
  const words = useOwnWords(HISTORY_WORDS).takeOut
  const [said, say] = useState<string>()
  const [error, setError] = useState<ClientError>()
  const [isBusy, setBusy] = useState(false)
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const start = async () => {
    const mine = new AbortController()
    stop.current = mine
    setBusy(true)
    setError(undefined)
    say(words.under(0))
    try {
      const { lines, count, isCut } = await takeOut(client, query, {
        signal: mine.signal,
        told: (so) => say(words.under(so)),
      })
      if (mine.signal.aborted) return say(undefined)
      if (count > 0) saveFile(`banksman-history-${stampOf(new Date())}.jsonl`, lines, 'application/x-ndjson')
      say(count === 0 ? words.nothing : isCut ? words.cut(count) : words.done(count))
    } catch (caught) {
      say(undefined)
      if (mine.signal.aborted) return
      if (!(caught instanceof ClientError)) throw caught
      if (isClientError(caught, 'unauthenticated')) return leave(caught)
      setError(caught)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div class="take-out">
      {isBusy ? (
        <button type="button" onClick={() => stop.current?.abort()}>
          {words.stop}
        </button>
      ) : (
        <button type="button" onClick={() => void start()}>
          {words.start}
        </button>
      )}
      <p class="hint" role="status">
        {said ?? words.hint}
      </p>
      {error === undefined ? null : <FailureNote error={error} />}
    </div>
  )
}
