import { useWords } from '../context/context.ts'
import { FailureNote } from './failure-note.tsx'
import type { Loaded } from './use-loaded.ts'

/** What stands where something is still on the way or did not come; nothing where it is there and nothing is wrong. */
export function LoadState({ of: { value, error, isLoading, again } }: { of: Loaded<unknown> }) {
  const words = useWords()
  if (error !== undefined) {
    return (
      <div class="load-failed">
        <FailureNote error={error} />
        <button type="button" onClick={again}>
          {words.login.again}
        </button>
      </div>
    )
  }
  if (value !== undefined) return null
  return (
    <p class="hint centre" role="status">
      {isLoading ? words.loading : ''}
    </p>
  )
}
