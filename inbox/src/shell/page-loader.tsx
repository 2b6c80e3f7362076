import type { ComponentType } from 'preact'
import { createLatePart, type LatePart, useLatePart } from '../components/late-part.ts'
import { useOwnWords, useWords } from '../context/context.ts'
import type { PageName } from '../model/browser/page-location.ts'
import { SHELL_WORDS } from '../words/shell-words.ts'

type LaterPage = Exclude<PageName, 'pending'>

const page = (load: () => Promise<ComponentType>) => createLatePart(load)

/** Everything but the list of requests is loaded when somebody goes there. */
const PAGES: Readonly<Record<LaterPage, LatePart<ComponentType>>> = {
  chat: page(async () => (await import('../pages/chat/chat-page.tsx')).ChatPage),
  sessions: page(async () => (await import('../pages/sessions/sessions-page.tsx')).SessionsPage),
  history: page(async () => (await import('../pages/history/history-page.tsx')).HistoryPage),
  grants: page(async () => (await import('../pages/grants/grants-page.tsx')).GrantsPage),
  policy: page(async () => (await import('../pages/policy/policy-page.tsx')).PolicyPage),
  mcp: page(async () => (await import('../pages/mcp/mcp-page.tsx')).McpPage),
  health: page(async () => (await import('../pages/health/health-page.tsx')).HealthPage),
  settings: page(async () => (await import('../pages/settings/settings-page.tsx')).SettingsPage),
}

export function LoadedPage({ page }: { page: LaterPage }) {
  const words = useWords()
  const own = useOwnWords(SHELL_WORDS)
  const shown = useLatePart(PAGES[page])
  if (shown.kind === 'here') return <shown.part />
  return (
    <div class="centre">
      <p class="hint" role="status">
        {shown.kind === 'failed' ? own.pageFailed : words.loading}
      </p>
      {shown.kind === 'failed' ? (
        <button type="button" onClick={shown.again}>
          {words.login.again}
        </button>
      ) : null}
    </div>
  )
}
