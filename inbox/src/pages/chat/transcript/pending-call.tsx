import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { WireView } from '../../../../../src/client/index.ts'
import { FailureNote } from '../../../components/failure-note.tsx'
import { SeverityTag } from '../../../components/severity-tag.tsx'
import { StateTag } from '../../../components/state-tag.tsx'
import { TimeLeft } from '../../../components/time-left.tsx'
import { useInbox, useOwnWords, useWords } from '../../../context/context.ts'
import { Decide } from '../../../decide/decide.tsx'
import { createRequestViews } from '../../../model/requests/request-views.ts'
import { ApprovalReason } from '../../../request/approval/approval-reason.tsx'
import { CallView } from '../../../request/call/call-view.tsx'
import { RawArguments } from '../../../request/call/raw-arguments.tsx'
import { RequestOutcome } from '../../../request/outcome/request-outcome.tsx'
import { RequestNotes } from '../../../request/request-notes.tsx'
import { REQUEST_WORDS } from '../../../request/words/words.ts'

/** A call that waits for a person, whole, with the answers below it. It appears without taking the focus. */
export function PendingCall({ id }: { id: string }) {
  const { client, live, leave } = useInbox()
  const words = useWords()
  const views = useMemo(
    () => createRequestViews({ client, live, id: () => id, onRefused: leave }),
    [client, live, id],
  )
  useEffect(() => views.close, [views])
  const opened = views.opened.value
  return (
    <div class="ask request">
      {opened.kind === 'view' ? (
        <LoadedPendingCall view={opened.view} isCurrent={opened.isCurrent} />
      ) : opened.kind === 'failed' ? (
        <>
          <FailureNote error={opened.error} />
          <button type="button" onClick={views.again}>
            {words.login.again}
          </button>
        </>
      ) : (
        <p class="hint" role="status">
          {opened.kind === 'missing' ? words.notThere : words.loading}
        </p>
      )}
    </div>
  )
}

function LoadedPendingCall({ view: fetched, isCurrent }: { view: WireView; isCurrent: boolean }) {
  const { live } = useInbox()
  const words = useOwnWords(REQUEST_WORDS).call
  // What is known of it moves on while its view is fetched again; the call that is shown stays the one that was fetched.
  live.board.changes.value
  const { arguments: args, masks, rendering, digest, tool } = fetched.request
  const known = isCurrent ? undefined : live.board.get(fetched.request.id)
  const request =
    known === undefined ? fetched.request : { ...known, arguments: args, masks, rendering, digest, tool }
  const view = { ...fetched, request }
  const wasPending = useRef(request.state === 'pending')
  const isPending = request.state === 'pending'
  const isQuestion = request.kind === 'question'
  return (
    <>
      <p class="tags">
        <SeverityTag severity={request.severity} />
        {isPending ? <TimeLeft expiresAt={request.expiresAt} /> : <StateTag request={request} />}
      </p>
      <RequestNotes view={view} />
      {isQuestion ? null : (
        <>
          <h3 class="unseen">{words.title}</h3>
          <CallView parts={view.parts} line={view.line} request={request} isCompact />
          <RawArguments key={digest} request={request} />
        </>
      )}
      {isPending ? (
        <>
          {isQuestion ? null : <ApprovalReason view={view} />}
          <Decide view={fetched} isCurrent={isCurrent} isElsewhere />
          {isQuestion ? <ApprovalReason view={view} /> : null}
        </>
      ) : (
        <RequestOutcome request={request} wasPending={wasPending.current} />
      )}
    </>
  )
}
