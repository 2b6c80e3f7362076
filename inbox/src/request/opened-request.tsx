import { FailureNote } from '../components/failure-note.tsx'
import { useInbox, useOwnWords, useWords } from '../context/context.ts'
import { SHELL_WORDS } from '../words/shell-words.ts'
import { RequestView } from './request-view.tsx'
import { useRequestCard } from './use-request-card.ts'

/** What is open: a request, or why there is none. `nothing` says what can be opened here. */
export function OpenedRequest({ nothing }: { nothing?: string }) {
  const { views, shut } = useInbox()
  const words = useWords()
  const now = views.opened.value
  if (now.kind === 'nothing') return <p class="hint centre">{nothing ?? words.chooseOne}</p>
  return (
    <>
      <button type="button" class="quiet back" data-key="Escape" onClick={shut}>
        ← {words.back}
      </button>
      <Opened />
    </>
  )
}

function Opened() {
  const { views } = useInbox()
  const words = useWords()
  const { pageFailed } = useOwnWords(SHELL_WORDS)
  const shown = useRequestCard()
  const now = views.opened.value
  if (now.kind === 'view' && shown.kind === 'here') {
    return (
      <RequestView key={now.view.request.id} Card={shown.part} view={now.view} isCurrent={now.isCurrent} />
    )
  }
  const again = now.kind === 'failed' ? views.again : shown.kind === 'failed' ? shown.again : undefined
  if (again === undefined) {
    return (
      <p class="hint centre" role="status">
        {now.kind === 'missing' ? words.notThere : words.loading}
      </p>
    )
  }
  return (
    <div class="request">
      {now.kind === 'failed' ? <FailureNote error={now.error} /> : <p class="note failure">{pageFailed}</p>}
      <button type="button" onClick={again}>
        {words.login.again}
      </button>
    </div>
  )
}
