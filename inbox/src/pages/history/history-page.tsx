import { PageHeading } from '../../components/page-heading.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useListScroll } from '../../components/use-list-scroll.ts'
import { useInbox, useOwnWords } from '../../context/context.ts'
import { OpenedRequest } from '../../request/opened-request.tsx'
import { SHELL_WORDS } from '../../words/shell-words.ts'
import { CallsTab } from './calls/calls-tab.tsx'
import { JournalTab } from './journal/journal-tab.tsx'
import { HISTORY_WORDS } from './words/history-words.ts'
import '../../style/record.css'
import './history.css'

/** Everything that was ever decided, and the record that proves it. */
export function HistoryPage() {
  const { place, openId, go } = useInbox()
  const words = useOwnWords(HISTORY_WORDS)
  const shell = useOwnWords(SHELL_WORDS)
  const isOpen = openId.value !== undefined
  useListScroll(isOpen)
  const tab = place.value.query?.tab === 'journal' ? 'journal' : 'calls'
  const head = (
    <header class="record-head">
      <PageHeading>{shell.pages.history}</PageHeading>
      <Tabs
        label={words.tabs.label}
        tabs={[
          ['calls', words.tabs.calls],
          ['journal', words.tabs.journal],
        ]}
        chosen={tab}
        choose={(name) => go({ page: 'history', ...(name === 'journal' ? { query: { tab: name } } : {}) })}
      />
    </header>
  )
  if (tab === 'journal' && !isOpen) {
    return (
      <div class="record">
        {head}
        <JournalTab />
      </div>
    )
  }
  return (
    <div class={isOpen ? 'columns is-open' : 'columns'}>
      <div class="column lists history">
        {head}
        <CallsTab />
      </div>
      <div class="column opened">
        <OpenedRequest nothing={words.chooseOne} />
      </div>
    </div>
  )
}
