import { useEffect, useState } from 'preact/hooks'
import { isolateRightToLeft } from '../../components/text/isolate-right-to-left.tsx'
import { useWide } from '../../components/use-wide.ts'
import { useInbox, useOwnWords } from '../../context/context.ts'
import { visible } from '../../model/text/visible-line.ts'
import { SessionDoingLine } from './card/session-doing-line.tsx'
import { SessionStateTag } from './card/session-state-tag.tsx'
import { SessionUsed } from './card/session-used.tsx'
import { ToolLines } from './card/tool-lines.tsx'
import type { CodingRow, SeenProgress } from './model/session-board.ts'
import { SESSIONS_WORDS } from './words/words.ts'

/** On a phone in a line that unfolds, so that the conversation has the screen. */
export function SessionFacts({ session, seen }: { session: CodingRow; seen: SeenProgress | undefined }) {
  const { identity } = useInbox()
  const own = useOwnWords(SESSIONS_WORDS)
  const isWide = useWide()
  const [isOpen, setOpen] = useState(isWide)
  useEffect(() => setOpen(isWide), [isWide])
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
