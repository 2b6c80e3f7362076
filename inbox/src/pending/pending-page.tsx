import { useState } from 'preact/hooks'
import { useListScroll } from '../components/use-list-scroll.ts'
import { useInbox } from '../context/context.ts'
import { OpenedRequest } from '../request/opened-request.tsx'
import { AutoDecidedList } from './auto-decided-list.tsx'
import { BatchSheet } from './batch-sheet.tsx'
import { PendingList } from './pending-list.tsx'
import { RecentList } from './recent-list.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { UnsettledList } from './unsettled-list.tsx'
import { useFirstOpened } from './use-first-opened.ts'

/** What waits beside what is open; on a phone one or the other. */
export function PendingPage() {
  const { openId } = useInbox()
  const [isTogether, setTogether] = useState(false)
  const isOpen = openId.value !== undefined
  useListScroll(isOpen)
  useFirstOpened()
  return (
    <div class={isOpen ? 'columns is-open' : 'columns'}>
      <div class="column lists">
        <PendingList />
        <UnsettledList />
        <RecentList />
        <AutoDecidedList />
        <SelectionBar look={() => setTogether(true)} />
      </div>
      <div class="column opened">
        <OpenedRequest />
      </div>
      {isTogether ? <BatchSheet close={() => setTogether(false)} /> : null}
    </div>
  )
}
