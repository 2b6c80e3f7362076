import { useEffect, useState } from 'preact/hooks'
import { ClientError, isClientError } from '../../../../src/client/index.ts'
import { FailureNote } from '../../components/failure-note.tsx'
import { useInbox, useOwnWords } from '../../context/context.ts'
import type { WebPush } from '../../model/notifications/web-push.ts'
import { SETTINGS_WORDS } from './words.ts'

/** Web Push, where the server has it. */
export function PushSettings({ push }: { push: WebPush }) {
  const inbox = useInbox()
  const words = useOwnWords(SETTINGS_WORDS).push
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ClientError | 'browser' | undefined>(undefined)

  async function run(work: () => Promise<void>): Promise<void> {
    setBusy(true)
    setFailure(undefined)
    try {
      await work()
    } catch (error) {
      if (isClientError(error, 'unauthenticated')) inbox.leave(error)
      else setFailure(error instanceof ClientError ? error : 'browser')
    } finally {
      setBusy(false)
    }
  }

  useEffect(() => void run(push.renew), [])
  const state = push.state.value
  if (state === 'off' || (state === 'unknown' && failure === undefined)) return null
  const canSwitch = state === 'subscribed' || state === 'unsubscribed'
  return (
    <section aria-labelledby="push-title">
      <h3 id="push-title">{words.title}</h3>
      <p>{words.explain}</p>
      <p role="status">{isBusy ? words.working : words.state[state]}</p>
      {canSwitch ? (
        <div class="setting-choices">
          <button
            type="button"
            disabled={isBusy}
            onClick={() => void run(state === 'subscribed' ? push.unsubscribe : push.subscribe)}
          >
            {state === 'subscribed' ? words.turnOff : words.turnOn}
          </button>
        </div>
      ) : null}
      {failure === 'browser' ? (
        <p class="note failure" role="alert">
          {words.failed}
        </p>
      ) : failure === undefined ? null : (
        <FailureNote error={failure} />
      )}
    </section>
  )
}
