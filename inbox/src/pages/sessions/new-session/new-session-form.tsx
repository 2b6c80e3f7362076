import { useState } from 'preact/hooks'
import type { WireSessionOffers } from '../../../../../src/client/index.ts'
import type { Mode } from '../../../../../src/core/session.ts'
import { FailureNote } from '../../../components/failure-note.tsx'
import { TwoStepButton } from '../../../components/two-step-button.tsx'
import { usePageAction } from '../../../components/use-page-action.ts'
import { useInbox, useOwnWords, useWords } from '../../../context/context.ts'
import { createStoredValue } from '../../../model/browser/stored-value.ts'
import { needsSecondStep } from '../../chat/model/session-modes.ts'
import { CHAT_WORDS } from '../../chat/words/words.ts'
import { SESSIONS_WORDS } from '../words/words.ts'
import { FolderField } from './folder-field.tsx'

export interface NewSessionFormProps {
  /** The folders that sessions may work in, and the modes in which this person may start one. */
  offers: Pick<WireSessionOffers, 'folders' | 'modes'>
  started(session: string): void
  cancel(): void
}

/** What the server takes at most. */
const MOST = 60_000

/** Where a session is to work, what it is to do first, and how much of that without asking. What was written outlives a reload. */
export function NewSessionForm({ offers: { folders, modes }, started, cancel }: NewSessionFormProps) {
  const { client, identity } = useInbox()
  const words = useWords()
  const own = useOwnWords(SESSIONS_WORDS).fresh
  const chat = useOwnWords(CHAT_WORDS).session
  const [kept] = useState(() =>
    createStoredValue(
      () => sessionStorage,
      `banksman.draft.${identity.subject}.new-session`,
      (value) => (typeof value === 'string' ? value : undefined),
    ),
  )
  const [folder, setFolder] = useState(folders[0] ?? '')
  const [text, setText] = useState(() => kept.read() ?? '')
  const [mode, setMode] = useState<Mode>('default')
  const { isBusy, error, run } = usePageAction()
  const isReady = folder.trim() !== ''

  function write(next: string): void {
    setText(next)
    kept.write(next === '' ? undefined : next)
  }

  async function start(): Promise<void> {
    if (!isReady) return
    await run(async (signal) => {
      const said = text.trim()
      const { session } = await client.startSession(
        { folder: folder.trim(), mode, ...(said === '' ? {} : { text: said }) },
        { signal },
      )
      kept.write(undefined)
      started(session.id)
    })
  }

  return (
    <form
      class="form-fields"
      onSubmit={(event) => {
        event.preventDefault()
        if (!needsSecondStep(mode)) void start()
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
          onInput={(event) => write(event.currentTarget.value)}
        />
      </label>
      <p class="hint" id="new-session-hint">
        {own.messageHint}
      </p>
      <label>
        <span>{own.mode}</span>
        <select
          value={mode}
          aria-describedby="new-session-mode"
          onChange={(event) => setMode(modes.find((each) => each === event.currentTarget.value) ?? 'default')}
        >
          {modes.map((each) => (
            <option key={each} value={each}>
              {chat.names[each]}
            </option>
          ))}
        </select>
      </label>
      <p class="hint" id="new-session-mode">
        {chat.modes[mode]}
      </p>
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
        <button type="button" class="plain" onClick={cancel}>
          {own.cancel}
        </button>
      </div>
    </form>
  )
}
