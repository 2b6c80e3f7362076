import type { WireRequest } from '../../../../src/client/index.ts'
import { sayPlace } from '../../../../src/display/words/services.ts'
import { isolateRightToLeft } from '../../components/text/isolate-right-to-left.tsx'
import { ServerText } from '../../components/text/spans.tsx'
import { useInbox, useLanguage, useLocale, useOwnWords, useWords } from '../../context/context.ts'
import { visible } from '../../model/text/visible-line.ts'
import { wordFor } from '../../words/words.ts'
import { REQUEST_WORDS } from '../words/words.ts'

/** Every approval: who, when, where, and with what. Nothing where one person's approval is all there is to tell. */
export function VoteList({ request }: { request: WireRequest }) {
  const { identity } = useInbox()
  const { time } = useLanguage()
  const locale = useLocale()
  const words = useWords()
  const own = useOwnWords(REQUEST_WORDS).votes
  const { votes, decision, edited, digest } = request
  const isApproved = decision?.kind === 'approve' || decision?.kind === 'edit'
  if (votes.length < (isApproved ? 2 : 1)) return null
  const title = decision === undefined ? own.soFar : isApproved ? own.approved : own.before
  return (
    <section class="votes">
      <h4>{title}</h4>
      <ul>
        {votes.map((vote, index) => (
          <li key={index}>
            <strong>{isolateRightToLeft(vote.by === identity.subject ? words.you : visible(vote.by))}</strong>
            <span class="hint">
              {[
                time(vote.at),
                visible(sayPlace(vote.via, locale)),
                ...(vote.scope === undefined ? [] : [wordFor(words.scope, vote.scope)]),
                ...(edited?.by === vote.by && vote.digest === digest ? [own.edited] : []),
              ].join(' · ')}
            </span>
            {vote.reason === undefined ? null : (
              <span class="quote">
                <ServerText text={vote.reason} isBlock />
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
