import type { WireRequest } from '../../../src/client/index.ts'
import { useArmed } from '../decide/use-armed.ts'
import { visible } from '../model/visible-line.ts'
import { inOrder } from '../parts/in-order.tsx'
import { PastRow } from '../parts/past-row.tsx'
import { useInbox } from '../shell/context.ts'

/** One request that is decided or over. */
export function RecentRow({ request }: { request: WireRequest }) {
  const { live } = useInbox()
  const isArmed = useArmed(request.id, !live.isListed.peek())
  const { decision, outcome } = request
  return (
    <PastRow request={request} isArmed={isArmed}>
      {decision === undefined ? null : <span class="who">{inOrder(visible(decision.by))}</span>}
      {outcome?.summary === undefined ? null : <span class="outcome-line">{inOrder(outcome.summary)}</span>}
    </PastRow>
  )
}
