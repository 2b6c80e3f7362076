import { useEffect, useRef, useState } from 'preact/hooks'
import { MODES, type Mode } from '../../../../../src/core/session.ts'
import { FailureNote } from '../../../components/failure-note.tsx'
import { TwoStepButton } from '../../../components/two-step-button.tsx'
import { usePageAction } from '../../../components/use-page-action.ts'
import { useInbox, useOwnWords, useWords } from '../../../context/context.ts'
import { needsSecondStep } from '../../chat/model/session-modes.ts'
import { CHAT_WORDS } from '../../chat/words/words.ts'
import { SESSIONS_WORDS } from '../words/words.ts'
import { FolderField } from './folder-field.tsx'

/** What the server takes at most. */
const MOST = 60_000

/** Where a session is to work, what it is to do first, and how much without asking. */
export function NewSessionSheet({ close, folders = [], modes = MODES }: NewSessionSheetProps) {
  const { client, go } = useInbox()
  const words = useWords()
  const own = useOwnWords(SESSIONS_WORDS).fresh
  const chat = useOwnWords(CHAT_WORDS).session
  const dialog = useRef<HTMLDialogElement>(null)
  const [folder, setFolder] = useState(folders[0] ?? '')
  const [text, setText] = useState('')
  const [mode, setMode] = useState<Mode>('default')
  const { isBusy, error, run } = usePageAction()
  useEffect(() => dialog.current?.showModal(), [])

  async function start(): Promise<void> {
    await run(async (signal) => {
      const said = text.trim()
      const { session } = await client.startSession(
        { folder: folder.trim(), mode, ...(said === '' ? {} : { text: said }) },
        { signal },
      )
      dialog.current?.close()
      go({ page: 'sessions', id: session.id })
    })
  }

  const isReady = folder.trim() !== ''
  return (
    <dialog ref={dialog} class="sheet new-session" aria-labelledby="new-session-title" onClose={close}>
      <h2 id="new-session-title">{own.title}</h2>
      <form
        class="form-fields"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && !needsSecondStep(mode)) void start()
        }}
      >
        <FolderField folders={folders} value={folder} change={setFolder} />
        <label>
          <span>{own.message}</span>
          <textarea
            rows={4}
            maxLength={MOST}
            dir="auto"
            value={text}
            aria-describedby="new-session-hint"
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <p class="hint" id="new-session-hint">
          {own.messageHint}
        </p>
        <label>
          <span>{own.mode}</span>
          <select
            value={mode}
            onChange={(event) =>
              setMode(modes.find((each) => each === event.currentTarget.value) ?? 'default')
            }
          >
            {modes.map((each) => (
              <option key={each} value={each}>
                {chat.names[each]}
              </option>
            ))}
          </select>
        </label>
        <p class="hint">{chat.modes[mode]}</p>
        {error === undefined ? null : <FailureNote error={error} />}
        <div class="buttons">
          {needsSecondStep(mode) ? (
            <TwoStepButton
              key={mode}
              label={own.startIn(chat.names[mode])}
              confirm={own.startIn(chat.names[mode])}
              tone="danger"
              isBusy={isBusy}
              isDisabled={!isReady}
              act={() => void start()}
            >
              {chat.sure[mode]}
            </TwoStepButton>
          ) : (
            <button type="submit" class="primary" disabled={isBusy || !isReady}>
              {isBusy ? words.sending : own.start}
            </button>
          )}
          <button type="button" class="plain" onClick={() => dialog.current?.close()}>
            {own.cancel}
          </button>
        </div>
      </form>
    </dialog>
  )
}

export interface NewSessionSheetProps {
  /** Those that sessions may work in, where the server tells them. */
  folders?: readonly string[]
  /** Those that may be set. */
  modes?: readonly Mode[]
  close(): void
}
