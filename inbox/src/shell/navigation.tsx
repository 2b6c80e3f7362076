import { useInbox, useOwnWords } from '../context/context.ts'
import { PAGES } from '../model/browser/page-location.ts'
import { SHELL_WORDS } from '../words/shell-words.ts'
import { PageIcon } from './icons.tsx'

/** The pages: a row at the top where there is room, a bar at the bottom of a phone. */
export function Navigation() {
  const { place, openCount, go } = useInbox()
  const words = useOwnWords(SHELL_WORDS)
  const count = openCount.value
  return (
    <nav class="pages" aria-label={words.navigation}>
      {PAGES.map((page, index) => (
        <button
          key={page}
          type="button"
          data-page-key={index + 1}
          aria-current={place.value.page === page ? 'page' : undefined}
          onClick={() => go({ page })}
        >
          <PageIcon page={page} />
          <span class="page-name">{words.pages[page]}</span>
          {page === 'pending' && count > 0 ? (
            <span class="count" role="img" aria-label={words.waiting(count)}>
              {count > 999 ? '999+' : count}
            </span>
          ) : null}
        </button>
      ))}
    </nav>
  )
}
