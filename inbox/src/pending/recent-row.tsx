import type { WireRequest } from '../../../src/client/index.ts'
import { useArmed } from '../decide/use-armed.ts'
import { gistOf } from '../model/gist.ts'
import { visible } from '../model/visible-line.ts'
import { inOrder } from '../parts/in-order.tsx'
import { StateTag } from '../parts/state-tag.tsx'
import { useInbox, useWords } from '../shell/context.ts'

/** One request that is decided or over, with what became of it. */
export function RecentRow({ request }: { request: WireRequest }) {
  const { open, openId, live } = useInbox()
  const words = useWords()
  const isArmed = useArmed(request.id, !live.isListed.peek())
  const { id, tool, decision, outcome } = request
  return (
    <li>
      <button
        type="button"
        class="row"
        data-row
        aria-current={openId.value === id}
        onClick={() => isArmed && open(id)}
      >
        <span class="row-head">
          <strong>{request.kind === 'question' ? words.question : inOrder(visible(tool))}</strong>
          <StateTag request={request} />
        </span>
        <span class="gist">{inOrder(gistOf(request))}</span>
        <span class="row-foot">
          {decision === undefined ? null : <span class="who">{inOrder(visible(decision.by))}</span>}
          {outcome?.summary === undefined ? null : (
            <span class="outcome-line">{inOrder(outcome.summary)}</span>
          )}
        </span>
      </button>
    </li>
  )
}
