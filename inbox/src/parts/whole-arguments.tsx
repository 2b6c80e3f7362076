import { useState } from 'preact/hooks'
import { ClientError, type JsonObject, type WireRequest } from '../../../src/client/index.ts'
import { visibleBlock } from '../model/visible-line.ts'
import { useInbox, useWords } from './context.ts'
import { FailureNote } from './failure-note.tsx'

/** Every argument in full, for where the rendering had to shorten; and what is under the masks, on the record. */
export function WholeArguments({ request }: { request: WireRequest }) {
  const { client } = useInbox()
  const words = useWords()
  const [bare, setBare] = useState<JsonObject>()
  const [error, setError] = useState<ClientError>()
  if (request.erased) return null
  const reveal = async () => {
    try {
      setBare((await client.reveal(request.id)).arguments)
      setError(undefined)
    } catch (caught) {
      if (!(caught instanceof ClientError)) throw caught
      setError(caught)
    }
  }
  return (
    <details>
      <summary>{bare === undefined ? words.call.whole : words.call.revealed}</summary>
      <pre class="json" dir="ltr">
        {visibleBlock(JSON.stringify(bare ?? request.arguments, null, 2))}
      </pre>
      {request.masks.length === 0 || !request.yours || bare !== undefined ? null : (
        <button type="button" onClick={reveal}>
          {words.call.reveal}
        </button>
      )}
      {error === undefined ? null : <FailureNote error={error} />}
    </details>
  )
}
