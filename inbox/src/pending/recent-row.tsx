import type { WireRequest } from '../../../src/client/index.ts'
import { useArmed } from '../decide/use-armed.ts'
import { Deciders } from '../parts/deciders.tsx'
import { inOrder } from '../parts/in-order.tsx'
import { PastRow } from '../parts/past-row.tsx'
import { useInbox } from '../shell/context.ts'

/** One request that is decided or over. */
export function RecentRow({ request }: { request: WireRequest }) {
  const { live } = useInbox()
  const isArmed = useArmed(request.id, !live.isListed.peek())
  const { outcome } = request
  return (
    <PastRow request={request} isArmed={isArmed}>
      <Deciders request={request} />
      {outcome?.summary === undefined ? null : <span class="outcome-line">{inOrder(outcome.summary)}</span>}
    </PastRow>
  )
}
