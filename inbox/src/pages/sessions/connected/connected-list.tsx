import { useMemo, useState } from 'preact/hooks'
import type { WireSessionRow } from '../../../../../src/client/index.ts'
import { saySessionName } from '../../../../../src/display/words/session-names.ts'
import { LoadState } from '../../../components/load-state.tsx'
import { isolateRightToLeft } from '../../../components/text/isolate-right-to-left.tsx'
import { WithCode } from '../../../components/text/with-code.tsx'
import { useArmed } from '../../../components/use-armed.ts'
import { useLoaded } from '../../../components/use-loaded.ts'
import { whenArmed } from '../../../components/when-armed.ts'
import { useInbox, useLanguage, useLocale, useOwnWords } from '../../../context/context.ts'
import { visible } from '../../../model/text/visible-line.ts'
import { type WaitingInSession, waitingBySession } from '../../chat/model/conversation-list.ts'
import { createKeptPlaces } from '../model/kept-places.ts'
import { useRegularLook } from '../use-regular-look.ts'
import { ConnectedStateTag } from './connected-state-tag.tsx'
import { CONNECTED_WORDS } from './words.ts'

const LISTED = 50
/** Until somebody wants to see all of them. */
const SHOWN = 8

/** The newest sessions of connected agents, each with whose it is, where it works and when it was last heard. */
export function ConnectedList() {
  const { client, pending } = useInbox()
  const own = useOwnWords(CONNECTED_WORDS)
  const loaded = useLoaded('connected', (signal) =>
    client.sessions({ connected: true, limit: LISTED }, { signal }),
  )
  const places = useMemo(() => createKeptPlaces<WireSessionRow>(({ lastAt }) => Date.parse(lastAt)), [])
  const rows = useMemo(() => loaded.value && places.arrange(loaded.value.items), [loaded.value])
  const [isWhole, setWhole] = useState(false)
  useRegularLook({ isActive: () => false, look: loaded.again, shown: places.forget })
  const waiting = waitingBySession(pending.value)
  return (
    <section class="connected" aria-labelledby="connected-title">
      <h3 id="connected-title">{own.title}</h3>
      <p class="hint">{own.about}</p>
      <LoadState of={loaded} />
      {rows?.length === 0 ? (
        <p class="hint">
          <WithCode text={own.none} />
        </p>
      ) : null}
      <ul class="cards">
        {rows?.slice(0, isWhole ? LISTED : SHOWN).map((session, place) => (
          <ConnectedCard key={session.id} session={session} waiting={waiting.get(session.id)} place={place} />
        ))}
      </ul>
      {rows === undefined || rows.length <= SHOWN || isWhole ? null : (
        <button type="button" onClick={() => setWhole(true)}>
          {own.all(rows.length)}
        </button>
      )}
    </section>
  )
}

interface ConnectedCardProps {
  session: WireSessionRow
  waiting: WaitingInSession | undefined
  /** In the list: what moves takes no clicks for a moment. */
  place: number
}

function ConnectedCard({ session, waiting, place }: ConnectedCardProps) {
  const { go } = useInbox()
  const own = useOwnWords(CONNECTED_WORDS)
  const locale = useLocale()
  const { time } = useLanguage()
  const isArmed = useArmed(String(place))
  const { id, owner, heard, createdAt, lastAt } = session
  const folder = heard?.folder
  return (
    <li class="card connected-session" data-session={id}>
      <div class="card-head">
        <h4 class="session-title">
          <button
            type="button"
            class="as-link"
            data-row
            onClick={() => whenArmed(isArmed, () => go({ page: 'sessions', id }))}
          >
            {isolateRightToLeft(visible(owner))}
          </button>
        </h4>
        <ConnectedStateTag session={session} waiting={waiting} />
      </div>
      {folder === undefined ? null : (
        <code class="session-folder" dir="ltr">
          {isolateRightToLeft(visible(folder))}
        </code>
      )}
      <p class="facts hint">
        <span title={visible(id)}>
          {isolateRightToLeft(saySessionName({ session: id, cwd: folder }, locale))}
        </span>
        <span>
          <time dateTime={lastAt}>{own.heard(time(lastAt))}</time>
        </span>
        <span>
          <time dateTime={createdAt}>{own.began(time(createdAt))}</time>
        </span>
      </p>
    </li>
  )
}
