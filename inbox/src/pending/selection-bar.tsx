import { useInbox, useOwnWords } from '../context/context.ts'
import { PENDING_WORDS } from './words.ts'

/** What is marked, and the way to look at it together. */
export function SelectionBar({ look }: { look(): void }) {
  const { selection } = useInbox()
  const words = useOwnWords(PENDING_WORDS)
  const count = selection.chosen.value.length
  if (count === 0) return null
  return (
    <section class="selection-bar" aria-label={words.selected(count)}>
      <span>{words.selected(count)}</span>
      <button type="button" class="primary" data-key="A" onClick={look}>
        {words.review}
      </button>
      <button type="button" class="quiet" onClick={selection.clear}>
        {words.clear}
      </button>
    </section>
  )
}
