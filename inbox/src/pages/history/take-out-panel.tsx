import { useState } from 'preact/hooks'
import { FailureNote } from '../../parts/failure-note.tsx'
import { useUndertaking } from '../../parts/use-undertaking.ts'

export interface TakeOutPanelProps {
  words: { start: string; stop: string; hint: string }
  /** Takes out and saves, and says how far it is. */
  takeOut(say: (so: string | undefined) => void, signal: AbortSignal): Promise<void>
}

/** A button that saves something that takes a while, says how far it is, and can be stopped. */
export function TakeOutPanel({ words, takeOut }: TakeOutPanelProps) {
  const { isBusy, error, run, stop } = useUndertaking()
  const [said, say] = useState<string>()
  const start = async () => {
    if (!(await run((signal) => takeOut(say, signal)))) say(undefined)
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
        {said ?? words.hint}
      </p>
      {error === undefined ? null : <FailureNote error={error} />}
    </div>
  )
}
