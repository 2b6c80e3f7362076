import type { ClientError } from '../../../src/client/index.ts'
import { useWords } from '../context/context.ts'
import { visible } from '../model/text/visible-line.ts'

/** What went wrong, in the reader's language where we have words for it, and in the server's own. */
export function FailureNote({ error }: { error: ClientError }) {
  const ours = useWords().failure(error.code)
  // Why a browser could not reach the server it does not say, and what it says instead helps nobody.
  const theirs = error.code === 'unreachable' && ours !== undefined ? undefined : visible(error.detail)
  return (
    <div class="note failure" role="alert">
      {ours === undefined ? null : <strong>{ours}</strong>}{' '}
      {theirs === undefined ? null : <span>{theirs}</span>}
    </div>
  )
}
