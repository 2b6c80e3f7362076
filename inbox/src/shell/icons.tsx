/**
 * The pictures of the pages and the mark, drawn in the page itself. A picture with an address of its own is a document to a browser: nine of
 * them took as long as the list, and stood before it in the queue.
 */
import type { PageName } from '../model/browser/page-location.ts'

const STROKES: Readonly<Record<PageName, string>> = {
  pending: 'M3 13l3-8h12l3 8v6H3zM3 13h5l1.5 3h5L16 13h5',
  chat: 'M4 5h16v11H10l-5 4v-4H4z',
  sessions: 'M5 4h14a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zM7 9l3 3-3 3M13 15h4',
  history: 'M4 12a8 8 0 1 0 2.5-5.8M4 4v4h4M12 8v4l3 2',
  grants: 'M4 15a4 4 0 1 0 8 0a4 4 0 1 0-8 0M11 12l9-9M16 7l3 3',
  policy: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM9 12l2 2 4-4',
  mcp: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4',
  health: 'M3 12h4l3-7 4 14 3-7h4',
  settings:
    'M4 7h9M19 7h1M13.5 7a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M4 17h1M11 17h9M5.5 17a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0',
}

export function PageIcon({ page }: { page: PageName }) {
  return (
    <svg class="page-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={STROKES[page]} />
    </svg>
  )
}

export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#ffc400" />
      <path d="M7 8l9 7 9-7v5l-9 7-9-7zM7 17l9 7 9-7v5l-9 7-9-7z" fill="#1a1d21" />
    </svg>
  )
}
