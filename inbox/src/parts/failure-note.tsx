import type { ClientError } from '../../../src/client/index.ts'
import { visible } from '../model/visible-line.ts'
import { useWords } from '../shell/context.ts'

/** What went wrong, in the reader's language where we have words for it, and in the server's own. */
export function FailureNote({ error }: { error: ClientError }) {
  const ours = useWords().failure(error.code)
  return (
    <div class="note failure" role="alert">
      {ours === undefined ? null : <strong>{ours}</strong>} <span>{visible(error.detail)}</span>
    </div>
  )
}
