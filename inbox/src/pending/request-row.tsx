import type { WireRequest } from '../../../src/client/index.ts'
import { SeverityTag } from '../components/severity-tag.tsx'
import { isolateRightToLeft } from '../components/text/isolate-right-to-left.tsx'
import { TimeLeft } from '../components/time-left.tsx'
import { useArmed } from '../components/use-armed.ts'
import { whenArmed } from '../components/when-armed.ts'
import { useInbox, useOwnWords, useWords } from '../context/context.ts'
import { requestSummary } from '../model/requests/request-summary.ts'
import { visible } from '../model/text/visible-line.ts'
import { lineageOf } from './arrange-requests.ts'
import { PENDING_WORDS } from './words.ts'

export interface RequestRowProps {
  request: WireRequest
  /** Who asks stands above it already. */
  isGrouped: boolean
}

/** One pending request in the list. */
export function RequestRow({ request, isGrouped }: RequestRowProps) {
  const { open, openId, live, selection } = useInbox()
  const words = useWords()
  const own = useOwnWords(PENDING_WORDS)
  const isArmed = useArmed(request.id, !live.isListed.peek())
  const { id, tool, severity, session, expiresAt, votes, yours } = request
  const name = request.kind === 'question' ? words.question : visible(tool)
  const needed = request.approvers.reduce((most, { quorum }) => Math.max(most, quorum), 1)
  return (
    <li class="request-row" data-kind="request" data-id={id} data-near>
      {yours ? (
        <label class="mark">
          <input
            type="checkbox"
            data-key="x"
            aria-label={own.mark(`${name}: ${requestSummary(request)}`)}
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
        <span class="row-head">
          <strong>{isolateRightToLeft(name)}</strong>
          <TimeLeft expiresAt={expiresAt} />
        </span>
        <span class="gist">{isolateRightToLeft(requestSummary(request))}</span>
        <span class="row-foot">
          <SeverityTag severity={severity} />
          {needed > 1 ? (
            <span class="tag">
              {votes.length}/{needed}
            </span>
          ) : null}
          {yours ? null : <span class="tag">{own.notYours}</span>}
          {isGrouped ? null : (
            <span class="who">
              {isolateRightToLeft(own.group(lineageOf(request).join(' › '), visible(session)))}
            </span>
          )}
        </span>
      </button>
    </li>
  )
}
