import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useOwnWords, useWords } from '../context/context.ts'
import { loadWithin } from '../model/browser/load-within.ts'
import type { PageName } from '../model/browser/page-location.ts'
import { SHELL_WORDS } from '../words/shell-words.ts'

type LaterPage = Exclude<PageName, 'pending'>

/** Everything but the list of what waits is loaded when somebody goes there. */
const LOADERS: Readonly<Record<LaterPage, () => Promise<ComponentType>>> = {
  chat: async () => (await import('../pages/chat/chat-page.tsx')).ChatPage,
  sessions: async () => (await import('../pages/sessions/sessions-page.tsx')).SessionsPage,
  history: async () => (await import('../pages/history/history-page.tsx')).HistoryPage,
  grants: async () => (await import('../pages/grants/grants-page.tsx')).GrantsPage,
  policy: async () => (await import('../pages/policy/policy-page.tsx')).PolicyPage,
  health: async () => (await import('../pages/health/health-page.tsx')).HealthPage,
  settings: async () => (await import('../pages/settings/settings-page.tsx')).SettingsPage,
}

const loaded = new Map<LaterPage, ComponentType>()

export function LoadedPage({ page }: { page: LaterPage }) {
  const words = useWords()
  const own = useOwnWords(SHELL_WORDS)
  const [, look] = useState(0)
  const [tries, setTries] = useState(0)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    setFailed(false)
    if (loaded.has(page)) return
    loadWithin(LOADERS[page]).then(
      (Page) => {
        loaded.set(page, Page)
        look((count) => count + 1)
      },
      () => setFailed(true),
    )
  }, [page, tries])
  const Page = loaded.get(page)
  if (Page !== undefined) return <Page />
  return (
    <div class="centre">
      <p class="hint" role="status">
        {hasFailed ? own.pageFailed : words.loading}
      </p>
      {hasFailed ? (
        <button type="button" onClick={() => setTries(tries + 1)}>
          {words.login.again}
        </button>
      ) : null}
    </div>
  )
}
