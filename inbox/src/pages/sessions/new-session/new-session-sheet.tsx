import { useEffect, useRef } from 'preact/hooks'
import { LoadState } from '../../../components/load-state.tsx'
import { useLoaded } from '../../../components/use-loaded.ts'
import { useInbox, useOwnWords } from '../../../context/context.ts'
import { SESSIONS_WORDS } from '../words/words.ts'
import { NewSessionForm } from './new-session-form.tsx'

/** Starting a session, in one of the folders and modes that the server offers. */
export function NewSessionSheet({ close }: { close(): void }) {
  const { client, go } = useInbox()
  const own = useOwnWords(SESSIONS_WORDS).fresh
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const offers = useLoaded('offers', (signal) => client.secretary({ signal }))
  useEffect(() => {
    dialog.current?.showModal()
    heading.current?.focus()
  }, [])
  return (
    <dialog ref={dialog} class="sheet new-session" aria-labelledby="new-session-title" onClose={close}>
      <h2 id="new-session-title" ref={heading} tabIndex={-1}>
        {own.title}
      </h2>
      <LoadState of={offers} />
      {offers.value === undefined ? null : (
        <NewSessionForm
          offers={offers.value}
          started={(id) => {
            dialog.current?.close()
            go({ page: 'sessions', id })
          }}
        />
      )}
      <button type="button" class="plain" onClick={() => dialog.current?.close()}>
        {own.cancel}
      </button>
    </dialog>
  )
}
