import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { EarlyClickNote } from '../components/early-click-note.tsx'
import { InboxContext, useOwnWords } from '../context/context.ts'
import { createInboxModel, type InboxModelParts } from '../model/inbox.ts'
import { PendingPage } from '../pending/pending-page.tsx'
import { SHELL_WORDS } from '../words/shell-words.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import { LiveRegion } from './live-region.tsx'
import { Navigation } from './navigation.tsx'
import { LoadedPage } from './page-loader.tsx'
import { ShortcutsOverlay } from './shortcuts-overlay.tsx'
import { TopBar } from './top-bar.tsx'
import { useShortcuts } from './use-shortcuts.ts'

/** What is around every page: the way to the others, the state of the connection, the keys. */
export function Frame({ parts }: { parts: InboxModelParts }) {
  // Whoever makes another language or another key the case makes another frame: see the key in `App`.
  const inbox = useMemo(() => createInboxModel(parts), [])
  const words = useOwnWords(SHELL_WORDS)
  const [isHelping, setHelping] = useState(false)
  const main = useRef<HTMLElement>(null)
  useShortcuts({ help: () => setHelping((before) => !before) })
  useEffect(() => {
    const hurry = () => inbox.live.hurry()
    addEventListener('online', hurry)
    document.addEventListener('visibilitychange', hurry)
    return () => {
      removeEventListener('online', hurry)
      document.removeEventListener('visibilitychange', hurry)
      inbox.close()
    }
  }, [])
  const count = inbox.openCount.value
  useEffect(() => {
    document.title = count === 0 ? 'Banksman' : `(${count}) Banksman`
  }, [count])
  const { page } = inbox.place.value
  return (
    <InboxContext.Provider value={inbox}>
      <div class="head">
        <button type="button" class="skip" onClick={() => main.current?.focus()}>
          {words.skip}
        </button>
        <TopBar>
          <Navigation />
          <button type="button" class="quiet keys" onClick={() => setHelping(true)}>
            {words.help.open} <kbd>?</kbd>
          </button>
        </TopBar>
        <ConnectionBanner />
      </div>
      <LiveRegion />
      <EarlyClickNote />
      <main ref={main} tabIndex={-1} class={`page-place on-${page}`}>
        {page === 'pending' ? <PendingPage /> : <LoadedPage page={page} />}
      </main>
      {isHelping ? <ShortcutsOverlay close={() => setHelping(false)} /> : null}
    </InboxContext.Provider>
  )
}
