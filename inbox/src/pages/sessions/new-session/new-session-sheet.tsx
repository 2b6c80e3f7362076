import { useEffect, useRef } from 'preact/hooks'
import { useInbox, useOwnWords } from '../../../context/context.ts'
import { SESSIONS_WORDS } from '../words/words.ts'
import { NewSessionForm, type NewSessionFormProps } from './new-session-form.tsx'

export interface NewSessionSheetProps extends Pick<NewSessionFormProps, 'offers'> {
  close(): void
}

/** Starting a session, in one of the folders and modes that the server offers. It is opened then. */
export function NewSessionSheet({ offers, close }: NewSessionSheetProps) {
  const { go } = useInbox()
  const own = useOwnWords(SESSIONS_WORDS).fresh
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} class="sheet new-session" aria-labelledby="new-session-title" onClose={close}>
      <h2 id="new-session-title">{own.title}</h2>
      <NewSessionForm
        offers={offers}
        cancel={() => dialog.current?.close()}
        started={(id) => {
          dialog.current?.close()
          go({ page: 'sessions', id })
        }}
      />
    </dialog>
  )
}
