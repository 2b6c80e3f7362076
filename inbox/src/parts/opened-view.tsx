import { useInbox, useWords } from './context.ts'
import { RequestView } from './request-view.tsx'

/** What is open: a request, or why there is none. */
export function OpenedView() {
  const { opened, shut } = useInbox()
  const words = useWords()
  const now = opened.value
  if (now.kind === 'nothing') return <p class="hint centre">{words.chooseOne}</p>
  return (
    <>
      <button type="button" class="quiet back" data-key="Escape" onClick={shut}>
        ← {words.back}
      </button>
      {now.kind === 'request' ? (
        <RequestView key={now.request.id} request={now.request} />
      ) : (
        <p class="hint centre">{now.kind === 'loading' ? words.loading : words.notThere}</p>
      )}
    </>
  )
}
