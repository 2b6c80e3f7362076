import type { ClientError } from '../../../src/client/index.ts'
import { isReason } from '../../../src/core/reasons/reason.ts'
import { useWords } from '../context/context.ts'
import { ServerText } from './text/spans.tsx'

/** What went wrong, in the reader's language where we have words for it, and in the server's own. */
export function FailureNote({ error }: { error: ClientError }) {
  const ours = useWords().failure(error.code)
  // Why a browser could not reach the server it does not say, and what it says instead helps nobody.
  const theirs = error.code === 'unreachable' && ours !== undefined ? undefined : error
  return (
    <div class="note failure" role="alert">
      {ours === undefined ? null : <strong>{ours}</strong>}{' '}
      {theirs === undefined ? null : (
        <span>
          <ErrorDetail error={theirs} />
        </span>
      )}
    </div>
  )
}

/** What the server said of it, in the reader's language where the error has a reason. */
export function ErrorDetail({ error: { detail, problem } }: { error: ClientError }) {
  return <ServerText text={detail} reason={isReason(problem?.reason) ? problem.reason : undefined} />
}
