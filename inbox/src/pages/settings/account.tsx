import { useState } from 'preact/hooks'
import { ClientError, isClientError } from '../../../../src/client/index.ts'
import { useInbox, useOwnWords } from '../../context/context.ts'
import { visible } from '../../model/text/visible-line.ts'
import { SETTINGS_WORDS } from './words.ts'

/** Who is logged in, and the way out. */
export function Account() {
  const inbox = useInbox()
  const words = useOwnWords(SETTINGS_WORDS).you
  const [isLeaving, setLeaving] = useState(false)
  const { subject, role, namespace } = inbox.identity

  async function logOut(): Promise<void> {
    setLeaving(true)
    const push = inbox.reminders.value?.push
    // Whatever the server says, this browser forgets the key: that is what whoever leaves wants.
    if (push?.isChosen()) await push.unsubscribe().catch(() => {})
    const error = await inbox.client.logOut().then(
      () => undefined,
      (caught: unknown) => caught,
    )
    // A token that no login gave stays as it is, and one that is unknown is gone already.
    const isFine = isClientError(error, 'forbidden') || isClientError(error, 'unauthenticated')
    inbox.leave(error instanceof ClientError && !isFine ? error : undefined)
  }

  return (
    <section aria-labelledby="you-title">
      <h3 id="you-title">{words.title}</h3>
      <dl>
        <div>
          <dt>{words.name}</dt>
          <dd>{visible(subject)}</dd>
        </div>
        <div>
          <dt>{words.role}</dt>
          <dd>{words.roles[role] ?? role}</dd>
        </div>
        {namespace === 'default' ? null : (
          <div>
            <dt>{words.namespace}</dt>
            <dd>{visible(namespace)}</dd>
          </div>
        )}
      </dl>
      <p class="hint">{words.explain}</p>
      <div class="setting-choices">
        <button type="button" class="danger" disabled={isLeaving} onClick={() => void logOut()}>
          {words.logOut}
        </button>
      </div>
    </section>
  )
}
