import { useEffect, useRef } from 'preact/hooks'
import { useOwnWords } from '../../../context/context.ts'
import { PendingCall } from '../../chat/transcript/pending-call.tsx'
import { SESSIONS_WORDS } from '../words/words.ts'

/** One request, whole, with the answers below it; afterwards, what came of it. */
export function RequestSheet({ id, close }: { id: string; close(): void }) {
  const own = useOwnWords(SESSIONS_WORDS).waiting
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
    // Not on a button: a key that is still held must not press it.
    heading.current?.focus()
  }, [])
  return (
    <dialog ref={dialog} class="sheet request-sheet" aria-labelledby="request-sheet-title" onClose={close}>
      <h2 id="request-sheet-title" ref={heading} tabIndex={-1}>
        {own.sheet}
      </h2>
      <PendingCall id={id} />
      <button type="button" class="plain" onClick={() => dialog.current?.close()}>
        {own.close}
      </button>
    </dialog>
  )
}
