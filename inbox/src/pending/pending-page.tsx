import { useState } from 'preact/hooks'
import { useListScroll } from '../components/use-list-scroll.ts'
import { useWide } from '../components/use-wide.ts'
import { useInbox } from '../context/context.ts'
import { OpenedRequest } from '../request/opened-request.tsx'
import { AutoDecidedList } from './auto-decided-list.tsx'
import { BatchSheet } from './batch-sheet.tsx'
import { LateNextSteps } from './next-steps/late-next-steps.tsx'
import { PendingList } from './pending-list.tsx'
import { RecentList } from './recent-list.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { UnsettledList } from './unsettled-list.tsx'
import { useFirstOpened } from './use-first-opened.ts'

/** What waits beside what is open; on a phone one or the other. */
export function PendingPage() {
  const { openId, identity, live, pending } = useInbox()
  const isWide = useWide()
  const [isTogether, setTogether] = useState(false)
  const isOpen = openId.value !== undefined
  useListScroll(isOpen)
  useFirstOpened(isWide)
  const isOver = live.isListed.value && pending.value.length === 0 && identity.role === 'admin'
  const steps = isOver ? <LateNextSteps /> : null
  // The request that was decided last may still be open: then what to do next stands in the list.
  const isBeside = isWide && !isOpen && steps !== null
  return (
    <div class={isOpen ? 'columns is-open' : 'columns'}>
      <div class="column lists">
        <PendingList />
        <UnsettledList />
        {isBeside ? null : steps}
        <RecentList />
        <AutoDecidedList />
        <SelectionBar look={() => setTogether(true)} />
      </div>
      <div class="column opened">{isBeside ? steps : <OpenedRequest />}</div>
      {isTogether ? <BatchSheet close={() => setTogether(false)} /> : null}
    </div>
  )
}
