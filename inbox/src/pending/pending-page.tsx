import { useState } from 'preact/hooks'
import { OpenedRequest } from '../request/opened-request.tsx'
import { useInbox } from '../shell/context.ts'
import { BatchSheet } from './batch-sheet.tsx'
import { PendingList } from './pending-list.tsx'
import { RecentList } from './recent-list.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { SettledList } from './settled-list.tsx'
import { useListPlace } from './use-list-place.ts'

/** What waits beside what is open; on a phone one or the other. */
export function PendingPage() {
  const { openId } = useInbox()
  const [isTogether, setTogether] = useState(false)
  const isOpen = openId.value !== undefined
  useListPlace(isOpen)
  return (
    <div class={isOpen ? 'columns is-open' : 'columns'}>
      <div class="column lists">
        <PendingList />
        <RecentList />
        <SettledList />
        <SelectionBar look={() => setTogether(true)} />
      </div>
      <div class="column opened">
        <OpenedRequest />
      </div>
      {isTogether ? <BatchSheet close={() => setTogether(false)} /> : null}
    </div>
  )
}
