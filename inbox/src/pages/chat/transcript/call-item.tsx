import { useRef } from 'preact/hooks'
import { hasValue } from '../../../../../src/core/reasons/reason.ts'
import { sayRefusedState } from '../../../../../src/display/words/request-states.ts'
import { isolateRightToLeft } from '../../../components/text/isolate-right-to-left.tsx'
import { ServerText } from '../../../components/text/spans.tsx'
import { useInbox, useLocale, useOwnWords, useWords } from '../../../context/context.ts'
import { visible, visibleBlock } from '../../../model/text/visible-line.ts'
import type { CallBody } from '../model/transcript-items.ts'
import { CHAT_WORDS } from '../words/words.ts'
import { FoldedResult } from './folded-result.tsx'
import { MediaList } from './media-list.tsx'
import { PendingCall } from './pending-call.tsx'
import { ASKS_QUESTIONS, readGivenAnswers } from './read-given-answers.ts'
import { useKeptFocus } from './use-kept-focus.ts'

/** A call of the model's, from the wish to what came of it. */
export function CallItem({ body }: { body: CallBody }) {
  const own = useOwnWords(CHAT_WORDS)
  const words = useWords()
  const locale = useLocale()
  const { pending } = useInbox()
  const { stage, tool, summary, durationMs, refusal } = body
  const isOpen = stage === 'proposed' || stage === 'waiting'
  // What waits is known from the list of requests, too, where the conversation did not say so.
  const request =
    body.request ??
    (isOpen
      ? pending.value.find(({ session, callId }) => session === body.session && callId === body.call)?.id
      : undefined)
  const isWaiting = isOpen && request !== undefined
  const shown = isWaiting ? 'waiting' : stage
  const card = useRef<HTMLElement>(null)
  const focus = useKeptFocus(card, isWaiting)
  return (
    <article ref={card} class={`item call-card stage-${shown}`} tabIndex={-1} data-near {...focus}>
      {isWaiting ? null : (
        <header class="call-head">
          <code class="call-summary" dir="ltr">
            {tool === ASKS_QUESTIONS ? (
              words.question
            ) : summary === undefined ? (
              isolateRightToLeft(visible(tool))
            ) : (
              <ServerText text={summary} />
            )}
          </code>
          <span class={`tag stage-tag-${shown}`}>
            {refusal === undefined ? own.stage[shown] : sayRefusedState(refusal.state, locale)}
          </span>
          {durationMs === undefined ? null : <span class="hint">{own.seconds(durationMs)}</span>}
        </header>
      )}
      {isWaiting ? <PendingCall key={request} id={request} /> : <Outcome body={body} />}
    </article>
  )
}

function Outcome({ body }: { body: CallBody }) {
  const own = useOwnWords(CHAT_WORDS)
  const { go } = useInbox()
  const { text = '', by, refusal, replacedBy, media, unreadable, request, arguments: given } = body
  const answers =
    body.stage === 'answered' && body.tool === ASKS_QUESTIONS ? readGivenAnswers(text, given) : undefined
  return (
    <>
      {unreadable === undefined ? null : (
        <p class="call-note">
          {own.unreadable}{' '}
          <code>
            <ServerText text={unreadable} isBlock />
          </code>
        </p>
      )}
      {by === undefined ? null : <p class="call-note">{own.answeredBy(visible(by))}</p>}
      {replacedBy === undefined ? null : <p class="call-note">{own.replacedBy(visible(replacedBy))}</p>}
      {refusal === undefined ? null : (
        <p class="call-note">
          <ServerText text={refusal.because} reason={refusal.reason} isBlock />
          {refusal.by === undefined || hasValue(refusal.reason, refusal.by)
            ? null
            : ` (${own.refusedBy(refusal.by)})`}
        </p>
      )}
      {answers === undefined ? (
        text === '' ? null : (
          <FoldedResult text={text} />
        )
      ) : (
        <dl class="stacked">
          {answers.map(({ question, answer }) => (
            <div key={question}>
              <dt>{isolateRightToLeft(visible(question))}</dt>
              <dd>
                <ServerText text={answer} isBlock />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <MediaList media={media} />
      <div class="call-more">
        {given === undefined || Object.keys(given).length === 0 ? null : (
          <details>
            <summary>{own.arguments}</summary>
            <pre dir="ltr">{isolateRightToLeft(visibleBlock(JSON.stringify(given, undefined, 2)))}</pre>
          </details>
        )}
        {request === undefined ? null : (
          <button type="button" class="quiet" onClick={() => go({ page: 'history', id: request })}>
            {own.openRequest}
          </button>
        )}
      </div>
    </>
  )
}
