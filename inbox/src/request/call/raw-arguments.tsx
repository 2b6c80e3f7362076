import { useMemo, useState } from 'preact/hooks'
import type { JsonObject, WireRequest } from '../../../../src/client/index.ts'
import { FailureNote } from '../../components/failure-note.tsx'
import { InPieces } from '../../components/text/long-text.tsx'
import { useLocale, useOwnWords } from '../../context/context.ts'
import { REQUEST_WORDS } from '../words/words.ts'
import { printJson } from './print-json.ts'
import { useReveal } from './use-reveal.ts'

/** Every argument in full, for where the rendering had to shorten; and what is under the masks, on the record. */
export function RawArguments({ request }: { request: WireRequest }) {
  const words = useOwnWords(REQUEST_WORDS).whole
  const [isOpen, setOpen] = useState(false)
  const { bare, error, reveal } = useReveal(request)
  if (request.erased) return null
  const mayReveal = request.masks.length > 0 && request.yours && bare === undefined
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{bare === undefined ? words.title : words.revealed}</summary>
      {isOpen ? <Printed key={bare === undefined ? 'masked' : 'bare'} request={request} bare={bare} /> : null}
      {mayReveal ? (
        <button type="button" onClick={reveal}>
          {words.reveal}
        </button>
      ) : null}
      {error === undefined ? null : <FailureNote error={error} />}
    </details>
  )
}

function Printed({ request, bare }: { request: WireRequest; bare: JsonObject | undefined }) {
  const locale = useLocale()
  const { text, marks } = useMemo(
    () => printJson(bare === undefined ? request : { arguments: bare, masks: [] }, locale),
    [request.digest, bare, locale],
  )
  return (
    <pre class="call json" dir="ltr">
      <InPieces text={text} marks={marks} />
    </pre>
  )
}
