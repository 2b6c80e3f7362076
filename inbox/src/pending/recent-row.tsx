import type { WireRequest } from '../../../src/client/index.ts'
import { DecidedRequestRow } from '../components/decided-request-row.tsx'
import { Deciders } from '../components/deciders.tsx'
import { isolateRightToLeft } from '../components/text/isolate-right-to-left.tsx'
import { useArmed } from '../components/use-armed.ts'
import { useInbox } from '../context/context.ts'

/** One request that is decided or over. */
export function RecentRow({ request }: { request: WireRequest }) {
  const { live } = useInbox()
  const isArmed = useArmed(request.id, !live.isListed.peek())
  const { outcome } = request
  return (
    <DecidedRequestRow request={request} isArmed={isArmed}>
      <Deciders request={request} />
      {outcome?.summary === undefined ? null : (
        <span class="outcome-line">{isolateRightToLeft(outcome.summary)}</span>
      )}
    </DecidedRequestRow>
  )
}
