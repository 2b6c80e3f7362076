import type { WireRequest } from '../../../src/client/index.ts'
import { useArmed } from '../decide/use-armed.ts'
import { gistOf } from '../model/gist.ts'
import { visible } from '../model/visible-line.ts'
import { inOrder } from '../parts/in-order.tsx'
import { SeverityTag } from '../parts/severity-tag.tsx'
import { TimeLeft } from '../parts/time-left.tsx'
import { useInbox, useOwnWords, useWords } from '../shell/context.ts'
import { lineageOf } from './arrange.ts'
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
            aria-label={own.mark(`${name}: ${gistOf(request)}`)}
            checked={selection.has(id)}
            onChange={() => selection.toggle(id)}
          />
        </label>
      ) : null}
      <button
        type="button"
        class={`row severity-${severity}`}
        aria-current={openId.value === id}
        onClick={() => isArmed && open(id)}
      >
        <span class="row-head">
          <strong>{inOrder(name)}</strong>
          <TimeLeft expiresAt={expiresAt} />
        </span>
        <span class="gist">{inOrder(gistOf(request))}</span>
        <span class="row-foot">
          <SeverityTag severity={severity} />
          {needed > 1 ? (
            <span class="tag">
              {votes.length}/{needed}
            </span>
          ) : null}
          {yours ? null : <span class="tag">{own.notYours}</span>}
          {isGrouped ? null : (
            <span class="who">{inOrder(own.group(lineageOf(request).join(' › '), visible(session)))}</span>
          )}
        </span>
      </button>
    </li>
  )
}
