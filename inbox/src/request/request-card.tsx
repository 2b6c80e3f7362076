import type { Ref } from 'preact'
import { useId, useMemo, useRef } from 'preact/hooks'
import type { WireView } from '../../../src/client/index.ts'
import { useInbox, useOwnWords } from '../context/context.ts'
import { Decide } from '../decide/decide.tsx'
import { AgentActivity } from './agent-activity.tsx'
import { AgentWords } from './agent-words.tsx'
import { ApprovalReason } from './approval/approval-reason.tsx'
import { RiskAndReason } from './approval/risk-and-reason.tsx'
import { VoteList } from './approval/vote-list.tsx'
import { CallView } from './call/call-view.tsx'
import { RawArguments } from './call/raw-arguments.tsx'
import { UncoverValues } from './call/uncover-values.tsx'
import { RequestOutcome } from './outcome/request-outcome.tsx'
import { RequestDetails } from './request-details.tsx'
import { RequestHeading } from './request-heading.tsx'
import { RequestNotes } from './request-notes.tsx'
import { SimilarDecisions } from './similar-decisions.tsx'
import { useReadThrough } from './use-read-through.ts'
import { REQUEST_WORDS } from './words/words.ts'

export interface RequestCardProps {
  view: WireView
  /** Whether the view shows the request as it is known to be now. */
  isCurrent: boolean
  /** In a conversation or a sheet, and not on its own page: what has to be uncovered is not approved there. */
  isElsewhere?: boolean
  heading?: Ref<HTMLHeadingElement>
}

/**
 * One request, the same wherever it is opened: who wants what, the whole action, the agent's own words, the risk and why it needs
 * approval, and the answers. Everything else is folded under Details.
 */
export function RequestCard({ view: fetched, isCurrent, isElsewhere = false, heading }: RequestCardProps) {
  const { live } = useInbox()
  const words = useOwnWords(REQUEST_WORDS)
  const id = useId()
  // What is known of it moves on while its view is fetched again; the call that is shown stays the one that was fetched.
  const followed = useMemo(() => live.board.follow(fetched.request.id), [fetched.request.id])
  const known = isCurrent ? undefined : followed.value
  const request = known === undefined ? fetched.request : { ...known, ...shownOf(fetched.request) }
  const view = { ...fetched, request }
  const wasPending = useRef(request.state === 'pending')
  const isPending = request.state === 'pending'
  const isQuestion = request.kind === 'question'
  const reading = useReadThrough(`${request.id} ${request.digest}`)
  const decide = (
    <Decide
      view={view}
      isCurrent={isCurrent}
      isElsewhere={isElsewhere}
      reading={isQuestion ? undefined : reading}
      showCall={(call) => <CallView {...call} />}
    />
  )
  return (
    <article class="request" aria-labelledby={id}>
      <RequestHeading view={view} heading={heading ?? null} id={id} />
      {isPending ? null : (
        <>
          <RequestOutcome request={request} wasPending={wasPending.current} />
          {isElsewhere ? null : decide}
        </>
      )}
      <RequestNotes view={view} />
      {isPending && isQuestion ? decide : null}
      {isQuestion ? null : (
        <section class="the-call" ref={reading.action}>
          <h3 class="unseen">{words.call.title}</h3>
          {isPending && request.yours && !isElsewhere ? (
            <UncoverValues key={`uncover ${request.digest}`} request={request} />
          ) : null}
          <CallView parts={view.parts} line={view.line} request={request} isCompact={isElsewhere}>
            <AgentWords request={request} />
            {isPending ? <RiskAndReason request={request} /> : null}
          </CallView>
        </section>
      )}
      {isQuestion ? <AgentWords request={request} /> : null}
      {isPending ? <VoteList request={request} /> : null}
      <details class="request-more">
        <summary>{words.particulars.title}</summary>
        <div class="request-more-parts">
          <RawArguments key={request.digest} request={request} />
          <ApprovalReason view={view} />
          <AgentActivity view={view} />
          <SimilarDecisions view={view} />
          <RequestDetails request={request} parts={view.parts} />
        </div>
      </details>
      {isPending && !isQuestion ? (
        <div class="decide-bar" ref={reading.bar as Ref<HTMLDivElement>}>
          {decide}
        </div>
      ) : null}
    </article>
  )
}

/** What belongs to the call that is laid out, and must not come from a list, where it may be cut. */
function shownOf({ arguments: args, masks, rendering, digest, tool }: WireView['request']) {
  return { arguments: args, masks, rendering, digest, tool }
}
