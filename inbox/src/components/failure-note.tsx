import type { ClientError } from '../../../src/client/index.ts'
import { useWords } from '../context/context.ts'
import { PlainSentence } from './text/with-code.tsx'

/** What went wrong, in the reader's language where we have words for it, and in the server's own. */
export function FailureNote({ error }: { error: ClientError }) {
  const ours = useWords().failure(error.code)
  return (
    <div class="note failure" role="alert">
      {ours === undefined ? null : <strong>{ours}</strong>}{' '}
      {/* Why a browser could not reach the server it does not say, and what it says instead helps nobody. */}
      {error.code === 'unreachable' && ours !== undefined ? null : (
        <PlainSentence text={error.detail} reason={error.problem?.reason} />
      )}
    </div>
  )
}
