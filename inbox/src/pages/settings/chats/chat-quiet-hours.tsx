import { useState } from 'preact/hooks'
import type { QuietHours, WireQuietHours } from '../../../../../src/client/index.ts'
import { FailureNote } from '../../../components/failure-note.tsx'
import { LoadState } from '../../../components/load-state.tsx'
import { useLoaded } from '../../../components/use-loaded.ts'
import { usePageAction } from '../../../components/use-page-action.ts'
import { useInbox, useOwnWords } from '../../../context/context.ts'
import { areHours } from '../../../model/notifications/do-not-disturb.ts'
import { ClockHours } from '../clock-hours.tsx'
import { CHAT_SETTINGS_WORDS } from './words.ts'

/** When chats don't disturb this person. The server has it, so that it counts whatever browser is open. */
export function ChatQuietHours() {
  const { client } = useInbox()
  const words = useOwnWords(CHAT_SETTINGS_WORDS).quiet
  const kept = useLoaded('quiet-hours', (signal) => client.quietHours.get({ signal }))
  return (
    <article aria-labelledby="chat-quiet-title" class="chat-block">
      <h4 id="chat-quiet-title">{words.title}</h4>
      <p>{words.explain}</p>
      <LoadState of={kept} />
      {kept.value === undefined ? null : <HoursForm kept={kept.value} put={kept.put} />}
    </article>
  )
}

const USUAL = { from: '22:00', to: '07:00' }

function HoursForm({ kept, put }: { kept: WireQuietHours; put(kept: WireQuietHours): void }) {
  const { client } = useInbox()
  const words = useOwnWords(CHAT_SETTINGS_WORDS).quiet
  const action = usePageAction()
  const [isSaved, setSaved] = useState(false)
  /** What the box says while the server is told. */
  const [wanted, setWanted] = useState<boolean>()
  const [typed, setTyped] = useState<QuietHours>(
    kept.hours ?? { ...USUAL, zone: Intl.DateTimeFormat().resolvedOptions().timeZone },
  )
  const isWrong = !areHours(typed)

  async function keep(hours: QuietHours | undefined): Promise<void> {
    setSaved(false)
    setWanted(hours !== undefined)
    const isDone = await action.run(async (signal) =>
      put(
        await (hours === undefined
          ? client.quietHours.clear({ signal })
          : client.quietHours.set(hours, { signal })),
      ),
    )
    setWanted(undefined)
    setSaved(isDone)
  }

  function change(part: Partial<QuietHours>): void {
    setSaved(false)
    setTyped({ ...typed, ...part })
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isWrong) void keep(typed)
      }}
    >
      {kept.from === 'configuration' ? <p class="hint">{words.configured}</p> : null}
      <label class="choice">
        <input
          type="checkbox"
          checked={wanted ?? kept.hours !== undefined}
          disabled={action.isBusy || kept.from === 'configuration'}
          onChange={({ currentTarget }) => void keep(currentTarget.checked ? typed : undefined)}
        />
        <span>{words.each}</span>
      </label>
      {kept.hours === undefined ? null : (
        <>
          <ClockHours hours={typed} change={change} />
          <label class="zone">
            <span>{words.zone}</span>
            <input
              type="text"
              required
              autoComplete="off"
              spellcheck={false}
              dir="ltr"
              value={typed.zone}
              onInput={({ currentTarget }) => change({ zone: currentTarget.value.trim() })}
            />
          </label>
          {isWrong ? (
            <p class="note failure" role="alert">
              {words.wrong}
            </p>
          ) : null}
          <div class="setting-choices">
            <button type="submit" disabled={action.isBusy || isWrong}>
              {words.save}
            </button>
          </div>
        </>
      )}
      <p role="status">{isSaved ? words.saved : ''}</p>
      {action.error === undefined ? null : <FailureNote error={action.error} />}
    </form>
  )
}
