import { useEffect, useRef } from 'preact/hooks'
import type { WireView } from '../../../src/client/index.ts'
import { useInbox, useOwnWords } from '../context/context.ts'
import { Decide } from '../decide/decide.tsx'
import { AgentActivity } from './agent-activity.tsx'
import { ApprovalReason } from './approval/approval-reason.tsx'
import { VoteList } from './approval/vote-list.tsx'
import { CallView } from './call/call-view.tsx'
import { RawArguments } from './call/raw-arguments.tsx'
import { UncoverValues } from './call/uncover-values.tsx'
import { RequestOutcome } from './outcome/request-outcome.tsx'
import { RequestDetails } from './request-details.tsx'
import { RequestHeading } from './request-heading.tsx'
import { RequestNotes } from './request-notes.tsx'
import { SimilarDecisions } from './similar-decisions.tsx'
import { REQUEST_WORDS } from './words/words.ts'

export interface RequestViewProps {
  view: WireView
  /** Whether the view shows the request as it is known to be now. */
  isCurrent: boolean
}

/** One request, whole: what would run, why it is asked, what was done before, and what can be answered or was. */
export function RequestView({ view: fetched, isCurrent }: RequestViewProps) {
  const { live, isSuggested } = useInbox()
  const words = useOwnWords(REQUEST_WORDS).call
  // What is known of it moves on while its view is fetched again; the call that is shown stays the one that was fetched.
  live.board.changes.value
  const known = isCurrent ? undefined : live.board.get(fetched.request.id)
  const request = known === undefined ? fetched.request : { ...known, ...shownOf(fetched.request) }
  const view = { ...fetched, request }
  const heading = useRef<HTMLHeadingElement>(null)
  const wasPending = useRef(request.state === 'pending')
  useEffect(() => {
    heading.current?.closest('.column')?.scrollTo(0, 0)
    // What opened by itself leaves the focus where it is.
    if (!isSuggested(request.id)) heading.current?.focus({ preventScroll: true })
  }, [])
  const seenState = useRef(request.state)
  useEffect(() => {
    if (seenState.current === request.state) return
    seenState.current = request.state
    // What came of it stands at the top. The button that was pressed is gone, so the focus goes there too.
    heading.current?.scrollIntoView({ block: 'nearest' })
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [request.state])

  const isPending = request.state === 'pending'
  const isQuestion = request.kind === 'question'
  const decide = <Decide view={view} isCurrent={isCurrent} />
  return (
    <article class="request" aria-labelledby="title">
      <RequestHeading view={view} heading={heading} />
      {isPending ? null : (
        <>
          <RequestOutcome request={request} wasPending={wasPending.current} />
          {decide}
        </>
      )}
      <RequestNotes view={view} />
      {isPending && isQuestion ? decide : null}
      <section class="the-call">
        <h3 class="unseen">{words.title}</h3>
        {isPending && request.yours ? (
          <UncoverValues key={`uncover ${request.digest}`} request={request} />
        ) : null}
        {isQuestion ? null : <CallView parts={view.parts} line={view.line} request={request} />}
        <RawArguments key={request.digest} request={request} />
      </section>
      <ApprovalReason view={view} />
      {isPending ? <VoteList request={request} /> : null}
      <AgentActivity view={view} />
      <SimilarDecisions view={view} />
      <RequestDetails request={request} />
      {isPending && !isQuestion ? <div class="decide-bar">{decide}</div> : null}
    </article>
  )
}

/** What belongs to the call that is laid out, and must not come from a list, where it may be cut. */
function shownOf({ arguments: args, masks, rendering, digest, tool }: WireView['request']) {
  return { arguments: args, masks, rendering, digest, tool }
}
