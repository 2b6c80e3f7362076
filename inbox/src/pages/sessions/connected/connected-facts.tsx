import type { WireSession } from '../../../../../src/client/index.ts'
import { isolateRightToLeft } from '../../../components/text/isolate-right-to-left.tsx'
import { useSessionName } from '../../../components/use-session-name.ts'
import { useInbox, useLanguage, useOwnWords, useWords } from '../../../context/context.ts'
import { visible } from '../../../model/text/visible-line.ts'
import { CHAT_WORDS } from '../../chat/words/words.ts'
import { CONNECTED_WORDS } from './words.ts'

/** Where the session works, how it is called, when it began, when it was last heard, and who ended it. */
export function ConnectedFacts({ session }: { session: WireSession }) {
  const { go, identity } = useInbox()
  const own = useOwnWords(CONNECTED_WORDS)
  const { endedBy } = useOwnWords(CHAT_WORDS).session
  const words = useWords()
  const { time } = useLanguage()
  const { id, parent, heard, createdAt, ended } = session
  const name = useSessionName({ session: id, ...(heard?.folder === undefined ? {} : { cwd: heard.folder }) })
  return (
    <>
      <dl class="connected-facts">
        <div>
          <dt>{own.facts.folder}</dt>
          <dd>
            {heard?.folder === undefined ? (
              own.facts.noFolder
            ) : (
              <code dir="ltr">{isolateRightToLeft(visible(heard.folder))}</code>
            )}
          </dd>
        </div>
        <div>
          <dt>{own.facts.session}</dt>
          <dd>
            {isolateRightToLeft(name)} <code class="hint">{isolateRightToLeft(visible(id))}</code>
          </dd>
        </div>
        {parent === undefined ? null : (
          <div>
            <dt>{own.facts.parent}</dt>
            <dd>
              <button type="button" class="as-link" onClick={() => go({ page: 'sessions', id: parent })}>
                {isolateRightToLeft(visible(parent))}
              </button>
            </dd>
          </div>
        )}
        <div>
          <dt>{own.facts.began}</dt>
          <dd>
            <time dateTime={createdAt}>{time(createdAt)}</time>
          </dd>
        </div>
        {heard === undefined ? null : (
          <div>
            <dt>{own.facts.heard}</dt>
            <dd>
              <time dateTime={heard.at}>{time(heard.at)}</time>
            </dd>
          </div>
        )}
      </dl>
      {ended === undefined ? null : (
        <p class="note">
          {endedBy(ended.by === identity.subject ? words.you : visible(ended.by), time(ended.at))}
          {ended.reason === undefined ? null : ' '}
          {ended.reason === undefined ? null : <q dir="auto">{isolateRightToLeft(visible(ended.reason))}</q>}
        </p>
      )}
    </>
  )
}
