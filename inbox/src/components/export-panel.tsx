import { useState } from 'preact/hooks'
import { FailureNote } from './failure-note.tsx'
import { WithCode } from './text/with-code.tsx'
import { usePageAction } from './use-page-action.ts'

export interface ExportPanelProps {
  words: { start: string; stop: string; hint: string }
  /** Takes out and saves, and says how far it is. */
  save(say: (so: string | undefined) => void, signal: AbortSignal): Promise<void>
}

/** A button that saves something that takes a while, says how far it is, and can be stopped. */
export function ExportPanel({ words, save }: ExportPanelProps) {
  const { isBusy, error, run, stop } = usePageAction()
  const [said, say] = useState<string>()
  const start = async () => {
    if (!(await run((signal) => save(say, signal)))) say(undefined)
  }
  return (
    <div class="take-out">
      {isBusy ? (
        <button type="button" onClick={stop}>
          {words.stop}
        </button>
      ) : (
        <button type="button" onClick={() => void start()}>
          {words.start}
        </button>
      )}
      <p class="hint" role="status">
        <WithCode text={said ?? words.hint} />
      </p>
      {error === undefined ? null : <FailureNote error={error} />}
    </div>
  )
}
