import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { WireView } from '../../../../src/client/index.ts'
import { Decide } from '../../decide/decide.tsx'
import { createViews } from '../../model/views.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import { SeverityTag } from '../../parts/severity-tag.tsx'
import { StateTag } from '../../parts/state-tag.tsx'
import { TimeLeft } from '../../parts/time-left.tsx'
import { CallView } from '../../request/call-view.tsx'
import { Notes } from '../../request/notes.tsx'
import { Result } from '../../request/result.tsx'
import { WholeArguments } from '../../request/whole-arguments.tsx'
import { Why } from '../../request/why.tsx'
import { REQUEST_WORDS } from '../../request/words.ts'
import { useInbox, useOwnWords, useWords } from '../../shell/context.ts'

/** A call that waits for a person, whole, with the answers below it. It appears without taking the focus. */
export function Ask({ id }: { id: string }) {
  const { client, live, leave } = useInbox()
  const words = useWords()
  const views = useMemo(
    () => createViews({ client, live, id: () => id, onRefused: leave }),
    [client, live, id],
  )
  useEffect(() => views.close, [views])
  const opened = views.opened.value
  return (
    <div class="ask request">
      {opened.kind === 'view' ? (
        <Asked view={opened.view} isCurrent={opened.isCurrent} />
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

function Asked({ view: fetched, isCurrent }: { view: WireView; isCurrent: boolean }) {
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
      <Notes view={view} />
      {isQuestion ? null : (
        <>
          <h3 class="unseen">{words.title}</h3>
          <CallView parts={view.parts} line={view.line} request={request} isCompact />
          <WholeArguments key={digest} request={request} />
        </>
      )}
      {isPending ? (
        <>
          {isQuestion ? null : <Why view={view} />}
          <Decide view={fetched} isCurrent={isCurrent} isElsewhere />
          {isQuestion ? <Why view={view} /> : null}
        </>
      ) : (
        <Result request={request} wasPending={wasPending.current} />
      )}
    </>
  )
}
