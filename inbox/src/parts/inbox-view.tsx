import { useEffect, useMemo } from 'preact/hooks'
import { createInbox, type InboxParts } from '../model/inbox.ts'
import { Banner } from './banner.tsx'
import { InboxContext, useWords } from './context.ts'
import { LiveRegion } from './live-region.tsx'
import { OpenedView } from './opened-view.tsx'
import { PendingList } from './pending-list.tsx'
import { RecentList } from './recent-list.tsx'
import { SettledList } from './settled-list.tsx'
import { TopBar } from './top-bar.tsx'
import { useKeys } from './use-keys.ts'
import { useListPlace } from './use-list-place.ts'

/** The list beside what is open; on a phone one or the other. */
export function InboxView({ parts }: { parts: InboxParts }) {
  // Whoever makes another language or another key the case makes another view: see the key in `App`.
  const inbox = useMemo(() => createInbox(parts), [])
  const words = useWords()
  useKeys()
  useListPlace(inbox.openId.value !== undefined)
  useEffect(() => {
    const readAddress = () => {
      inbox.openId.value = parts.address.openId()
    }
    const hurry = () => inbox.live.hurry()
    addEventListener('popstate', readAddress)
    addEventListener('online', hurry)
    document.addEventListener('visibilitychange', hurry)
    return () => {
      removeEventListener('popstate', readAddress)
      removeEventListener('online', hurry)
      document.removeEventListener('visibilitychange', hurry)
      inbox.close()
    }
  }, [])
  const count = inbox.pending.value.length
  useEffect(() => {
    document.title = count === 0 ? 'Banksman' : `(${count}) Banksman`
  }, [count])
  return (
    <InboxContext.Provider value={inbox}>
      <div class="head">
        <TopBar subject={inbox.identity.subject} leave={inbox.leave} />
        <Banner />
      </div>
      <LiveRegion />
      <main class={inbox.openId.value === undefined ? 'columns' : 'columns is-open'}>
        <div class="column lists">
          <PendingList />
          <RecentList />
          <SettledList />
          <p class="hint keys">{words.keys}</p>
        </div>
        <div class="column opened">
          <OpenedView />
        </div>
      </main>
    </InboxContext.Provider>
  )
}
