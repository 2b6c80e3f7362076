import { useEffect, useMemo, useState } from 'preact/hooks'
import { isolateRightToLeft } from '../../components/text/isolate-right-to-left.tsx'
import { useInbox, useOwnWords } from '../../context/context.ts'
import { visible } from '../../model/text/visible-line.ts'
import { SessionDoingLine } from './card/session-doing-line.tsx'
import { SessionStateTag } from './card/session-state-tag.tsx'
import { SessionUsed } from './card/session-used.tsx'
import { ToolLines } from './card/tool-lines.tsx'
import type { CodingRow, SeenProgress } from './model/session-board.ts'
import { SESSIONS_WORDS } from './words/words.ts'

/** There is room for the facts beside the conversation. */
const WIDE = '(min-width: 56rem)'

/** On a phone in a line that unfolds, so that the conversation has the screen. */
export function SessionFacts({ session, seen }: { session: CodingRow; seen: SeenProgress | undefined }) {
  const { identity } = useInbox()
  const own = useOwnWords(SESSIONS_WORDS)
  const query = useMemo(() => matchMedia(WIDE), [])
  const [isOpen, setOpen] = useState(query.matches)
  useEffect(() => {
    const look = () => setOpen(query.matches)
    query.addEventListener('change', look)
    return () => query.removeEventListener('change', look)
  }, [query])
  const {
    owner,
    coding: { folder, state },
  } = session
  return (
    <details
      class={`session-fold is-${state}`}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <SessionStateTag session={session} seen={seen} />
        <code class="session-folder" dir="ltr">
          {isolateRightToLeft(visible(folder))}
        </code>
      </summary>
      {owner === identity.subject ? null : <p class="hint">{own.owner(visible(owner))}</p>}
      <SessionDoingLine session={session} seen={seen} />
      <ToolLines seen={seen} />
      <SessionUsed seen={seen} />
    </details>
  )
}
