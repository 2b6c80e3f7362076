import type { WireRequest } from '../../../src/client/index.ts'
import { SeverityTag } from '../components/severity-tag.tsx'
import { isolateRightToLeft } from '../components/text/isolate-right-to-left.tsx'
import { TimeLeft } from '../components/time-left.tsx'
import { useArmed } from '../components/use-armed.ts'
import { whenArmed } from '../components/when-armed.ts'
import { useInbox, useOwnWords } from '../context/context.ts'
import { requestTitle } from '../model/requests/request-title.ts'
import { useOriginName } from './use-origin-name.ts'
import { PENDING_WORDS } from './words.ts'

export interface RequestRowProps {
  request: WireRequest
  /** Who asks stands above it already. */
  isGrouped: boolean
}

/** One pending request in the list: what it would do on one line, and who wants it and what is special below. */
export function RequestRow({ request, isGrouped }: RequestRowProps) {
  const { open, openId, live, selection } = useInbox()
  const own = useOwnWords(PENDING_WORDS)
  const isArmed = useArmed(request.id, !live.isListed.peek())
  const { id, severity, expiresAt, votes, yours } = request
  const title = requestTitle(request)
  const needed = request.approvers.reduce((most, { quorum }) => Math.max(most, quorum), 1)
  return (
    <li class="request-row" data-kind="request" data-id={id} data-near>
      {yours ? (
        <label class="mark">
          <input
            type="checkbox"
            data-key="x"
            aria-label={own.select(title)}
            checked={selection.has(id)}
            onChange={() => selection.toggle(id)}
          />
        </label>
      ) : null}
      <button
        type="button"
        class={`row severity-${severity}`}
        aria-current={openId.value === id}
        onClick={() => whenArmed(isArmed, () => open(id))}
      >
        <strong class="row-title" dir="ltr">
          {isolateRightToLeft(title)}
        </strong>
        <span class="row-foot">
          <SeverityTag severity={severity} />
          {needed > 1 ? (
            <span class="tag">
              {votes.length}/{needed}
            </span>
          ) : null}
          {yours ? null : <span class="tag">{own.notYours}</span>}
          <span class="who">{isGrouped ? null : <OriginName request={request} />}</span>
          <TimeLeft expiresAt={expiresAt} />
        </span>
      </button>
    </li>
  )
}

function OriginName({ request }: { request: WireRequest }) {
  return <>{isolateRightToLeft(useOriginName(request))}</>
}
